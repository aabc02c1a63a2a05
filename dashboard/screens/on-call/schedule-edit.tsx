import { Link, useParams } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { Trouble } from '../../app/trouble.tsx'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { useSchedule } from './schedule-data.ts'
import { FormWithPeople } from './schedule-new.tsx'

export default function ScheduleEdit() {
  const { id: team, may } = useTeam()
  const { schedule: named } = useParams({ from: '/signed-in/teams/$team/on-call/schedules/$schedule/edit' })
  const { data, error } = useSchedule(team, Number(named))
  if (error && !data) return <Trouble error={error} />
  const back = (
    <Link
      to="/teams/$team/on-call/schedules/$schedule"
      params={{ team: String(team), schedule: named }}
      className={buttonLook('quiet')}
    >
      {may('write') ? t('Cancel') : t('View schedule')}
    </Link>
  )
  return (
    <>
      <PageHead title={data ? t('Edit {name}', { name: data.data.name }) : t('Edit schedule')}>
        {t('Changes to turns take effect at once.')}
      </PageHead>
      {!may('write') ? (
        <Panel>
          <Empty icon={Lock} title={t('You have read-only access')} action={back}>
            {t('Ask an owner or admin of the team to change the schedule.')}
          </Empty>
        </Panel>
      ) : data ? (
        <FormWithPeople
          key={data.data.id}
          team={team}
          schedule={data.data}
          done={(saved) => t('{name} saved.', { name: saved.name })}
          beside={back}
        />
      ) : (
        <Panel>
          <Waiting lines={8} />
        </Panel>
      )}
    </>
  )
}
