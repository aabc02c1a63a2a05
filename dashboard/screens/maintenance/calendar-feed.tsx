import { useQuery } from '@tanstack/react-query'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { CalendarAddress } from '../../parts/maintenance/calendar-address.tsx'

/** The secret address of all windows as iCalendar. */
export function CalendarFeed() {
  const { id } = useTeam()
  const asked = question(id, 'showMaintenanceCalendar', {})
  const { data, error } = useQuery(asked)
  return (
    <CalendarAddress
      url={data?.data.url}
      error={error}
      queryKey={asked.queryKey}
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
