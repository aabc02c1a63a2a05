import { useQuery } from '@tanstack/react-query'
import type { ComponentKind } from '../../../src/core/status-pages/component-kind.ts'
import { MAX_COMPONENTS } from '../../../src/core/status-pages/status-page.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { MonitorFinder } from '../../forms/monitor-finder.tsx'
import { ServerFinder } from '../../forms/servers/server-finder.tsx'
import {
  addSubjects,
  componentsIn,
  type LayoutDraft,
  removeSubject,
} from '../../forms/status-pages/layout-draft.ts'
import { Panel } from '../../parts/panel.tsx'

/** Monitors and servers that become components, or are none any more. */
export function AddSubjects({
  draft,
  onChange,
}: {
  draft: LayoutDraft
  onChange: (change: (draft: LayoutDraft) => LayoutDraft) => void
}) {
  const { id: team } = useTeam()
  const { data } = useQuery(question(team, 'listServers', {}))
  const servers = data?.data ?? []
  const finding = (kind: ComponentKind) => ({
    chosen: new Set(componentsIn(draft).flatMap((component) => component[kind]?.id ?? [])),
    onAdd: (more: Parameters<typeof addSubjects>[2]) => onChange((all) => addSubjects(all, kind, more)),
    onRemove: (id: number) => onChange((all) => removeSubject(all, kind, id)),
  })
  return (
    <>
      <Panel title="Add monitors">
        <div className="flex flex-col gap-3 p-4">
          <MonitorFinder team={team} max={MAX_COMPONENTS} {...finding('monitor')} />
        </div>
      </Panel>
      {servers.length > 0 && (
        <Panel title="Add servers">
          <div className="flex flex-col gap-3 p-4">
            <ServerFinder servers={servers} {...finding('server')} />
          </div>
        </Panel>
      )}
    </>
  )
}
