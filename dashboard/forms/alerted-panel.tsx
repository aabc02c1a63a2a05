import type { Contact } from '../../src/core/alerting/contact.ts'
import type { AppliedPolicy } from '../../src/core/on-call/policy.ts'
import { Panel } from '../parts/panel.tsx'
import { ContactTicks } from './contact-ticks.tsx'
import { idsIn } from './draft.ts'
import { PolicyField } from './on-call/policy-field.tsx'
import type { Form } from './use-form.ts'

/** Whom a subject alerts: its contacts, and its escalation policy. */
export function AlertedPanel({
  label,
  name,
  contacts,
  team,
  policy,
  form,
}: {
  label: string
  /** The field of the contacts. */
  name: string
  contacts: Contact[]
  team: number
  /** Undefined while the record is new. */
  policy: AppliedPolicy | undefined
  form: Form
}) {
  return (
    <Panel className="p-4">
      <ContactTicks
        label={label}
        contacts={contacts}
        team={team}
        ticked={idsIn(form.draft[name])}
        faults={form.faults(name)}
        onTick={(ids) => form.set(name, ids.join(', '))}
      />
      <div className="mt-4 empty:hidden">
        <PolicyField team={team} policy={policy} form={form} />
      </div>
    </Panel>
  )
}
