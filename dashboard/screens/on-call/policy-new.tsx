import { useQuery } from '@tanstack/react-query'
import type { EscalationPolicy } from '../../../src/core/on-call/policy.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { PolicyForm } from '../../forms/on-call/policy-form.tsx'
import { t } from '../../language/language.ts'
import { useSchedules } from '../../parts/on-call/schedules.ts'
import { NewScreen } from '../../parts/records/form-screen.tsx'

export default function PolicyNew() {
  const { id, name } = useTeam()
  const team = String(id)
  return (
    <NewScreen
      title={t('New escalation policy')}
      about={t('Steps alert more people until someone acknowledges the incident.')}
      back={{ to: '/teams/$team/on-call', params: { team } }}
      view={t('View on-call')}
      readOnly={t('Ask an owner or admin of {name} to create a policy.', { name })}
      needs={{
        contacts: useQuery(question(id, 'listContacts', {})),
        schedules: useSchedules(id),
      }}
      said={(policy: EscalationPolicy) => t('{name} created.', { name: policy.name })}
      to={(policy) => ({
        to: '/teams/$team/on-call/policies/$policy',
        params: { team, policy: String(policy.id) },
      })}
    >
      {({ contacts, schedules }, form) => (
        <PolicyForm team={id} contacts={contacts.data} schedules={schedules.data} {...form} />
      )}
    </NewScreen>
  )
}
