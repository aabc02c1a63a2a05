import type { IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'
import { INCIDENT_COLUMNS } from '../incidents/incident-ref.ts'

/** The one who has an open incident, as `acknowledgedBy` reads it; null: nobody. */
export type HolderColumn = { by: string | null } | null

/** SQL for the acknowledgements that hold of an incident of a team, of which there is one at most; found by its index. */
function holding(kind: IncidentKind, incident: string, team: string): string {
  return `acknowledgements a WHERE a.${INCIDENT_COLUMNS[kind]} = ${incident} AND a.team_id = ${team} AND a.withdrawn_at IS NULL`
}

/** SQL for who has an incident, by the SQL of its id and team. */
export function acknowledgedBy(kind: IncidentKind, incident: string, team: string): string {
  return `(SELECT json_build_object('by', coalesce(
      (SELECT u.name FROM users u WHERE u.id = a.user_id), (SELECT c.name FROM contacts c WHERE c.id = a.contact_id)))
    FROM ${holding(kind, incident, team)})`
}

/** SQL for whether somebody has it. */
export function isAcknowledged(kind: IncidentKind, incident: string, team: string): string {
  return `EXISTS (SELECT FROM ${holding(kind, incident, team)})`
}
