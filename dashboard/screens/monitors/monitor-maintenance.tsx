import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SubjectMaintenance } from '../../../src/core/maintenance/shown-window.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { MaintenanceBanner } from '../../parts/maintenance/maintenance-banner.tsx'
import { MaintainMenu } from '../../parts/maintenance/maintenance-buttons.tsx'
import { DayTime } from '../../parts/maintenance/window-time.tsx'
import { untilNextTurn } from '../../parts/maintenance/windows.ts'
import { MenuLink } from '../../parts/menu.tsx'

export function useMonitorMaintenance(team: number, monitor: number) {
  return useQuery({
    ...question(team, 'getMonitorMaintenance', { id: monitor }),
    refetchInterval: ({ state }) => untilNextTurn(turnsOf(state.data?.data)),
  })
}

function turnsOf(maintenance: SubjectMaintenance | undefined) {
  return (
    maintenance && [
      { current: null, next: maintenance.next },
      ...maintenance.current.map((current) => ({ current, next: null })),
    ]
  )
}

/** One banner for each window that applies to a monitor now. */
export function MonitorBanners({ monitor }: { monitor: number }) {
  const { id: team } = useTeam()
  const { data } = useMonitorMaintenance(team, monitor)
  return data?.data.current.map(({ window_id: id, window_name: name, ends_at, note, covers_others }) => (
    <MaintenanceBanner key={id} running={{ id, name, note, endsAt: ends_at, coversOthers: covers_others }} />
  ))
}

/** Starts maintenance of a monitor, and names what is planned next. */
export function MonitorMaintain({ monitor }: { monitor: number }) {
  const { id: team } = useTeam()
  const next = useMonitorMaintenance(team, monitor).data?.data.next
  return (
    <MaintainMenu
      monitors={[monitor]}
      next={
        next && (
          <MenuLink>
            <Link
              to="/teams/$team/maintenance/$window"
              params={{ team: String(team), window: String(next.window_id) }}
            >
              <span>
                Next: {next.window_name}, <DayTime at={next.starts_at} />
              </span>
            </Link>
          </MenuLink>
        )
      }
    />
  )
}
