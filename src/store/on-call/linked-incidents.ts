import { sql } from 'kysely'
import type { IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'
import type { IncidentLink } from '../../core/on-call/acknowledgement.ts'
import type { Query } from '../../postgres/database.ts'
import { type IncidentRef, IS_OVER } from '../incidents/incident-ref.ts'
import { acknowledgedBy } from './acknowledged-by.ts'

/** An incident as the page of a link shows it; of a drill, the policy that it tries. */
export type LinkedIncident = {
  ref: IncidentRef
  teamId: number
  teamName: string
  name: string
  isDrill: boolean
  cause: string | null
  startedAt: Date
  resolvedAt: Date | null
  isOver: boolean
  contactName: string
  /** The zone of the contact, or the team's; null for UTC. */
  timeZone: string | null
}

/** Null if the incident, its subject or the contact is gone, or they are not of one team. */
export async function findLinked(
  query: Query,
  { kind, incidentId, contactId }: IncidentLink,
): Promise<LinkedIncident | null> {
  const { rows } = await sql<Omit<LinkedIncident, 'ref'>>`
    SELECT i.kind = 'drill' AS "isDrill", i.team_id AS "teamId", t.name AS "teamName", coalesce(s.name, p.name) AS name, i.cause,
           i.started_at AS "startedAt", i.resolved_at AS "resolvedAt", ${sql.raw(IS_OVER)} AS "isOver",
           c.name AS "contactName", coalesce(c.time_zone, t.time_zone) AS "timeZone"
    FROM team_incidents i
    LEFT JOIN subjects s ON s.kind = i.kind AND s.id = i.subject_id AND s.team_id = i.team_id AND s.deleted_at IS NULL
    LEFT JOIN escalation_policies p ON p.id = i.policy_id AND p.team_id = i.team_id
    JOIN teams t ON t.id = i.team_id JOIN contacts c ON c.team_id = i.team_id AND c.id = ${contactId}
    WHERE i.kind = ${kind} AND i.id = ${incidentId} AND coalesce(s.id, p.id) IS NOT NULL`.execute(query)
  return rows[0] ? { ref: { kind, id: incidentId }, ...rows[0] } : null
}

/** The incidents of a link of several alerts, as its page shows them. */
export type LinkedGroup = {
  teamId: number
  teamName: string
  contactName: string
  incidents: GroupedIncident[]
}

export type GroupedIncident = {
  ref: IncidentRef
  name: string
  cause: string | null
  startedAt: Date
  isOver: boolean
  /** The one who has it; null if nobody. */
  holder: { by: string | null } | null
}

/**
 * The incidents whose trouble a group told its contact, oldest first; `leaderId` is the delivery that led the group. Null
 * if the delivery or the contact is gone, or they are not of one team, or no incident is left.
 */
export async function findLinkedGroup(
  query: Query,
  { leaderId, contactId }: { leaderId: number; contactId: number },
): Promise<LinkedGroup | null> {
  const { rows } = await sql<
    Omit<LinkedGroup, 'incidents'> & Omit<GroupedIncident, 'ref'> & { kind: IncidentKind; id: number }
  >`
    WITH told AS (
      SELECT d.kind, d.team_incident_id, d.team_id FROM deliveries l JOIN deliveries d ON d.digest = l.message_id AND d.contact_id = l.contact_id
      WHERE l.id = ${leaderId} AND l.contact_id = ${contactId} AND d.team_id = l.team_id
        AND d.event NOT LIKE '%.recovery')
    SELECT t.id AS "teamId", t.name AS "teamName", c.name AS "contactName", i.kind, i.id, s.name, i.cause,
      i.started_at AS "startedAt", ${sql.raw(IS_OVER)} AS "isOver", ${sql.raw(acknowledgedBy())} AS holder
    FROM team_incidents i JOIN subjects s ON s.kind = i.kind AND s.id = i.subject_id AND s.deleted_at IS NULL
    JOIN contacts c ON c.id = ${contactId} JOIN teams t ON t.id = c.team_id
    WHERE EXISTS (SELECT FROM told d WHERE d.kind = i.kind AND d.team_incident_id = i.id AND d.team_id = i.team_id)
    ORDER BY i.started_at, i.kind, i.id`.execute(query)
  const [first] = rows
  if (!first) return null
  const { teamId, teamName, contactName } = first
  return {
    teamId,
    teamName,
    contactName,
    incidents: rows.map(({ kind, id, name, cause, startedAt, isOver, holder }) => ({
      ref: { kind, id },
      ...{ name, cause, startedAt, isOver, holder },
    })),
  }
}
