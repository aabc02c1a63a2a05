import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { operationOf, SUBJECTS } from '../../../src/contract/subjects.ts'
import type { SubjectMaintenance } from '../../../src/core/maintenance/shown-window.ts'
import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { rich } from '../../language/language.ts'
import { MenuLink } from '../menu.tsx'
import { MaintenanceBanner } from './maintenance-banner.tsx'
import { MaintainMenu } from './maintenance-buttons.tsx'
import { DayTime } from './window-time.tsx'
import { untilNextTurn } from './windows.ts'

type Of = { kind: SubjectKind; id: number }

/** The maintenance of a subject, asked again at each turn. */
export function useMaintenanceOf(kind: SubjectKind, id: number) {
  const { id: team } = useTeam()
  return useQuery({
    ...question(team, operationOf(SUBJECTS, kind, 'get*Maintenance'), { id }),
    refetchInterval: ({ state }) => untilNextTurn(turnsOf(state.data?.data)),
  })
}

/** When maintenance begins or ends, for `untilNextTurn`. */
function turnsOf(maintenance: SubjectMaintenance | undefined) {
  return (
    maintenance && [
      { current: null, next: maintenance.next },
      ...maintenance.current.map((current) => ({ current, next: null })),
    ]
  )
}

/** One banner for each window that applies now. */
export function SubjectBanners({ kind, id }: Of) {
  const maintenance = useMaintenanceOf(kind, id).data?.data
  return maintenance?.current.map(({ window_id: id, window_name: name, ends_at, note, covers_others }) => (
    <MaintenanceBanner key={id} running={{ id, name, note, endsAt: ends_at, coversOthers: covers_others }} />
  ))
}

/** Starts maintenance, and names what is planned next. */
export function SubjectMaintain({ kind, id }: Of) {
  const next = useMaintenanceOf(kind, id).data?.data.next
  return <MaintainMenu {...{ [`${kind}s`]: [id] }} next={<NextMaintenance next={next} />} />
}

function NextMaintenance({ next }: { next: SubjectMaintenance['next'] | undefined }) {
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
