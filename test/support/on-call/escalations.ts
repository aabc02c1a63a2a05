import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import type { PolicySettings } from '../../../src/core/on-call/policy.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { insertContacts } from '../../../src/store/alerting/attachments.ts'
import { choosePolicy, insertPolicy } from '../../../src/store/on-call/policies.ts'
import { UP } from '../probing/schedule-world.ts'
import { addContacts } from '../records/alerting.ts'
import { type AddedMonitor, addMonitor } from '../records/monitors.ts'
import { addTeam } from '../records/teams.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')

/** A team with contacts, and monitors that fail and recover by the recorder, each of which has a policy. */
export async function escalationWorld(
  db: Database,
  contacts: string[],
  team: { reminder_minutes?: number } = {},
) {
  const troubles: unknown[] = []
  const recorder = createRecorder(db, (error) => troubles.push(error))
  const teamId = await addTeam(db, team)
  const contactIds = await addContacts(
    db,
    contacts.map((name) => ({ team_id: teamId, name })),
  )
  let lastMs = Date.now()

  async function record(monitor: AddedMonitor, result: CheckResult, at = new Date(++lastMs)) {
    const about = { monitorId: monitor.id, revision: monitor.revision, checkedAt: at, region: null }
    await recorder.record({ ...about, result, heartbeat: null, ping: null })
  }

  async function incidentOf({ id }: AddedMonitor): Promise<number> {
    const text =
      "SELECT id FROM team_incidents WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id DESC LIMIT 1"
    return (await db.pool.query<{ id: number }>(text, [id])).rows[0]?.id ?? 0
  }

  return {
    teamId,
    contactIds,
    troubles,
    addPolicy: (settings: Partial<PolicySettings>) =>
      insertPolicy(db.query, teamId, { ...PLAIN, ...settings }),
    async addMonitor(policyId: number | null, attached: number[] = []): Promise<AddedMonitor> {
      const monitor = await addMonitor(db, { team_id: teamId, name: 'Shop' })
      if (policyId !== null) {
        await choosePolicy(db.query, teamId, { kind: 'monitor', id: monitor.id }, policyId)
      }
      await insertContacts(db.query, { kind: 'monitor', id: monitor.id }, attached)
      return monitor
    },
    /** Returns the incident. */
    async fail(monitor: AddedMonitor, at?: Date): Promise<number> {
      await record(monitor, DOWN, at)
      return incidentOf(monitor)
    },
    recover: (monitor: AddedMonitor, at?: Date) => record(monitor, UP, at),
    close: () => recorder.close(),
  }
}

const PLAIN: PolicySettings = { name: 'Primary', steps: [], repeats: 0, repeat_every_minutes: 60, tags: [] }

export type SentRow = { name: string; event: string; step: number; messageId: string }

/** Deliveries of an incident, in order. */
export async function sentOf({ pool }: Database, incidentId: number): Promise<SentRow[]> {
  const { rows } = await pool.query<SentRow>(
    `SELECT contact_name AS name, event, step, message_id AS "messageId"
     FROM deliveries WHERE team_incident_id = $1 ORDER BY id`,
    [incidentId],
  )
  return rows
}

/** Has everything that waits come due: as if its minutes had passed. */
export async function passTime({ pool }: Database, incidentId: number, minutes: number): Promise<void> {
  const passed = `$2 * interval '1 minute'`
  await pool.query(
    `WITH e AS (UPDATE escalations SET runs_from = runs_from - ${passed} WHERE team_incident_id = $1 RETURNING id)
     UPDATE escalation_steps s SET due_at = due_at - ${passed}, look_at = look_at - ${passed},
       done_at = done_at - ${passed}
     FROM e WHERE s.escalation_id = e.id`,
    [incidentId, minutes],
  )
  await pool.query(`UPDATE deliveries SET created_at = created_at - ${passed} WHERE team_incident_id = $1`, [
    incidentId,
    minutes,
  ])
}
