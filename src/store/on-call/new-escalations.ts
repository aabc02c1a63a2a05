import { sql } from 'kysely'
import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import type { Chain, Planned } from '../../core/on-call/escalation.ts'
import type { Connection, Query } from '../../postgres/database.ts'
import type { IncidentRef } from '../incidents/incident-ref.ts'

/** Named statements of the recorders: what follows an incident while nobody acknowledges it. */

/** Steps or reminders may be due. */
export const ESCALATIONS_CHANNEL = 'upbeat_escalations'

/** The policy and reminders of a subject when it fails; `now` by the database's clock. */
export type InStore = { now: Date; reminderMinutes: number | null; policy: (Chain & { name: string }) | null }

/** SQL for the policy of a subject `$1` of team `$2`: its own, or else the oldest whose tags it carries. */
export function policyOf(kind: SubjectRef['kind']): string {
  return `(SELECT p.* FROM escalation_policies p
    LEFT JOIN subject_policies own ON own.policy_id = p.id AND own.kind = '${kind}' AND own.subject_id = $1
    WHERE p.team_id = $2 AND (own.subject_id IS NOT NULL OR (p.tags <> '{}' AND NOT EXISTS (
      SELECT FROM unnest(p.tags) AS wanted WHERE NOT EXISTS (
        SELECT FROM ${kind}s s, unnest(s.tags) AS carried
        WHERE s.id = $1 AND (carried = wanted OR split_part(carried, ':', 1) = wanted)))))
    ORDER BY own.subject_id IS NULL, p.id LIMIT 1)`
}

/** SQL for the minutes between reminders of a subject: those of a monitor, else those of its team `t`. */
export function reminderMinutesOf(isMonitor: string, id: string): string {
  return `coalesce((SELECT (m.options ->> 'repeat_minutes')::int FROM monitors m
      WHERE ${isMonitor} AND m.id = ${id} AND m.team_id = t.id),
    t.reminder_minutes)`
}

export async function readInStore(
  client: Pick<Connection, 'query'>,
  { kind, id }: SubjectRef,
  teamId: number,
): Promise<InStore> {
  const { rows } = await client.query<
    { now: Date; reminderMinutes: number | null; name: string | null } & {
      [Name in keyof Chain]: Chain[Name] | null
    }
  >({
    name: `read-policy-of-${kind}`,
    text: `SELECT now() AS now, ${reminderMinutesOf(String(kind === 'monitor'), '$1')} AS "reminderMinutes", p.name, p.steps, p.repeats,
                  p.repeat_every_minutes
           FROM teams t LEFT JOIN LATERAL ${policyOf(kind)} p ON true WHERE t.id = $2`,
    values: [id, teamId],
  })
  const [row] = rows
  if (!row) throw new Error(`there is no team ${teamId}`)
  const { now, reminderMinutes, name, steps, repeats, repeat_every_minutes } = row
  const hasPolicy = name !== null && steps !== null && repeats !== null && repeat_every_minutes !== null
  return { now, reminderMinutes, policy: hasPolicy ? { name, steps, repeats, repeat_every_minutes } : null }
}

export type NewEscalation = {
  teamId: number
  ref: IncidentRef
  policyName: string | null
  chain: Chain
  /** The alert that opened the incident, as JSON. */
  alert: string
  runsFrom: Date
  planned: Planned[]
}

export async function insertEscalation(
  client: Pick<Connection, 'query'>,
  { teamId, ref, policyName, chain, alert, runsFrom, planned }: NewEscalation,
): Promise<void> {
  await client.query({
    name: 'insert-escalation',
    text: `WITH escalation AS (
             INSERT INTO escalations (team_id, kind, team_incident_id, policy_name, steps, repeats, repeat_every_minutes, alert,
                                      runs_from)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id)
           INSERT INTO escalation_steps (escalation_id, kind, number, round, due_at, look_at, state)
           SELECT e.id, p.kind, p.number, p.round, p.due_at, p.due_at,
                  -- An incident may have been acknowledged while its alert waited.
                  CASE WHEN EXISTS (SELECT FROM acknowledgements a WHERE a.kind = $2 AND a.team_incident_id = $3
                    AND a.withdrawn_at IS NULL) THEN 'ended' ELSE 'waiting' END
           FROM escalation e, unnest($10::text[], $11::int[], $12::smallint[], $13::timestamptz[])
             WITH ORDINALITY AS p (kind, number, round, due_at, position)
           ORDER BY p.position
           RETURNING pg_notify('${ESCALATIONS_CHANNEL}', '')`,
    values: [
      ...[teamId, ref.kind, ref.id, policyName, JSON.stringify(chain.steps), chain.repeats],
      ...[chain.repeat_every_minutes, alert, runsFrom],
      planned.map(({ kind }) => kind),
      planned.map(({ number }) => number),
      planned.map(({ round }) => round),
      planned.map(({ dueAt }) => dueAt),
    ],
  })
}

/** Ends what waits for an incident that is over: to be sent after it was resolved, so that it sees what came meanwhile. */
export async function endSteps(
  client: Pick<Connection, 'query'>,
  kind: IncidentRef['kind'],
  incidentIds: number[],
): Promise<void> {
  await client.query({
    name: 'end-steps',
    text: `UPDATE escalation_steps s SET state = 'ended' FROM escalations e
           WHERE e.kind = $1 AND e.team_incident_id = ANY($2) AND s.escalation_id = e.id AND s.state = 'waiting'`,
    values: [kind, incidentIds],
  })
}

/** The same after a pause or a deletion. */
export async function endStepsQuietly(
  query: Query,
  kind: IncidentRef['kind'],
  incidents: { id: number }[],
): Promise<void> {
  if (incidents.length === 0) return
  await sql`UPDATE escalation_steps s SET state = 'ended' FROM escalations e
    WHERE e.kind = ${kind} AND e.team_incident_id = ANY(${incidents.map(({ id }) => id)}::bigint[])
      AND s.escalation_id = e.id AND s.state = 'waiting'`.execute(query)
}

export type EscalationTold = {
  /** Contacts that steps of the incident alerted, beside those of the subject. */
  escalatedTo: number[]
  acknowledged: { by: string | null; at: Date; note: string | null } | null
  /** The incident by which programs know it, if that is another one. */
  knownAs?: number | null
}

/** Reads whom else a recovery is told, and who had the incident. */
export async function readTold(
  client: Pick<Connection, 'query'>,
  { kind, id }: IncidentRef,
): Promise<EscalationTold> {
  const { rows } = await client.query<{
    escalatedTo: number[]
    by: string | null
    at: Date | null
    note: string | null
    knownAs: number | null
  }>({
    name: 'read-told',
    text: `SELECT ARRAY(SELECT DISTINCT d.contact_id FROM deliveries d
                        WHERE d.kind = $1 AND d.team_incident_id = $2 AND d.step > 0 AND d.contact_id IS NOT NULL) AS "escalatedTo",
                  coalesce(u.name, c.name) AS by, a.acknowledged_at AS at, a.note,
                  (SELECT f.team_incident_id FROM flaps f WHERE f.kind = $1 AND f.left_open = $2) AS "knownAs"
           FROM (SELECT) AS nothing
           LEFT JOIN acknowledgements a ON a.kind = $1 AND a.team_incident_id = $2 AND a.withdrawn_at IS NULL
           LEFT JOIN users u ON u.id = a.user_id LEFT JOIN contacts c ON c.id = a.contact_id`,
    values: [kind, id],
  })
  const { escalatedTo = [], by = null, at = null, note = null, knownAs = null } = rows[0] ?? {}
  return { escalatedTo, acknowledged: at && { by, at, note }, knownAs: knownAs === id ? null : knownAs }
}
