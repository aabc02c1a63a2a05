import { sql } from 'kysely'
import { typesThatTakeAcknowledgements } from '../../core/alerting/contact-types.ts'
import type { Query } from '../../postgres/database.ts'
import type { IncidentRef } from '../incidents/incident-ref.ts'
import { DELIVERIES_CHANNEL, DELIVERY_NOTIFICATION } from '../news.ts'
import type { AcknowledgementRecord } from './acknowledgements.ts'

/** The step of a delivery that says that somebody has the incident: an incident tells a contact of that once. */
export const ACKNOWLEDGED_STEP = -1

/** Queues the news that somebody has an incident, to the receivers that were alerted of it and take such news. */
export async function tellAcknowledged(
  query: Query,
  teamId: number,
  { kind, id }: IncidentRef,
  { by, at, note }: AcknowledgementRecord,
): Promise<void> {
  if (kind === 'drill') return
  const acknowledged = JSON.stringify({ acknowledged: { by, at: at.toISOString(), note } })
  const { rows } = await sql`
    INSERT INTO deliveries AS d (team_id, kind, subject_id, team_incident_id, event, alert, step, contact_id, contact_name, contact_type)
    SELECT DISTINCT ON (c.id) o.team_id, o.kind, o.subject_id, o.team_incident_id, o.event,
      (o.alert - 'escalation') || ${acknowledged}::jsonb, ${ACKNOWLEDGED_STEP}, c.id, c.name, c.type
    FROM deliveries o JOIN contacts c ON c.id = o.contact_id
    WHERE o.team_id = ${teamId} AND o.kind = ${kind} AND o.team_incident_id = ${id}
      AND o.event = ${`${kind}.down`} AND o.state NOT IN ('failed', 'dropped') AND c.type = ANY(${typesThatTakeAcknowledgements()})
    ORDER BY c.id, o.id
    ON CONFLICT DO NOTHING
    RETURNING ${sql.raw(DELIVERY_NOTIFICATION)}`.execute(query)
  if (rows.length > 0) await sql`SELECT pg_notify(${DELIVERIES_CHANNEL}, '')`.execute(query)
}
