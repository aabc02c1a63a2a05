import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDuration } from '../../../src/core/duration.ts'
import { AREA_NAMES } from '../../../src/core/sites/area.ts'
import { question } from '../../data/ask.ts'
import { sayProblem } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { IncidentAlerts } from '../../parts/alerting/incident-alerts.tsx'
import { Button } from '../../parts/button.tsx'
import { AllIncidents } from '../../parts/lists/all-incidents.tsx'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { Panel, Waiting } from '../../parts/panel.tsx'
import { Since, Time } from '../../parts/time.tsx'
import type { Site } from './site-data.ts'

const SHOWN = 10

/** Incidents of a site, newest first. */
export function SiteIncidents({ site }: { site: Site }) {
  const { id: team } = useTeam()
  const [isAll, setAll] = useState(false)
  const { data, error } = useQuery(question(team, 'listSiteIncidents', { query: { site: site.id } }))
  const incidents = data?.data ?? []
  return (
    <Panel title={t('Incidents')} actions={<AllIncidents of={{ site: site.id }} />}>
      {!data && !error && <Waiting lines={2} />}
      {!data && error && (
        <p role="alert" className="px-4 py-3 text-down">
          {sayProblem(error)}
        </p>
      )}
      {data && incidents.length === 0 && <p className="px-4 py-3 text-soft">{t('No incidents yet.')}</p>}
      <ul className="divide-y divide-line">
        {(isAll ? incidents : incidents.slice(0, SHOWN)).map(
          ({ id, area, started_at, resolved_at, cause }) => (
            <li key={id} data-row className="px-4 py-2.5">
              <span className="flex flex-wrap items-center justify-between gap-x-3 text-sm">
                <StatusMark
                  named
                  status={resolved_at === null ? 'down' : 'up'}
                  word={resolved_at === null ? t('Ongoing') : t('Resolved')}
                />
                <span className="text-soft">
                  <Time at={started_at} as="date" />
                  {', '}
                  {resolved_at === null ? (
                    <Since at={started_at} />
                  ) : (
                    formatDuration((Date.parse(resolved_at) - Date.parse(started_at)) / 1_000)
                  )}
                </span>
              </span>
              <Link
                to="/teams/$team/incidents/sites/$incident"
                params={{ team: String(team), incident: String(id) }}
                className="mt-0.5 block py-1 font-medium hover:underline"
              >
                {t(AREA_NAMES[area])}
              </Link>
              <span className="block break-words">{cause}</span>
              <IncidentAlerts of={{ site_incident: id }} />
            </li>
          ),
        )}
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
