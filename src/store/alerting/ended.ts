import type { IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'
import type { Database } from '../../postgres/database.ts'
import { IS_ACKNOWLEDGED } from '../on-call/acknowledged-by.ts'

/** No channel repeats an alert for longer. */
const REPEATED_FOR_HOURS = 2

type Incident = { type: IncidentKind; id: number }

/**
 * The alerts that a contact got lately of incidents that ended, or that somebody has now: those that it was told alone, and the
 * groups of which no incident waits for anybody any more.
 */
export async function findEnded(
  { pool }: Database,
  contactId: number,
  incidents: Incident[],
): Promise<{ incidents: Incident[]; groups: string[] }> {
  const { rows } = await pool.query<{ kind: IncidentKind; id: number; group: string | null; alone: boolean }>(
    {
      name: 'find-ended',
      text: `SELECT DISTINCT t.kind, t.team_incident_id AS id, t.digest IS NULL OR t.digest = t.message_id AS alone,
               CASE WHEN NOT EXISTS (
                 SELECT FROM deliveries m JOIN team_incidents i ON i.kind = m.kind AND i.id = m.team_incident_id
                 WHERE m.digest = t.digest AND m.contact_id = $1 AND m.event LIKE '%.down' AND i.resolved_at IS NULL
                   AND NOT ${IS_ACKNOWLEDGED}) THEN t.digest END AS group
             FROM unnest($2::text[], $3::bigint[]) AS e (kind, id)
             JOIN deliveries t ON t.kind = e.kind AND t.team_incident_id = e.id
             WHERE t.contact_id = $1 AND t.event LIKE '%.down' AND t.step >= 0 AND t.state IN ('sent', 'pending')
               AND coalesce(t.finished_at, now()) > now() - interval '${REPEATED_FOR_HOURS} hours'`,
      values: [contactId, incidents.map(({ type }) => type), incidents.map(({ id }) => id)],
    },
  )
  const alone = rows.flatMap(({ kind, id, alone }) => (alone ? [`${kind} ${id}`] : []))
  return {
    incidents: incidents.filter(({ type, id }) => alone.includes(`${type} ${id}`)),
    groups: [...new Set(rows.flatMap(({ group }) => group ?? []))],
  }
}
