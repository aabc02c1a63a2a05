import { Link } from '@tanstack/react-router'
import { PhoneCall } from 'lucide-react'
import type { ScheduleRow } from '../../../src/core/on-call/shown-schedule.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { OnCallName, OnCallUntil } from '../../parts/on-call/on-call-now.tsx'
import { useSchedules } from '../../parts/on-call/schedules.ts'
import { Empty, PageHead, Panel } from '../../parts/panel.tsx'
import { Row, Rows } from '../../parts/rows.tsx'
import { Flapping } from './flapping-panel.tsx'
import { Policies } from './policies-panel.tsx'
import { Reminders } from './reminders-panel.tsx'

export default function OnCall() {
  const { id, may } = useTeam()
  const schedules = useSchedules(id)
  const add = may('write') && (
    <Link
      to="/teams/$team/on-call/schedules/new"
      params={{ team: String(id) }}
      className={buttonLook('main')}
    >
      {t('New schedule')}
    </Link>
  )
  return (
    <>
      <PageHead title={t('On-call')} actions={add}>
        {t('People take turns: each schedule shows who is on call until when, and who comes next.')}
      </PageHead>
      <div className="flex flex-col gap-5">
        <Panel title={t('Schedules')}>
          <Answered answer={schedules} lines={6} isWhole>
            {({ data }) =>
              data.length === 0 ? (
                <Empty icon={PhoneCall} title={t('No on-call schedules yet')} action={add}>
                  {may('write')
                    ? t('A schedule says who is on call when: people take turns by day or week.')
                    : t('An owner or admin of this team can create one.')}
                </Empty>
              ) : (
                <Rows label={t('Schedules')}>
                  {data.map((schedule) => (
                    <ScheduleLine key={schedule.id} schedule={schedule} />
                  ))}
                </Rows>
              )
            }
          </Answered>
        </Panel>
        <Policies />
        <Reminders />
        <Flapping />
      </div>
    </>
  )
}

function ScheduleLine({ schedule: { id, name, on_call } }: { schedule: ScheduleRow }) {
  const { id: team } = useTeam()
  return (
    <Row
      title={
        <Link
          to="/teams/$team/on-call/schedules/$schedule"
          params={{ team: String(team), schedule: String(id) }}
          className="hover:underline"
        >
          {name}
        </Link>
      }
    >
      <p className="text-base text-ink">
        <OnCallName onCall={on_call} />
      </p>
      <p>
        <OnCallUntil onCall={on_call} />
      </p>
    </Row>
  )
}
