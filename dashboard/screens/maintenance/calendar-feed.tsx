import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { CalendarAddress } from '../../parts/maintenance/calendar-address.tsx'

/** The secret address of all windows as iCalendar. */
export function CalendarFeed() {
  const { id } = useTeam()
  return (
    <CalendarAddress
      asked={question(id, 'showMaintenanceCalendar', {})}
      change={{
        create: () => ask(id, 'createMaintenanceCalendar', {}),
        remove: () => ask(id, 'deleteMaintenanceCalendar', {}),
      }}
      about={t(
        'Subscribe to all windows in a calendar program (iCalendar), for the next 12 months. Treat the address as a secret: anyone who has it can read the names and notes of the windows.',
      )}
    >
      {t('Programs that subscribed to the old address no longer get the windows.')}
    </CalendarAddress>
  )
}
