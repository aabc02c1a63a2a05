import type { ReactNode } from 'react'
import type { Delivery } from '../../../src/core/alerting/delivery-log.ts'
import { formatDuration } from '../../../src/core/duration.ts'
import type { Incident } from '../../../src/core/monitors/incident.ts'
import { alertedContacts } from '../../../src/core/monitors/incident-story.ts'
import { LOCALE, t } from '../../language/language.ts'
import { FactTile, FactTiles } from '../../parts/facts.tsx'
import { IncidentMark } from '../../parts/monitors/incident-mark.tsx'
import { DayAndTime, Since } from '../../parts/time.tsx'

/** When an incident was, how long, and who knows of it. `children`: the status of its subject now. */
export function IncidentFacts({
  incident,
  deliveries,
  warnsOnly = false,
  children,
}: {
  incident: Incident
  deliveries: readonly Delivery[]
  warnsOnly?: boolean
  children: ReactNode
}) {
  const alerted = alertedContacts(deliveries)
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
      <FactTile name={t('Alerted')} whole>
        {alerted.length > 0
          ? new Intl.ListFormat(LOCALE).format(alerted)
          : t(incident.resolved ? 'No contact' : 'No contact yet')}
      </FactTile>
    </FactTiles>
  )
}
