import { SUBJECT_KINDS, type SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { MAX_COMPONENTS } from '../../../src/core/status-pages/status-page.ts'
import { useTeam } from '../../data/session.ts'
import { useFoundOfEach } from '../../data/subjects/found-subjects.ts'
import { SHOWN_KINDS } from '../../data/subjects/shown-kinds.ts'
import {
  addSubjects,
  componentsIn,
  type LayoutDraft,
  removeSubject,
} from '../../forms/status-pages/layout-draft.ts'
import { SHOWN_FOUND, SubjectFinder } from '../../forms/subject-finder.tsx'
import { t } from '../../language/language.ts'
import { Panel } from '../../parts/panel.tsx'
import { AddTagged } from './add-tagged.tsx'

/** Subjects that become components, or are none any more. */
export function AddSubjects({
  draft,
  onChange,
}: {
  draft: LayoutDraft
  onChange: (change: (draft: LayoutDraft) => LayoutDraft) => void
}) {
  const { id: team } = useTeam()
  const found = useFoundOfEach(team, {}, SHOWN_FOUND)
  const finding = (kind: SubjectKind) => ({
    chosen: new Set(componentsIn(draft).flatMap((component) => component[kind]?.id ?? [])),
    onAdd: (more: Parameters<typeof addSubjects>[2]) => onChange((all) => addSubjects(all, kind, more)),
    onRemove: (id: number) => onChange((all) => removeSubject(all, kind, id)),
  })
  return (
    <>
      <AddTagged draft={draft} onChange={onChange} />
      {SUBJECT_KINDS.filter((kind) => kind === 'monitor' || found[kind].total > 0).map((kind) => (
        <Panel key={kind} title={t(SHOWN_KINDS[kind].words.add)}>
          <div className="flex flex-col gap-3 p-4">
            <SubjectFinder kind={kind} team={team} max={MAX_COMPONENTS} {...finding(kind)} />
          </div>
        </Panel>
      ))}
    </>
  )
}
