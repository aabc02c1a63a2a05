import { Link } from '@tanstack/react-router'
import type { SubjectMaintenance } from '../../../src/core/maintenance/shown-window.ts'
import { useTeam } from '../../data/session.ts'
import { rich } from '../../language/language.ts'
import { MenuLink } from '../menu.tsx'
import { MaintenanceBanner } from './maintenance-banner.tsx'
import { DayTime } from './window-time.tsx'

/** When maintenance of a monitor or server begins or ends, for `untilNextTurn`. */
export function turnsOf(maintenance: SubjectMaintenance | undefined) {
  return (
    maintenance && [
      { current: null, next: maintenance.next },
      ...maintenance.current.map((current) => ({ current, next: null })),
    ]
  )
}

/** One banner for each window that applies now. */
export function SubjectBanners({ maintenance }: { maintenance: SubjectMaintenance | undefined }) {
  return maintenance?.current.map(({ window_id: id, window_name: name, ends_at, note, covers_others }) => (
    <MaintenanceBanner key={id} running={{ id, name, note, endsAt: ends_at, coversOthers: covers_others }} />
  ))
}

/** Names what is planned next, in the menu that starts maintenance. */
export function NextMaintenance({ next }: { next: SubjectMaintenance['next'] | undefined }) {
  const { id: team } = useTeam()
  if (!next) return null
  return (
    <MenuLink>
      <Link
        to="/teams/$team/maintenance/$window"
        params={{ team: String(team), window: String(next.window_id) }}
      >
        <span>
          {rich('Next: {name}, {time}', { name: next.window_name, time: <DayTime at={next.starts_at} /> })}
        </span>
      </Link>
    </MenuLink>
  )
}
