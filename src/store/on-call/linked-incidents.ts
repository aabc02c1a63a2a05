import { type RawBuilder, sql } from 'kysely'
import { SUBJECT_KINDS } from '../../core/maintenance/subject-kind.ts'
import type { IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'
import type { IncidentLink } from '../../core/on-call/acknowledgement.ts'
import type { Query } from '../../postgres/database.ts'
import { INCIDENT_COLUMNS, INCIDENT_TABLES, type IncidentRef, isOver } from '../incidents/incident-ref.ts'
import { acknowledgedBy } from './acknowledged-by.ts'

/** An incident as the page of a link shows it; of a drill, the policy that it tries. */
export type LinkedIncident = {
  teamId: number
  teamName: string
  name: string
  isDrill: boolean
  cause: string | null
  startedAt: Date
  resolvedAt: Date | null
  isOver: boolean
  contactName: string
}

/** Null if the incident, its subject or the contact is gone, or they are not of one team. */
export async function findLinked(
  query: Query,
  { kind, incidentId, contactId }: IncidentLink,
): Promise<LinkedIncident | null> {
  const isDrill = kind === 'drill'
  const subject = isDrill
    ? sql`JOIN escalation_policies s ON s.id = i.policy_id`
    : sql`JOIN ${sql.table(`${kind}s`)} s ON s.id = ${sql.ref(`i.${kind}_id`)} AND s.deleted_at IS NULL`
  const { rows } = await sql<LinkedIncident>`
    SELECT ${isDrill}::boolean AS "isDrill", i.team_id AS "teamId", t.name AS "teamName", s.name, ${isDrill ? sql`NULL` : sql`i.cause`} AS cause,
           i.started_at AS "startedAt", i.resolved_at AS "resolvedAt", ${sql.raw(isOver(kind))} AS "isOver",
           c.name AS "contactName"
    FROM ${sql.table(INCIDENT_TABLES[kind])} AS i ${subject}
    JOIN teams t ON t.id = i.team_id JOIN contacts c ON c.team_id = i.team_id AND c.id = ${contactId}
    WHERE i.id = ${incidentId} AND s.team_id = i.team_id`.execute(query)
  return rows[0] ?? null
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
  const incidents = SUBJECT_KINDS.map((kind): RawBuilder<unknown> => {
    const column = INCIDENT_COLUMNS[kind]
    return sql`
      SELECT DISTINCT ${kind}::text AS kind, i.id, s.name, i.cause, i.started_at AS "startedAt",
        ${sql.raw(isOver(kind))} AS "isOver", ${sql.raw(acknowledgedBy(kind, 'i.id', 'i.team_id'))}::jsonb AS holder
      FROM told d JOIN ${sql.table(INCIDENT_TABLES[kind])} AS i ON i.id = ${sql.ref(`d.${column}`)} AND i.team_id = d.team_id
      JOIN ${sql.table(`${kind}s`)} AS s ON s.id = ${sql.ref(`i.${kind}_id`)} AND s.deleted_at IS NULL`
  })
  const { rows } = await sql<
    Omit<LinkedGroup, 'incidents'> & Omit<GroupedIncident, 'ref'> & { kind: IncidentKind; id: number }
  >`
    WITH told AS (
      SELECT d.* FROM deliveries l JOIN deliveries d ON d.digest = l.message_id AND d.contact_id = l.contact_id
      WHERE l.id = ${leaderId} AND l.contact_id = ${contactId} AND d.team_id = l.team_id
        AND d.event NOT LIKE '%.recovery')
    SELECT t.id AS "teamId", t.name AS "teamName", c.name AS "contactName", i.*
    FROM (${sql.join(incidents, sql` UNION ALL `)}) i
    JOIN contacts c ON c.id = ${contactId} JOIN teams t ON t.id = c.team_id
    ORDER BY i."startedAt", i.kind, i.id`.execute(query)
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
