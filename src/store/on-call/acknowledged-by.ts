/** The one who has an open incident, as `acknowledgedBy` reads it; null: nobody. */
export type HolderColumn = { by: string | null } | null

/** SQL for an incident: its kind, id and team. */
type IncidentSql = { kind: string; id: string; team: string }

/** An incident in a row `i`. */
const OF_ROW: IncidentSql = { kind: 'i.kind', id: 'i.id', team: 'i.team_id' }

/** SQL for the acknowledgements that hold of an incident, of which there is one at most; found by its index. */
function holding({ kind, id, team }: IncidentSql): string {
  return `acknowledgements a WHERE a.kind = ${kind} AND a.team_incident_id = ${id} AND a.team_id = ${team} AND a.withdrawn_at IS NULL`
}

/** SQL for who has an incident. */
export function acknowledgedBy(incident: IncidentSql = OF_ROW): string {
  return `(SELECT json_build_object('by', coalesce(
      (SELECT u.name FROM users u WHERE u.id = a.user_id), (SELECT c.name FROM contacts c WHERE c.id = a.contact_id)))
    FROM ${holding(incident)})`
}

/** SQL for whether somebody has an incident `i`. */
export const IS_ACKNOWLEDGED = `EXISTS (SELECT FROM ${holding(OF_ROW)})`
