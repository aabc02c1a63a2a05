import { useQuery } from '@tanstack/react-query'
import type { ScheduleDetail } from '../../../src/core/on-call/shown-schedule.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { ScheduleForm } from '../../forms/on-call/schedule-form.tsx'
import { t } from '../../language/language.ts'
import { NewScreen } from '../../parts/records/form-screen.tsx'

export default function ScheduleNew() {
  const { id, name } = useTeam()
  const team = String(id)
  return (
    <NewScreen
      title={t('New on-call schedule')}
      about={t('People take turns in layers; the last layer that has someone wins.')}
      back={{ to: '/teams/$team/on-call', params: { team } }}
      view={t('View on-call')}
      readOnly={t('Ask an owner or admin of {name} to create a schedule.', { name })}
      needs={{
        contacts: useQuery(question(id, 'listContacts', {})),
        members: useQuery(question(id, 'listMembers', {})),
      }}
      said={(schedule: ScheduleDetail) => t('{name} created.', { name: schedule.name })}
      to={(schedule) => ({
        to: '/teams/$team/on-call/schedules/$schedule',
        params: { team, schedule: String(schedule.id) },
      })}
    >
      {({ contacts, members }, form) => (
        <ScheduleForm team={id} contacts={contacts.data} members={members.data} {...form} />
      )}
    </NewScreen>
  )
}
