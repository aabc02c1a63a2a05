import type { ReactNode } from 'react'
import { formatDuration } from '../../../src/core/duration.ts'
import type { Incident } from '../../../src/core/monitors/incident.ts'
import { t } from '../../language/language.ts'
import { FactTile, FactTiles } from '../../parts/facts.tsx'
import { IncidentMark } from '../../parts/monitors/incident-mark.tsx'
import { DayAndTime, Since } from '../../parts/time.tsx'

/** When an incident was, and how long. `children`: the status of its subject now. */
export function IncidentFacts({
  incident,
  warnsOnly = false,
  children,
}: {
  incident: Incident
  warnsOnly?: boolean
  children: ReactNode
}) {
  return (
    <FactTiles className="grid-cols-2 border border-line md:grid-cols-5">
      <FactTile name={t('Incident')} wide>
        <IncidentMark resolved={incident.resolved} warnsOnly={warnsOnly} />
      </FactTile>
      <FactTile name={t('Started')}>
        <DayAndTime at={incident.started_at} />
      </FactTile>
      <FactTile name={t('Resolved')}>
        {incident.resolved_at ? <DayAndTime at={incident.resolved_at} /> : t('Not yet')}
      </FactTile>
      <FactTile name={t('Duration')}>
        {incident.duration_seconds === null ? (
          <Since at={incident.started_at} />
        ) : (
          formatDuration(incident.duration_seconds)
        )}
      </FactTile>
      <FactTile name={t('Current status')}>{children}</FactTile>
    </FactTiles>
  )
}
