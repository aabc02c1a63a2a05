import type { SubjectKind } from '../../../src/core/maintenance/window.ts'
import { MAX_COMPONENTS } from '../../../src/core/status-pages/status-page.ts'
import { useTeam } from '../../data/session.ts'
import { useFound } from '../../forms/found-subjects.ts'
import { MonitorFinder } from '../../forms/monitor-finder.tsx'
import {
  addSubjects,
  componentsIn,
  type LayoutDraft,
  removeSubject,
} from '../../forms/status-pages/layout-draft.ts'
import { SubjectFinder } from '../../forms/subject-finder.tsx'
import { t } from '../../language/language.ts'
import { Panel } from '../../parts/panel.tsx'
import { AddTagged } from './add-tagged.tsx'

const TITLES = { server: t('Add servers'), site: t('Add sites') } as const

/** Monitors, servers and sites that become components, or are none any more. */
export function AddSubjects({
  draft,
  onChange,
}: {
  draft: LayoutDraft
  onChange: (change: (draft: LayoutDraft) => LayoutDraft) => void
}) {
  const { id: team } = useTeam()
  const found = { server: useFound(team, 'server'), site: useFound(team, 'site') }
  const finding = (kind: SubjectKind) => ({
    chosen: new Set(componentsIn(draft).flatMap((component) => component[kind]?.id ?? [])),
    onAdd: (more: Parameters<typeof addSubjects>[2]) => onChange((all) => addSubjects(all, kind, more)),
    onRemove: (id: number) => onChange((all) => removeSubject(all, kind, id)),
  })
  return (
    <>
      <AddTagged draft={draft} onChange={onChange} />
      <Panel title={t('Add monitors')}>
        <div className="flex flex-col gap-3 p-4">
          <MonitorFinder team={team} max={MAX_COMPONENTS} {...finding('monitor')} />
        </div>
      </Panel>
      {(['server', 'site'] as const)
        .filter((kind) => found[kind].length > 0)
        .map((kind) => (
          <Panel key={kind} title={TITLES[kind]}>
            <div className="flex flex-col gap-3 p-4">
              <SubjectFinder kind={kind} subjects={found[kind]} {...finding(kind)} />
            </div>
          </Panel>
        ))}
    </>
  )
}
