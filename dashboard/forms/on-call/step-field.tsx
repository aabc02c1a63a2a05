import type { Contact } from '../../../src/core/alerting/contact.ts'
import { MAX_STEP_CONTACTS } from '../../../src/core/on-call/policy.ts'
import { t } from '../../language/language.ts'
import { SelectField, TextField } from '../../parts/field.tsx'
import type { Form } from '../use-form.ts'
import { ContactChoice } from './contact-choice.tsx'
import type { DraftStep } from './policy-draft.ts'
import { RemoveButton } from './remove-button.tsx'

export type ScheduleName = { id: number; name: string }

const CONTACTS = 'contacts'

/** One step: when, and whom it alerts. */
export function StepField({
  place,
  step,
  isOnly,
  form,
  contacts,
  schedules,
  onChange,
  onRemove,
}: {
  place: number
  step: DraftStep
  isOnly: boolean
  form: Form
  contacts: Contact[]
  schedules: ScheduleName[]
  onChange: (next: DraftStep) => void
  onRemove: () => void
}) {
  const { after, schedule_id } = step
  const path = `steps.${place}`
  const called = t('Step {number}', { number: place + 1 })
  const known = schedules.some(({ id }) => id === schedule_id)
  return (
    <fieldset className="grid min-w-0 items-start gap-4 p-4 sm:grid-cols-2 xl:grid-cols-[10rem_repeat(2,minmax(0,1fr))_auto]">
      <legend className="sr-only">{called}</legend>
      <TextField
        label={t('After minutes')}
        hint={t('0 means at once.')}
        faults={form.faults(`${path}.after_minutes`)}
        value={after}
        onChange={({ target }) => onChange({ ...step, after: target.value })}
        onBlur={() => form.leave(`${path}.after_minutes`)}
        inputMode="numeric"
        autoComplete="off"
      />
      <SelectField
        label={t('Alert')}
        faults={form.faults(`${path}.schedule_id`)}
        value={schedule_id ?? CONTACTS}
        onChange={({ target }) =>
          onChange({ ...step, schedule_id: target.value === CONTACTS ? null : Number(target.value) })
        }
      >
        <option value={CONTACTS}>{t('These contacts')}</option>
        {schedules.map(({ id, name }) => (
          <option key={id} value={id}>
            {t('On call: {schedule}', { schedule: name })}
          </option>
        ))}
        {schedule_id !== null && !known && <option value={schedule_id}>{t('A deleted schedule')}</option>}
      </SelectField>
      {schedule_id === null ? (
        <ContactChoice
          chosen={step.contact_ids}
          max={MAX_STEP_CONTACTS}
          // Others want no alert of an outage: the service refuses them.
          offered={contacts.filter(({ notify_on_down }) => notify_on_down)}
          field={`${path}.contact_ids`}
          onChange={(contact_ids) => onChange({ ...step, contact_ids })}
          {...{ contacts, called, form }}
        />
      ) : (
        <p className="text-sm text-soft xl:mt-9">
          {t('Alerts the person on call at that moment. If no one is, the next step follows at once.')}
        </p>
      )}
      <RemoveButton name={called} disabled={isOnly} onClick={onRemove} />
    </fieldset>
  )
}
