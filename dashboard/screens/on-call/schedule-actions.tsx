import type { ScheduleDetail } from '../../../src/core/on-call/shown-schedule.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { DeleteButton, EditLink } from '../../parts/records/record-buttons.tsx'

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
      <EditLink
        to="/teams/$team/on-call/schedules/$schedule/edit"
        params={{ team: String(team), schedule: String(schedule.id) }}
      />
      <DeleteButton
        of="Schedule"
        record={schedule}
        verb={t('Delete schedule')}
        about={t('Its overrides are deleted too, and its calendar address stops working.')}
        to={{ to: '/teams/$team/on-call', params: { team: String(team) } }}
        forget={['listScheduleShifts']}
      />
    </>
  )
}
