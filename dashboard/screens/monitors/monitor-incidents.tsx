import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Pages } from '../../parts/pages.tsx'
import { IncidentsPanel, IncidentTimes } from '../../parts/records/incidents-panel.tsx'
import type { Monitor } from './monitor-data.ts'

const PER_PAGE = 10

export function MonitorIncidents({ monitor }: { monitor: Monitor }) {
  const { id: team } = useTeam()
  const [page, setPage] = useState(1)
  const asked = useQuery({
    ...question(team, 'listIncidentRows', { query: { monitor: monitor.id, page, per_page: PER_PAGE } }),
    placeholderData: keepPreviousData,
  })
  const meta = asked.data?.meta
  return (
    <IncidentsPanel
      of={{ monitor: monitor.id }}
      asked={asked}
      page={page}
      pages={meta && meta.last_page > 1 && <Pages meta={meta} onPage={setPage} />}
    >
      {(incident) => (
        <li key={incident.id} data-row>
          <Link
            to="/teams/$team/incidents/$incident"
            params={{ team: String(team), incident: String(incident.id) }}
            className="block px-4 py-2.5 hover:bg-sunken"
          >
            <IncidentTimes startedAt={incident.started_at} seconds={incident.duration_seconds} />
            <span className="mt-0.5 line-clamp-2 break-words">{incident.cause ?? t('The check failed')}</span>
          </Link>
        </li>
      )}
    </IncidentsPanel>
  )
}
