import { SUBJECT_KINDS } from '../../core/maintenance/subject-kind.ts'
import type { IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'
import type { Database } from '../../postgres/database.ts'
import { INCIDENT_COLUMNS, INCIDENT_TABLES } from '../incidents/incident-ref.ts'
import { isAcknowledged } from '../on-call/acknowledged-by.ts'

/** No channel repeats an alert for longer. */
const REPEATED_FOR_HOURS = 2

type Incident = { type: IncidentKind; id: number }

/** Whether the incident of a delivery `m` is open, and not acknowledged. */
const WAITS_FOR_SOMEBODY = SUBJECT_KINDS.map(
  (kind) => `EXISTS (SELECT FROM ${INCIDENT_TABLES[kind]} i
    WHERE i.id = m.${INCIDENT_COLUMNS[kind]} AND i.resolved_at IS NULL AND NOT ${isAcknowledged(kind, 'i.id', 'i.team_id')})`,
).join(' OR ')

/**
 * The alerts that a contact got lately of incidents that ended, or that somebody has now: those that it was told alone, and the
 * groups of which no incident waits for anybody any more.
 */
export async function findEnded(
  { pool }: Database,
  contactId: number,
  incidents: Incident[],
): Promise<{ incidents: Incident[]; groups: string[] }> {
  const idsOf = (kind: IncidentKind) => incidents.flatMap(({ type, id }) => (type === kind ? [id] : []))
  const { rows } = await pool.query<{ kind: IncidentKind; id: number; group: string | null; alone: boolean }>(
    {
      name: 'find-ended',
      text: `WITH told AS (
             ${SUBJECT_KINDS.map(
               (
                 kind,
                 index,
               ) => `SELECT '${kind}' AS kind, d.${INCIDENT_COLUMNS[kind]} AS id, d.digest, d.message_id
                 FROM deliveries d
                 WHERE d.contact_id = $1 AND d.${INCIDENT_COLUMNS[kind]} = ANY($${index + 2}) AND d.event = '${kind}.down'
                   AND d.step >= 0 AND d.state IN ('sent', 'pending')
                   AND coalesce(d.finished_at, now()) > now() - interval '${REPEATED_FOR_HOURS} hours'`,
             ).join(' UNION ALL ')})
           SELECT DISTINCT t.kind, t.id, t.digest IS NULL OR t.digest = t.message_id AS alone,
             CASE WHEN NOT EXISTS (SELECT FROM deliveries m WHERE m.digest = t.digest AND m.contact_id = $1
               AND m.event LIKE '%.down' AND (${WAITS_FOR_SOMEBODY})) THEN t.digest END AS group
           FROM told t`,
      values: [contactId, ...SUBJECT_KINDS.map(idsOf)],
    },
  )
  const alone = rows.flatMap(({ kind, id, alone }) => (alone ? [`${kind} ${id}`] : []))
  return {
    incidents: incidents.filter(({ type, id }) => alone.includes(`${type} ${id}`)),
    groups: [...new Set(rows.flatMap(({ group }) => group ?? []))],
  }
}
