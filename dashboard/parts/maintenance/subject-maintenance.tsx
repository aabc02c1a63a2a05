import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { operationOf, SUBJECTS } from '../../../src/contract/subjects.ts'
import type { SubjectMaintenance } from '../../../src/core/maintenance/shown-window.ts'
import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { sayList } from '../../language/list.ts'
import { MenuLink } from '../menu.tsx'
import { MaintenanceBanner } from './maintenance-banner.tsx'
import { MaintainMenu } from './maintenance-buttons.tsx'
import { DayTime } from './window-time.tsx'
import { untilNextTurn } from './windows.ts'

type Subject = { kind: SubjectKind; id: number }

/** The windows that apply to a subject now, and the next one; asked again when one begins or ends. */
export function useSubjectMaintenance(team: number, { kind, id }: Subject) {
  return useQuery({
    ...question(team, operationOf(SUBJECTS, kind, 'get*Maintenance'), { id }),
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

/** One banner for each window that applies now. */
export function SubjectBanners({ of }: { of: Subject }) {
  const { id: team } = useTeam()
  const maintenance = useSubjectMaintenance(team, of).data?.data
  return maintenance?.current.map(({ window_id: id, window_name: name, ends_at, note, covers_others }) => (
    <MaintenanceBanner key={id} running={{ id, name, note, endsAt: ends_at, coversOthers: covers_others }} />
  ))
}

/** Starts maintenance, and names what is planned next. */
export function MaintainSubject({ of }: { of: Subject }) {
  const { id: team } = useTeam()
  const next = useSubjectMaintenance(team, of).data?.data.next
  return (
    <MaintainMenu
      kind={of.kind}
      ids={[of.id]}
      next={<NextMaintenance next={next} />}
      hidden={<HiddenFrom of={of} />}
    />
  )
}

/** The pages that show the subject, and not that it is under maintenance. */
export function HiddenFrom({ of }: { of: Subject }) {
  const { id: team } = useTeam()
  const pages = useSubjectMaintenance(team, of).data?.data.pages
  if (!pages) return t('Status pages do not show it.')
  if (pages.length === 0) return t('No status page shows this.')
  return t('{pages} {count, plural, one {does} other {do}} not show it.', {
    pages: sayList(pages.map((name) => `“${name}”`)),
    count: pages.length,
  })
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
