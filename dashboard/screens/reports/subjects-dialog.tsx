import { useState } from 'react'
import { said } from '../../../src/core/language/said.ts'
import { ofEachField, SUBJECT_KINDS } from '../../../src/core/maintenance/subject-kind.ts'
import { MAX_REPORT_CHOSEN, type ReportLine, ReportSubjects } from '../../../src/core/reports/report.ts'
import { splitTags } from '../../../src/core/tags/tag-text.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { useTeam } from '../../data/session.ts'
import { controlsOf } from '../../forms/controls.ts'
import { type Draft, draftOf, readDraft } from '../../forms/draft.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { SubjectPicker } from '../../forms/subject-picker.tsx'
import { SubjectTags } from '../../forms/tags/subject-tags.tsx'
import { useForm } from '../../forms/use-form.ts'
import { t } from '../../language/language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Tick } from '../../parts/field.tsx'

const CONTROLS = controlsOf(ReportSubjects)
const NAMES = Object.keys(CONTROLS)

/** Chooses what a report is about. */
export function SubjectsDialog({
  open,
  ...rest
}: {
  open: boolean
  subjects: ReportSubjects
  /** Those that are chosen by now stand among them, with their names. */
  lines: readonly ReportLine[]
  onClose: () => void
  onChoose: (chosen: ReportSubjects) => Promise<void>
}) {
  return (
    <Dialog title={t('Subjects of the report')} open={open} onClose={rest.onClose} wide>
      <SubjectsForm {...rest} />
    </Dialog>
  )
}

function SubjectsForm({
  subjects,
  lines,
  onClose,
  onChoose,
}: Omit<Parameters<typeof SubjectsDialog>[0], 'open'>) {
  const { id: team } = useTeam()
  const [initial] = useState(() => draftOf(CONTROLS, subjects))
  const form = useForm({
    initial,
    names: NAMES,
    judge: (draft) => parseFields(ReportSubjects, chosenIn(draft), emptyChoice),
    send: onChoose,
    onDone: onClose,
  })
  return (
    <FormFrame form={form} verb={t('Show report')} guarded={false} onCancel={onClose}>
      <Tick
        label={t('Everything of the team')}
        hint={t('Monitors, servers and sites, with those that are added later.')}
        checked={form.draft.all_subjects === true}
        onChange={({ target }) => form.set('all_subjects', target.checked)}
      />
      {form.draft.all_subjects !== true && (
        <SubjectTags
          team={team}
          form={form}
          label={t('Everything with these tags')}
          hint={t(
            'Covers everything that has all of these tags when the report is made, instead of selected subjects.',
          )}
        />
      )}
      {form.draft.all_subjects !== true &&
        splitTags(String(form.draft.tags)).length === 0 &&
        SUBJECT_KINDS.map((kind) => (
          <SubjectPicker
            key={kind}
            kind={kind}
            team={team}
            form={form}
            named={lines.filter((line) => line.kind === kind)}
            max={MAX_REPORT_CHOSEN}
          />
        ))}
    </FormFrame>
  )
}

/** Subjects chosen before a tag or everything count again once these are gone. */
function chosenIn(draft: Draft) {
  const values = readDraft(CONTROLS, draft, NAMES)
  if (values.all_subjects) return { ...values, tags: [] }
  const hasTags = splitTags(String(draft.tags)).length > 0
  return hasTags ? { ...values, ...ofEachField('_ids', () => []) } : values
}

/** A report about nothing is hardly meant. */
function emptyChoice({ all_subjects, tags, ...chosen }: Partial<ReportSubjects>) {
  const ids = SUBJECT_KINDS.reduce((sum, kind) => sum + (chosen[`${kind}_ids`]?.length ?? 0), 0)
  return all_subjects || ids + (tags?.length ?? 0) > 0
    ? []
    : [{ field: 'monitor_ids', message: said('must name a monitor, unless a server or a site is chosen') }]
}
