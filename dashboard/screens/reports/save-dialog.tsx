import { useState } from 'react'
import { ReportSettings, type ReportSubjects, type SavedReport } from '../../../src/core/reports/report.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { useTeam } from '../../data/session.ts'
import { controlsOf } from '../../forms/controls.ts'
import { draftOf, readDraft } from '../../forms/draft.ts'
import { FieldOf } from '../../forms/field-of.tsx'
import { FormFrame } from '../../forms/form-frame.tsx'
import { saveRecord } from '../../forms/record-parts.ts'
import { useForm } from '../../forms/use-form.ts'
import { ZoneField } from '../../forms/zone-field.tsx'
import { t } from '../../language/language.ts'
import { Dialog } from '../../parts/dialog.tsx'

const Named = ReportSettings.pick({ name: true, time_zone: true })
const CONTROLS = controlsOf(Named)
const NAMES = Object.keys(CONTROLS)

/** Saves what is shown under a name, or gives a saved report another name or zone. */
export function SaveDialog({
  open,
  ...rest
}: {
  open: boolean
  saved: SavedReport | null
  zone: string
  subjects: ReportSubjects
  onClose: () => void
  onDone: (report: SavedReport) => void
}) {
  return (
    <Dialog title={rest.saved ? t('Change report') : t('Save report')} open={open} onClose={rest.onClose}>
      <SaveForm {...rest} />
    </Dialog>
  )
}

function SaveForm({
  saved,
  zone,
  subjects,
  onClose,
  onDone,
}: Omit<Parameters<typeof SaveDialog>[0], 'open'>) {
  const { id: team } = useTeam()
  const [initial] = useState(() => draftOf(CONTROLS, saved ?? { name: '', time_zone: zone }))
  const form = useForm({
    initial,
    names: NAMES,
    judge: (draft) => parseFields(Named, readDraft(CONTROLS, draft, NAMES)),
    send: (body) => saveRecord(team, 'Report', saved, saved ? body : { ...subjects, ...body }),
    onDone,
  })
  return (
    <FormFrame
      form={form}
      verb={saved ? t('Save changes') : t('Save report')}
      guarded={false}
      onCancel={onClose}
    >
      <FieldOf
        name="name"
        control={CONTROLS.name}
        text={{
          label: t('Name'),
          hint: t('For example “Shop, monthly”. Shown in the report and in its mails.'),
        }}
        form={form}
      />
      <ZoneField form={form} />
    </FormFrame>
  )
}
