import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDuration } from '../../../src/core/duration.ts'
import { sayCondition } from '../../../src/core/servers/condition-words.ts'
import { sayProblem } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { IncidentAlerts } from '../../parts/alerting/incident-alerts.tsx'
import { Button } from '../../parts/button.tsx'
import { AllIncidents } from '../../parts/lists/all-incidents.tsx'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { Panel, Waiting } from '../../parts/panel.tsx'
import { TopProcesses } from '../../parts/servers/top-processes.tsx'
import { Since, Time } from '../../parts/time.tsx'
import { type Server, type ServerIncident, useServerIncidents } from './server-data.ts'

const SHOWN = 10

/** Incidents of a server, newest first, with the processes that used most when each began. */
export function ServerIncidents({ server }: { server: Server }) {
  const { id: team } = useTeam()
  const [isAll, setAll] = useState(false)
  const { data, error } = useServerIncidents(team, server.id)
  const incidents = data?.data ?? []
  return (
    <Panel title={t('Incidents')} actions={<AllIncidents of={{ server: server.id }} />}>
      {!data && !error && <Waiting lines={2} />}
      {!data && error && (
        <p role="alert" className="px-4 py-3 text-down">
          {sayProblem(error)}
        </p>
      )}
      {data && incidents.length === 0 && <p className="px-4 py-3 text-soft">{t('No incidents yet.')}</p>}
      <ul className="divide-y divide-line">
        {(isAll ? incidents : incidents.slice(0, SHOWN)).map((incident) => (
          <Incident key={incident.id} incident={incident} />
        ))}
      </ul>
      {!isAll && incidents.length > SHOWN && (
        <p className="border-t border-line px-4 py-2">
          <Button size="small" onClick={() => setAll(true)}>
            {t('Show all {count, number}', { count: incidents.length })}
          </Button>
        </p>
      )}
    </Panel>
  )
}

function Incident({ incident }: { incident: ServerIncident }) {
  const { id: team } = useTeam()
  const { condition, warns_only, started_at, resolved_at, cause, processes } = incident
  const isOver = resolved_at !== null
  const status = isOver ? 'up' : warns_only ? 'degraded' : 'down'
  return (
    <li data-row className="px-4 py-2.5">
      <span className="flex flex-wrap items-center justify-between gap-x-3 text-sm">
        <StatusMark
          named
          status={status}
          word={isOver ? t('Resolved') : warns_only ? t('Warning') : t('Ongoing')}
        />
        <span className="text-soft">
          <Time at={started_at} as="date" />
          {', '}
          {isOver ? (
            formatDuration((Date.parse(resolved_at) - Date.parse(started_at)) / 1_000)
          ) : (
            <Since at={started_at} />
          )}
        </span>
      </span>
      <Link
        to="/teams/$team/incidents/servers/$incident"
        params={{ team: String(team), incident: String(incident.id) }}
        className="mt-0.5 block py-1 font-medium break-words hover:underline"
      >
        {sayCondition(condition, t)}
      </Link>
      <span className="block break-words">{cause}</span>
      <IncidentAlerts of={{ server_incident: incident.id }} />
      {processes.length > 0 && <TopProcesses processes={processes} />}
    </li>
  )
}
