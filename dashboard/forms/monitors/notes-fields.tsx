import { MonitorNotes } from '../../../src/core/monitors/notes.ts'
import { type Parsed, parseFields } from '../../../src/core/validation.ts'
import { t } from '../../language/language.ts'
import { Field, INPUT_LOOK } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { controlsOf } from '../controls.ts'
import { changedNames, type Draft, readDraft } from '../draft.ts'
import { FieldOf, type FieldText } from '../field-of.tsx'
import type { Form } from '../use-form.ts'

export const NOTES_CONTROLS = controlsOf(MonitorNotes)
export const NOTES_NAMES = Object.keys(NOTES_CONTROLS) as (keyof MonitorNotes)[]

export const NOTES_TEXTS = {
  runbook_url: {
    label: t('Runbook link'),
    hint: t('Where the steps to take are written down. Alerts link to it.'),
    placeholder: 'https://wiki.example.com/runbooks/shop',
    input: { type: 'url', inputMode: 'url' },
  },
  notes: {
    label: t('Notes'),
    hint: t(
      'For people who respond: shown on the monitor and its incidents. Alerts have the first three lines.',
    ),
  },
} as const satisfies Record<keyof MonitorNotes, FieldText>

/** The runbook link and the notes, in the form of their monitor. */
export function NotesFields({ form }: { form: Form }) {
  return (
    <Panel>
      <div className="flex flex-col gap-4 p-4">
        <FieldOf
          name="runbook_url"
          control={NOTES_CONTROLS.runbook_url}
          text={NOTES_TEXTS.runbook_url}
          form={form}
        />
        <Field {...NOTES_TEXTS.notes} faults={form.faults('notes')}>
          {(wired) => (
            <textarea
              {...wired}
              rows={3}
              value={String(form.draft.notes ?? '')}
              onChange={({ target }) => form.set('notes', target.value)}
              onBlur={() => form.leave('notes')}
              className={`${INPUT_LOOK} py-2`}
            />
          )}
        </Field>
      </div>
    </Panel>
  )
}

/** The notes to save; null when they are as before. */
export function judgeNotes(draft: Draft, before: Draft): Parsed<MonitorNotes | null> {
  const parsed = parseFields(MonitorNotes, readDraft(NOTES_CONTROLS, draft, NOTES_NAMES))
  const isSame = changedNames(NOTES_CONTROLS, before, draft).length === 0
  return parsed.ok && isSame ? { ok: true, value: null } : parsed
}
