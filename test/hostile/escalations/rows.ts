import type { Database } from '../../../src/postgres/database.ts'
import type { TeamClient } from '../../support/services/team-client.ts'
import { type EscalatedIncident, STEP_MINUTES } from './truth.ts'

/** A contact for each step, and a policy of their steps for each monitor of the team: people set whole minutes only. */
export async function addEscalation(db: Database, client: TeamClient, receiver: string): Promise<number[]> {
  const contacts: number[] = []
  for (const index of STEP_MINUTES.keys()) {
    const config = { url: `${receiver}/step/${index}` }
    const settings = { name: `Step ${index + 1}`, type: 'webhook', config }
    contacts.push((await client.data('POST', '/notification-contacts', settings)).id)
  }
  const steps = STEP_MINUTES.map((after_minutes, index) => ({
    after_minutes,
    contact_ids: [contacts[index]],
    schedule_id: null,
  }))
  await db.pool.query(
    `WITH policy AS (
       INSERT INTO escalation_policies (team_id, name, steps, repeat_every_minutes) VALUES ($1, 'Primary', $2, 60)
       RETURNING id)
     INSERT INTO subject_policies SELECT 'monitor', m.id, p.id FROM monitors m, policy p WHERE m.team_id = $1`,
    [client.teamId, JSON.stringify(steps)],
  )
  return contacts
}

/** Every incident of a monitor that has steps. */
export async function readEscalations({ pool }: Database): Promise<EscalatedIncident[]> {
  const sent = (step: string) => `(
    SELECT coalesce(json_agg(json_build_object('messageId', d.message_id, 'event', d.event, 'state', d.state,
             'contact', d.contact_id)), '[]')
    FROM deliveries d WHERE d.kind = i.kind AND d.team_incident_id = i.id AND ${step})`
  const { rows } = await pool.query<EscalatedIncident>(
    `SELECT i.id AS incident, i.subject_id AS monitor,
            extract(epoch FROM i.resolved_at)::float8 * 1000 AS "resolvedMs",
            (SELECT json_agg(json_build_object('number', s.number, 'state', s.state,
                      'dueMs', extract(epoch FROM s.due_at) * 1000, 'doneMs', extract(epoch FROM s.done_at) * 1000,
                      'sent', ${sent('d.step = s.id')}) ORDER BY s.number)
             FROM escalation_steps s WHERE s.escalation_id = e.id) AS steps,
            ${sent(`d.step = 0 AND d.event = 'monitor.recovery' AND d.contact_name LIKE 'Step %'`)} AS recoveries
     FROM escalations e JOIN team_incidents i ON i.kind = e.kind AND i.id = e.team_incident_id WHERE e.kind = 'monitor'`,
  )
  return rows
}
