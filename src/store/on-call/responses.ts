import { sql } from 'kysely'
import type { Nobody, PlannedKind } from '../../core/on-call/escalation.ts'
import type { Query } from '../../postgres/database.ts'
import type { IncidentRef } from '../incidents/incident-ref.ts'

export type AcknowledgedRecord = {
  by: string | null
  via: 'dashboard' | 'link'
  note: string | null
  at: Date
  withdrawnAt: Date | null
  withdrawnBy: string | null
}
export type NoteRecord = { by: string | null; text: string; at: Date }
export type StepRecord = {
  kind: PlannedKind
  number: number
  round: number
  /** When it was executed, or is to be looked at. */
  at: Date
  isDone: boolean
  schedule: string | null
  unreached: Nobody | null
  contacts: string[]
}

/** The most that one incident can have. */
const MAX_SHOWN = 500

export async function readAcknowledgements(
  query: Query,
  teamId: number,
  { kind, id }: IncidentRef,
): Promise<AcknowledgedRecord[]> {
  const { rows } = await sql<AcknowledgedRecord>`
    SELECT coalesce(u.name, c.name) AS by, a.via, a.note, a.acknowledged_at AS at,
           a.withdrawn_at AS "withdrawnAt", w.name AS "withdrawnBy"
    FROM acknowledgements a LEFT JOIN users u ON u.id = a.user_id LEFT JOIN contacts c ON c.id = a.contact_id
    LEFT JOIN users w ON w.id = a.withdrawn_by
    WHERE a.team_id = ${teamId} AND a.kind = ${kind} AND a.team_incident_id = ${id}
    ORDER BY a.id DESC LIMIT ${MAX_SHOWN}`.execute(query)
  return rows
}

export async function readIncidentNotes(
  query: Query,
  teamId: number,
  { kind, id }: IncidentRef,
): Promise<NoteRecord[]> {
  const { rows } = await sql<NoteRecord>`
    SELECT u.name AS by, n.text, n.written_at AS at
    FROM incident_notes n LEFT JOIN users u ON u.id = n.user_id
    WHERE n.team_id = ${teamId} AND n.kind = ${kind} AND n.team_incident_id = ${id}
    ORDER BY n.id LIMIT ${MAX_SHOWN}`.execute(query)
  return rows
}

/** Those that were executed, the last ones, and those that wait. */
export async function readSteps(
  query: Query,
  teamId: number,
  { kind, id }: IncidentRef,
): Promise<{ policy: string | null; steps: StepRecord[] }> {
  const { rows } = await sql<StepRecord & { policy: string | null }>`
    SELECT e.policy_name AS policy, s.kind, s.number, s.round, coalesce(s.done_at, s.look_at) AS at,
           s.state = 'done' AS "isDone", s.schedule_name AS schedule, s.nobody AS unreached,
           ARRAY(SELECT d.contact_name FROM deliveries d WHERE d.step = s.id ORDER BY d.id) AS contacts
    FROM escalations e LEFT JOIN escalation_steps s ON s.escalation_id = e.id AND s.state <> 'ended'
    WHERE e.team_id = ${teamId} AND e.kind = ${kind} AND e.team_incident_id = ${id}
    ORDER BY s.id DESC LIMIT ${MAX_SHOWN}`.execute(query)
  return {
    policy: rows[0]?.policy ?? null,
    steps: rows.filter(({ kind }) => kind !== null).reverse(),
  }
}
