import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ScheduleDetail } from '../../../src/core/on-call/shown-schedule.ts'
import { useNotices } from '../../app/notices.tsx'
import { Trouble } from '../../app/trouble.tsx'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { ScheduleForm } from '../../forms/on-call/schedule-form.tsx'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'

export default function ScheduleNew() {
  const { id: team, name, may } = useTeam()
  const back = (label: string) => (
    <Link to="/teams/$team/on-call" params={{ team: String(team) }} className={buttonLook('quiet')}>
      {label}
    </Link>
  )
  return (
    <>
      <PageHead title={t('New on-call schedule')}>
        {t('People take turns in layers; the last layer that has someone wins.')}
      </PageHead>
      {may('write') ? (
        <FormWithPeople
          team={team}
          done={(schedule) => t('{name} created.', { name: schedule.name })}
          beside={back(t('Cancel'))}
        />
      ) : (
        <Panel>
          <Empty icon={Lock} title={t('You have read-only access')} action={back(t('View on-call'))}>
            {t('Ask an owner or admin of {name} to create a schedule.', { name })}
          </Empty>
        </Panel>
      )}
    </>
  )
}

/** The form, once the contacts and members of the team are known. */
export function FormWithPeople({
  team,
  schedule,
  done,
  beside,
}: {
  team: number
  schedule?: ScheduleDetail
  done: (schedule: ScheduleDetail) => string
  beside: ReactNode
}) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const contacts = useQuery(question(team, 'listContacts', {}))
  const members = useQuery(question(team, 'listMembers', {}))
  const error = contacts.error ?? members.error
  if (contacts.data && members.data) {
    return (
      <ScheduleForm
        team={team}
        {...(schedule && { schedule })}
        contacts={contacts.data.data}
        members={members.data.data}
        beside={beside}
        onDone={(saved) => {
          void queries.invalidateQueries({ queryKey: [team] })
          say.done(done(saved))
          const params = { team: String(team), schedule: String(saved.id) }
          void navigate({ to: '/teams/$team/on-call/schedules/$schedule', params })
        }}
      />
    )
  }
  if (error) return <Trouble error={error} within />
  return (
    <Panel>
      <Waiting lines={8} />
    </Panel>
  )
}
