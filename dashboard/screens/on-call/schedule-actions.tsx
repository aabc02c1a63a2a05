import { Link } from '@tanstack/react-router'
import type { ScheduleDetail } from '../../../src/core/on-call/shown-schedule.ts'
import { ask } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { deletionWords, useDeletion } from '../../parts/records/record-action.tsx'

/** The actions on a schedule, for people who may change it. */
export function ScheduleActions({
  schedule,
  onOverride,
}: {
  schedule: ScheduleDetail
  onOverride: () => void
}) {
  const { id: team } = useTeam()
  return (
    <>
      <Button size="small" tone="main" onClick={onOverride}>
        {t('Override…')}
      </Button>
      <Link
        to="/teams/$team/on-call/schedules/$schedule/edit"
        params={{ team: String(team), schedule: String(schedule.id) }}
        className={buttonLook('plain', 'small')}
      >
        {t('Edit')}
      </Link>
      <Delete schedule={schedule} />
    </>
  )
}

function Delete({ schedule: { id, name } }: { schedule: ScheduleDetail }) {
  const { id: team } = useTeam()
  const deletion = useDeletion({
    ...deletionWords(name),
    verb: t('Delete schedule'),
    about: t('Its overrides are deleted too, and its calendar address stops working.'),
    remove: () => ask(team, 'deleteSchedule', { id }),
    to: { to: '/teams/$team/on-call', params: { team: String(team) } },
    forget: [
      [team, 'getSchedule', id],
      [team, 'listScheduleShifts', id],
    ],
  })
  return (
    <>
      <Button size="small" tone="danger" onClick={deletion.ask}>
        {t('Delete')}
      </Button>
      {deletion.question}
    </>
  )
}
