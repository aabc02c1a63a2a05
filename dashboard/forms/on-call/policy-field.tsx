import type { AppliedPolicy } from '../../../src/core/on-call/policy.ts'
import { t } from '../../language/language.ts'
import { SelectField } from '../../parts/field.tsx'
import type { Form } from '../use-form.ts'
import { NO_POLICY, POLICY, usePolicies } from './policy-beside.ts'

/** Chooses the escalation policy of a record in its form; nothing where the team has no policy. */
export function PolicyField({
  team,
  policy,
  form,
}: {
  team: number
  /** Undefined while the record is new. */
  policy: AppliedPolicy | undefined
  form: Form
}) {
  const policies = usePolicies(team)
  if (policies.length === 0) return null
  const byTags = policy && policy.policy_id === null ? policy.applies : null
  return (
    <SelectField
      label={t('Escalation policy')}
      hint={t('Alerts more people after the contacts above, until someone acknowledges.')}
      faults={form.faults(POLICY)}
      value={String(form.draft[POLICY])}
      onChange={({ target }) => form.set(POLICY, target.value)}
    >
      <option value={NO_POLICY}>
        {byTags ? t('By its tags: {policy}', { policy: byTags.name }) : t('No policy of its own')}
      </option>
      {policies.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
