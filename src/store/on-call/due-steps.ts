import type { Alert } from '../../core/alerting/alert.ts'
import type { ContactType } from '../../core/alerting/contact.ts'
import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import {
  type Chain,
  JUST_ALERTED_MS,
  type Nobody,
  type Planned,
  type Reachable,
} from '../../core/on-call/escalation.ts'
import type { Connection, Database } from '../../postgres/database.ts'
import { type IncidentRef, IS_OVER } from '../incidents/incident-ref.ts'
import { reminderMinutesOf } from './new-escalations.ts'

/** Seconds until the next step, reminder or flap is to be looked at, 0 if one is; null if none waits. */
export async function secondsToNextStep(db: Database): Promise<number | null> {
  const { rows } = await db.pool.query<{ seconds: number | null }>({
    name: 'next-escalation-step',
    text: `SELECT extract(epoch FROM least((SELECT min(look_at) FROM escalation_steps WHERE state = 'waiting'),
             (SELECT min(look_at) FROM flaps WHERE ended_at IS NULL)) - now())::float8 AS seconds`,
  })
  const seconds = rows[0]?.seconds ?? null
  return seconds === null ? null : Math.max(0, seconds)
}

/** An escalation with something due, whose rows and incident nobody else changes until the transaction ends. */
export type HeldEscalation = {
  id: number
  teamId: number
  ref: IncidentRef
  /** Null for a drill. */
  subject: SubjectRef | null
  policyName: string | null
  chain: Chain
  alert: Alert
  runsFrom: Date
  /** When the incident began. */
  startedAt: Date
  isOver: boolean
  reminderMinutes: number | null
  /** The database's clock. */
  now: Date
}

type EscalationRow = { id: number; kind: IncidentRef['kind']; incidentId: number }

/**
 * Holds the escalation that has been due for longest, and that no other process holds; null if there is none. An
 * acknowledgement and a recovery hold the incident, too: whichever comes first is seen by the other.
 */
export async function holdDueEscalation(client: Connection): Promise<HeldEscalation | null> {
  const due = await client.query<EscalationRow>({
    name: 'hold-due-escalation',
    text: `SELECT e.id, e.kind, e.team_incident_id AS "incidentId"
           FROM escalation_steps s JOIN escalations e ON e.id = s.escalation_id
           WHERE s.state = 'waiting' AND s.look_at <= now()
           ORDER BY s.look_at, s.id LIMIT 1 FOR UPDATE OF e SKIP LOCKED`,
  })
  const [found] = due.rows
  if (!found) return null
  const ref = { kind: found.kind, id: found.incidentId }
  // Sent together: what is read is read once the incident is held.
  const [, held] = await Promise.all([
    client.query({
      name: 'hold-incident',
      text: 'SELECT FROM team_incidents WHERE kind = $1 AND id = $2 FOR NO KEY UPDATE',
      values: [ref.kind, ref.id],
    }),
    readHeld(client, found.id, ref),
  ])
  return held
}

async function readHeld(client: Connection, id: number, ref: IncidentRef): Promise<HeldEscalation | null> {
  const { rows } = await client.query<
    Omit<HeldEscalation, 'ref' | 'subject' | 'chain'> & Chain & { subjectId: number | null }
  >({
    name: 'read-escalation',
    text: `SELECT e.id, e.team_id AS "teamId", i.subject_id AS "subjectId", e.policy_name AS "policyName", e.steps, e.repeats, e.repeat_every_minutes, e.alert,
                  e.runs_from AS "runsFrom", i.started_at AS "startedAt", ${IS_OVER} AS "isOver",
                  ${reminderMinutesOf("e.kind = 'monitor'", 'i.subject_id')} AS "reminderMinutes", now() AS now
           FROM escalations e JOIN teams t ON t.id = e.team_id
           JOIN team_incidents i ON i.kind = e.kind AND i.id = e.team_incident_id
           WHERE e.id = $1`,
    values: [id],
  })
  const [row] = rows
  if (!row) return null
  const { steps, repeats, repeat_every_minutes, subjectId, ...held } = row
  const subject = ref.kind === 'drill' || subjectId === null ? null : { kind: ref.kind, id: subjectId }
  return { ...held, ref, subject, chain: { steps, repeats, repeat_every_minutes } }
}

export type DueStep = Planned & { id: number }

/** The first due row of a held escalation; null when another process took it before it was held. */
export async function readDueStep(client: Connection, escalationId: number): Promise<DueStep | null> {
  const { rows } = await client.query<DueStep>({
    name: 'read-due-step',
    text: `SELECT id, kind, number, round, due_at AS "dueAt" FROM escalation_steps
           WHERE escalation_id = $1 AND state = 'waiting' AND look_at <= now() ORDER BY due_at, id LIMIT 1`,
    values: [escalationId],
  })
  return rows[0] ?? null
}

export type ReachableContact = Reachable & { name: string; type: ContactType }

/** All contacts of the team; in a drill nobody counts as alerted before. */
export async function readReachable(
  client: Connection,
  { ref, subject, teamId }: Pick<HeldEscalation, 'ref' | 'subject' | 'teamId'>,
): Promise<ReachableContact[]> {
  const { rows } = await client.query<ReachableContact>({
    name: 'read-reachable',
    text: `SELECT c.id AS "contactId", c.name, c.type, c.notify_on_down AS "notifyOnDown",
                  c.notify_on_recovery AS "notifyOnRecovery",
                  EXISTS (SELECT FROM subject_contacts sc
                          WHERE sc.contact_id = c.id AND sc.kind = $2 AND sc.subject_id = $3) AS attached,
                  (SELECT max(d.created_at) FROM deliveries d
                   WHERE d.kind = $2 AND d.team_incident_id = $4 AND d.contact_id = c.id
                     AND d.created_at > now() - ${2 * JUST_ALERTED_MS} * interval '1 ms') AS "lastAlertedAt"
           FROM contacts c WHERE c.team_id = $1 ORDER BY c.id FOR KEY SHARE OF c`,
    values: [teamId, ref.kind, subject?.id ?? null, ref.id],
  })
  return rows
}

export async function settleStep(
  client: Connection,
  id: number,
  { scheduleName, nobody }: { scheduleName: string | null; nobody: Nobody | null },
): Promise<void> {
  await client.query({
    name: 'settle-escalation-step',
    text: `UPDATE escalation_steps SET state = 'done', done_at = now(), schedule_name = $2, nobody = $3 WHERE id = $1`,
    values: [id, scheduleName, nobody],
  })
}

export async function insertPlanned(client: Connection, escalationId: number, next: Planned): Promise<void> {
  await client.query({
    name: 'insert-escalation-step',
    text: `INSERT INTO escalation_steps (escalation_id, kind, number, round, due_at, look_at)
           VALUES ($1, $2, $3, $4, $5, $5)`,
    values: [escalationId, next.kind, next.number, next.round, next.dueAt],
  })
}

/** Has the next step of a round come at once. */
export async function bringStepForward(
  client: Connection,
  escalationId: number,
  { number, round }: Planned,
): Promise<void> {
  await client.query({
    name: 'bring-escalation-step-forward',
    text: `UPDATE escalation_steps SET due_at = now(), look_at = now()
           WHERE escalation_id = $1 AND kind = 'step' AND round = $2 AND number = $3 AND state = 'waiting'
             AND due_at > now()`,
    values: [escalationId, round, number + 1],
  })
}

/** Has everything of an escalation that is due looked at later. */
export async function restSteps(client: Connection, escalationId: number, until: Date): Promise<void> {
  await client.query({
    name: 'rest-escalation-steps',
    text: `UPDATE escalation_steps SET look_at = $2
           WHERE escalation_id = $1 AND state = 'waiting' AND look_at <= now()`,
    values: [escalationId, until],
  })
}

/** Ends one row, or all that waits of an escalation. */
export async function endWaiting(
  client: Connection,
  escalationId: number,
  stepId: number | null,
): Promise<void> {
  await client.query({
    name: 'end-waiting-steps',
    text: `UPDATE escalation_steps SET state = 'ended'
           WHERE escalation_id = $1 AND state = 'waiting' AND ($2::bigint IS NULL OR id = $2)`,
    values: [escalationId, stepId],
  })
}
