import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { useTeam } from '../../data/session.ts'
import { draftOfLayout } from '../../forms/status-pages/layout-draft.ts'
import { PagePreviewPanel } from '../../parts/status-pages/page-preview.tsx'
import { LayoutEditor } from './layout-editor.tsx'
import { LayoutList } from './layout-list.tsx'
import { PageFrame } from './page-frame.tsx'

/** The components and groups of a page, from top to bottom. */
export default function StatusPageScreen() {
  return <PageFrame>{(page) => <Components page={page} />}</PageFrame>
}

function Components({ page }: { page: StatusPageDetail }) {
  const { id: team, may } = useTeam()
  if (may('write')) return <LayoutEditor page={page} />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-2">
      <LayoutList layout={draftOfLayout(page.layout)} />
      <PagePreviewPanel team={team} page={page.id} draft={{}} />
    </div>
  )
}
