import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDuration } from '../../../src/core/duration.ts'
import { question } from '../../data/ask.ts'
import { sayProblem } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { AllIncidents } from '../../parts/lists/all-incidents.tsx'
import { IncidentMark } from '../../parts/monitors/incident-mark.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Panel, Waiting } from '../../parts/panel.tsx'
import { Since, Time } from '../../parts/time.tsx'
import type { Monitor } from './monitor-data.ts'

const PER_PAGE = 10

/** The monitor's incidents, newest first. */
export function MonitorIncidents({ monitor }: { monitor: Monitor }) {
  const { id: team } = useTeam()
  const [page, setPage] = useState(1)
  const { data, error } = useQuery({
    ...question(team, 'listIncidentRows', { query: { monitor: monitor.id, page, per_page: PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel title={t('Incidents')} actions={<AllIncidents of={{ monitor: monitor.id }} />}>
      {!data && !error && <Waiting lines={2} />}
      {!data && error && (
        <p role="alert" className="px-4 py-3 text-down">
          {sayProblem(error)}
        </p>
      )}
      {data?.data.length === 0 && <p className="px-4 py-3 text-soft">{t('No incidents yet.')}</p>}
      <ul className="divide-y divide-line">
        {data?.data.map((incident) => (
          <li key={incident.id} data-row>
            <Link
              to="/teams/$team/incidents/$incident"
              params={{ team: String(team), incident: String(incident.id) }}
              className="block px-4 py-2.5 hover:bg-sunken"
            >
              <span className="flex flex-wrap items-center justify-between gap-x-3 text-sm">
                <IncidentMark resolved={incident.resolved} />
                <span className="text-soft">
                  <Time at={incident.started_at} as="date" />
                  {', '}
                  {incident.duration_seconds === null ? (
                    <Since at={incident.started_at} />
                  ) : (
                    formatDuration(incident.duration_seconds)
                  )}
                </span>
              </span>
              <span className="mt-0.5 line-clamp-2 break-words">
                {incident.cause ?? t('The check failed')}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {data && data.meta.last_page > 1 && <Pages meta={data.meta} onPage={setPage} />}
    </Panel>
  )
}
