import { sql } from 'kysely'
import type { PlannedKind } from '../../core/on-call/escalation.ts'
import type { Query } from '../../postgres/database.ts'
import { type IncidentRef, IS_OVER } from '../incidents/incident-ref.ts'
import { announceNews } from '../news.ts'
import { newsOf } from './news.ts'

/** A step that was executed at most so long before counts as just sent. */
const JUST_SENT_SECONDS = 10

export type AcknowledgementRecord = {
  by: string | null
  via: 'dashboard' | 'link'
  at: Date
  note: string | null
}

/** A member, or a contact by its link. */
export type Acknowledger = { userId: number } | { contactId: number }

/** An incident that nobody else changes until the transaction ends. */
export type HeldIncident = { subjectId: number | null; resolvedAt: Date | null; isOver: boolean; now: Date }

/** Null unless the team has such an incident. */
export async function holdIncident(
  query: Query,
  teamId: number,
  { kind, id }: IncidentRef,
): Promise<HeldIncident | null> {
  // A step that is executed holds its escalation first, and taking an acknowledgement back changes both.
  await sql`SELECT FROM escalations WHERE kind = ${kind} AND team_incident_id = ${id} AND team_id = ${teamId}
    ORDER BY id FOR NO KEY UPDATE`.execute(query)
  const { rows } = await sql<HeldIncident>`
    SELECT i.subject_id AS "subjectId", i.resolved_at AS "resolvedAt", ${sql.raw(IS_OVER)} AS "isOver", now() AS now
    FROM team_incidents i WHERE kind = ${kind} AND id = ${id} AND team_id = ${teamId}
    FOR NO KEY UPDATE`.execute(query)
  return rows[0] ?? null
}

/** The one that holds; null if nobody has the incident. */
export async function findAcknowledgement(
  query: Query,
  teamId: number,
  { kind, id }: IncidentRef,
): Promise<AcknowledgementRecord | null> {
  const { rows } = await sql<AcknowledgementRecord>`
    SELECT coalesce(u.name, c.name) AS by, a.via, a.acknowledged_at AS at, a.note
    FROM acknowledgements a LEFT JOIN users u ON u.id = a.user_id LEFT JOIN contacts c ON c.id = a.contact_id
    WHERE a.team_id = ${teamId} AND a.kind = ${kind} AND a.team_incident_id = ${id} AND a.withdrawn_at IS NULL`.execute(
    query,
  )
  return rows[0] ?? null
}

export type JustSent = { kind: PlannedKind; number: number; at: Date }

/** Acknowledges a held incident that nobody has: from here on nothing more is sent. Returns what had been sent just before. */
export async function acknowledge(
  query: Query,
  teamId: number,
  ref: IncidentRef,
  by: Acknowledger,
  note: string | null,
): Promise<JustSent[]> {
  await sql`
    INSERT INTO acknowledgements (team_id, kind, team_incident_id, via, user_id, contact_id, note, acknowledged_at)
    VALUES (${teamId}, ${ref.kind}, ${ref.id}, ${'userId' in by ? 'dashboard' : 'link'}, ${'userId' in by ? by.userId : null}, ${'contactId' in by ? by.contactId : null},
            ${note}, now())`.execute(query)
  await sql`
    UPDATE escalation_steps s SET state = 'ended' FROM escalations e
    WHERE e.kind = ${ref.kind} AND e.team_incident_id = ${ref.id} AND e.team_id = ${teamId}
      AND s.escalation_id = e.id AND s.state = 'waiting'`.execute(query)
  const { rows } = await sql<JustSent>`
    SELECT s.kind, s.number, s.done_at AS at FROM escalation_steps s JOIN escalations e ON e.id = s.escalation_id
    WHERE e.kind = ${ref.kind} AND e.team_incident_id = ${ref.id} AND e.team_id = ${teamId} AND s.state = 'done'
      AND s.done_at > clock_timestamp() - ${JUST_SENT_SECONDS} * interval '1 second'
    ORDER BY s.done_at, s.id`.execute(query)
  return rows
}

/**
 * Takes back the acknowledgement of a held incident: its steps go on where they stopped, as if the time had stood still
 * meanwhile. False if nobody had it.
 */
export async function withdraw(
  query: Query,
  teamId: number,
  ref: IncidentRef,
  userId: number,
): Promise<boolean> {
  const { rows } = await sql<{ seconds: number }>`
    UPDATE acknowledgements a SET withdrawn_at = now(), withdrawn_by = ${userId}
    WHERE a.team_id = ${teamId} AND a.kind = ${ref.kind} AND a.team_incident_id = ${ref.id} AND a.withdrawn_at IS NULL
    RETURNING extract(epoch FROM now() - a.acknowledged_at)::float8 AS seconds`.execute(query)
  const [withdrawn] = rows
  if (!withdrawn) return false
  const stood = sql`${withdrawn.seconds}::float8 * interval '1 second'`
  await sql`
    WITH moved AS (
      UPDATE escalations e SET runs_from = runs_from + ${stood}
      WHERE e.kind = ${ref.kind} AND e.team_incident_id = ${ref.id} AND e.team_id = ${teamId} RETURNING id)
    UPDATE escalation_steps s SET state = 'waiting', due_at = s.due_at + ${stood}, look_at = s.due_at + ${stood}
    FROM moved WHERE s.escalation_id = moved.id AND s.state = 'ended'`.execute(query)
  return true
}

/** Has open pages ask again for an incident, when the transaction commits. */
export async function announceIncident(
  query: Query,
  teamId: number,
  ref: IncidentRef,
  subjectId: number | null,
): Promise<void> {
  await announceNews(query, newsOf(teamId, ref, subjectId))
}
