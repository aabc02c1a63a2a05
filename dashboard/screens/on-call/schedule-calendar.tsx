import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { CalendarAddress } from '../../parts/maintenance/calendar-address.tsx'

/** The secret address of the shifts as iCalendar. */
export function ScheduleCalendar({ schedule: { id } }: { schedule: { id: number } }) {
  const { id: team } = useTeam()
  return (
    <CalendarAddress
      asked={question(team, 'showScheduleCalendar', { id })}
      change={{
        create: () => ask(team, 'createScheduleCalendar', { id }),
        remove: () => ask(team, 'deleteScheduleCalendar', { id }),
      }}
      about={t(
        'Subscribe to the shifts of the next 90 days in a calendar program (iCalendar). Treat the address as a secret: anyone who has it can read who is on call when.',
      )}
    >
      {t('Programs that subscribed to the old address no longer get the shifts.')}
    </CalendarAddress>
  )
}
