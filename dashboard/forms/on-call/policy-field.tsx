import { useQuery } from '@tanstack/react-query'
import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { question } from '../../data/ask.ts'
import { t } from '../../language/language.ts'
import { SelectField } from '../../parts/field.tsx'
import type { Form } from '../use-form.ts'
import { NO_POLICY, POLICY } from './policied.ts'

const READS = { monitor: 'getMonitorPolicy', server: 'getServerPolicy', site: 'getSitePolicy' } as const

/** Chooses the escalation policy of a record in its form; nothing where the team has no policy. */
export function PolicyField({
  team,
  kind,
  id,
  form,
}: {
  team: number
  kind: SubjectKind
  /** Undefined while the record is new. */
  id: number | undefined
  form: Form
}) {
  const policies = useQuery(question(team, 'listEscalationPolicies', {})).data?.data ?? []
  const own = useQuery({ ...question(team, READS[kind], { id: id ?? 0 }), enabled: id !== undefined }).data
    ?.data
  if (policies.length === 0) return null
  const held = String(form.draft[POLICY] ?? '')
  const current = own?.policy_id ?? NO_POLICY
  const byTags = own && own.policy_id === null ? own.applies : null
  return (
    <SelectField
      label={t('Escalation policy')}
      hint={t('Alerts further people while no one acknowledges, after the contacts above.')}
      faults={form.faults(POLICY)}
      value={held === '' ? current : held}
      onChange={({ target }) => form.set(POLICY, target.value)}
    >
      <option value={NO_POLICY}>
        {byTags ? t('None of its own: {policy}, by its tags', { policy: byTags.name }) : t('None of its own')}
      </option>
      {policies.map((policy) => (
        <option key={policy.id} value={policy.id}>
          {policy.name}
        </option>
      ))}
    </SelectField>
  )
}
