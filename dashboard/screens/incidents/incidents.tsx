import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { formatDuration } from '../../../src/core/duration.ts'
import type { IncidentRow } from '../../../src/core/monitors/incident-story.ts'
import { question } from '../../data/ask.ts'
import type { IncidentSearch } from '../../data/history-search.ts'
import { sayProblem } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { IncidentMark } from '../../parts/monitors/incident-mark.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'
import { Segments } from '../../parts/segments.tsx'
import { Since, Time } from '../../parts/time.tsx'

const STATES = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Ongoing' },
  { value: 'resolved', label: 'Resolved' },
] as const

export default function Incidents() {
  const { id: team } = useTeam()
  const { state, page } = useSearch({ from: '/signed-in/teams/$team/incidents' })
  const navigate = useNavigate({ from: '/teams/$team/incidents' })
  const { data, error, isPlaceholderData } = useQuery({
    ...question(team, 'listIncidentRows', { query: { state, page } }),
    placeholderData: keepPreviousData,
  })

  return (
    <>
      <PageHead title="Incidents" actions={<ListMenu list="incidents" query={{ state }} />}>
        Outages of your monitors, with their causes and durations
      </PageHead>
      <Panel
        actions={
          <search>
            <Segments
              label="Filter incidents"
              value={state ?? 'all'}
              options={STATES}
              onChoose={(chosen) => void navigate({ search: chosen === 'all' ? {} : { state: chosen } })}
            />
          </search>
        }
      >
        {!data && !error && <Waiting lines={8} />}
        {!data && error && (
          <p role="alert" className="p-4 text-down">
            {sayProblem(error)}
          </p>
        )}
        {data && data.data.length === 0 && <NoIncidents state={state} />}
        {data && data.data.length > 0 && (
          <ul
            className={`divide-y divide-line ${isPlaceholderData ? 'opacity-60' : ''}`}
            aria-label="Incidents"
          >
            {data.data.map((incident) => (
              <Row key={incident.id} team={team} incident={incident} />
            ))}
          </ul>
        )}
        {data && (
          <Pages
            meta={data.meta}
            onPage={(next) => void navigate({ search: (kept) => ({ ...kept, page: next }) })}
          />
        )}
      </Panel>
    </>
  )
}

/** Columns on a wide screen, a card on a narrow one. */
function Row({ team, incident }: { team: number; incident: IncidentRow }) {
  return (
    <li
      data-row
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2.5 hover:bg-sunken lg:grid-cols-[7rem_minmax(0,14rem)_minmax(0,1fr)_11rem_8rem]"
    >
      <IncidentMark resolved={incident.resolved} />
      <Link
        to="/teams/$team/monitors/$monitor"
        params={{ team: String(team), monitor: String(incident.monitor_id) }}
        className="order-first col-span-2 truncate py-1 font-medium hover:underline lg:order-none lg:col-span-1"
      >
        {incident.monitor_name}
      </Link>
      <Link
        to="/teams/$team/incidents/$incident"
        params={{ team: String(team), incident: String(incident.id) }}
        data-opens
        className="col-span-2 truncate py-1 underline lg:col-span-1"
        title={incident.cause ?? undefined}
      >
        {incident.cause ?? 'The check failed'}
      </Link>
      <span className="text-soft lg:text-ink">
        <Time at={incident.started_at} as="date" />
      </span>
      <span className="text-right">
        {incident.duration_seconds === null ? (
          <Since at={incident.started_at} />
        ) : (
          formatDuration(incident.duration_seconds)
        )}
      </span>
    </li>
  )
}

function NoIncidents({ state }: { state: IncidentSearch['state'] }) {
  if (state === 'open') return <Empty title="No ongoing incidents">All active monitors are passing.</Empty>
  return (
    <Empty title={state ? 'No resolved incidents yet' : 'No incidents yet'}>
      When a monitor goes down, an incident opens here and your contacts get alerts. When the monitor
      recovers, the incident is resolved.
    </Empty>
  )
}
