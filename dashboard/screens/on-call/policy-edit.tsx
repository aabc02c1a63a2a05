import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { PolicyForm } from '../../forms/on-call/policy-form.tsx'
import { t } from '../../language/language.ts'
import { useSchedules } from '../../parts/on-call/schedules.ts'
import { EditScreen } from '../../parts/records/form-screen.tsx'

export default function PolicyEdit() {
  const { id: team } = useTeam()
  const { policy: named } = useParams({ from: '/signed-in/teams/$team/on-call/policies/$policy/edit' })
  return (
    <EditScreen
      title={t('Edit policy')}
      about={t('Changes take effect with the next incident.')}
      back={{ to: '/teams/$team/on-call/policies/$policy', params: { team: String(team), policy: named } }}
      view={t('View policy')}
      readOnly={t('Ask an owner or admin of the team to change the policy.')}
      record={useQuery(question(team, 'getEscalationPolicy', { id: Number(named) }))}
      needs={{
        contacts: useQuery(question(team, 'listContacts', {})),
        schedules: useSchedules(team),
      }}
    >
      {(policy, { contacts, schedules }, form) => (
        <PolicyForm
          team={team}
          policy={policy}
          contacts={contacts.data}
          schedules={schedules.data}
          {...form}
        />
      )}
    </EditScreen>
  )
}
