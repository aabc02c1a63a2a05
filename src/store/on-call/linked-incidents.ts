import { sql } from 'kysely'
import type { AcknowledgementLink } from '../../core/on-call/acknowledgement.ts'
import type { Query } from '../../postgres/database.ts'
import { INCIDENT_TABLES, isOver } from './incident-ref.ts'

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
  { kind, incidentId, contactId }: AcknowledgementLink,
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
