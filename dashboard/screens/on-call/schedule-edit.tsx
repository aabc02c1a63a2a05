import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { ScheduleForm } from '../../forms/on-call/schedule-form.tsx'
import { t } from '../../language/language.ts'
import { EditScreen } from '../../parts/records/form-screen.tsx'
import { useSchedule } from './schedule-data.ts'

export default function ScheduleEdit() {
  const { id: team } = useTeam()
  const { schedule: named } = useParams({ from: '/signed-in/teams/$team/on-call/schedules/$schedule/edit' })
  return (
    <EditScreen
      title={t('Edit schedule')}
      about={t('Changes to turns take effect at once.')}
      back={{
        to: '/teams/$team/on-call/schedules/$schedule',
        params: { team: String(team), schedule: named },
      }}
      view={t('View schedule')}
      readOnly={t('Ask an owner or admin of the team to change the schedule.')}
      record={useSchedule(team, Number(named))}
      needs={{
        contacts: useQuery(question(team, 'listContacts', {})),
        members: useQuery(question(team, 'listMembers', {})),
      }}
    >
      {(schedule, { contacts, members }, form) => (
        <ScheduleForm
          team={team}
          schedule={schedule}
          contacts={contacts.data}
          members={members.data}
          {...form}
        />
      )}
    </EditScreen>
  )
}
