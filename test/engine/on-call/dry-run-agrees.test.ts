import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import type { DryRun } from '../../../src/core/on-call/shown-escalation.ts'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import { executeNextStep } from '../../../src/engine/on-call/execute-step.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { previewEscalation } from '../../../src/operations/on-call/dry-run.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { ensurePartitions } from '../../../src/store/history/partitions.ts'
import { choosePolicy, insertPolicy } from '../../../src/store/on-call/policies.ts'
import { insertSchedule } from '../../../src/store/on-call/schedules.ts'
import { AT_LENGTH } from '../../support/at-length.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { layer } from '../../support/on-call/schedules.ts'
import { openTurnedDatabase } from '../../support/postgres/turned-database.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { addTeam } from '../../support/records/teams.ts'

const T = new Date('2027-03-28T00:30:00Z')
const MINUTE_MS = 60_000
const CONTACTS = 5

const step = fc.oneof(
  fc.record({
    gap: fc.integer({ min: 0, max: 40 }),
    contacts: fc.uniqueArray(fc.nat({ max: CONTACTS - 1 }), { minLength: 1 }),
  }),
  fc.record({ gap: fc.integer({ min: 0, max: 40 }), contacts: fc.constant([] as number[]) }),
)

/** A team as it could be: contacts that want alerts or not, a policy with a schedule, reminders, a window. */
const setting = fc.record({
  contacts: fc.array(fc.record({ attached: fc.boolean(), wants: fc.boolean() }), {
    minLength: CONTACTS,
    maxLength: CONTACTS,
  }),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  repeats: fc.nat({ max: 2 }),
  pause: fc.integer({ min: 1, max: 60 }),
  reminder: fc.option(fc.integer({ min: 5, max: 90 })),
  failsAfter: fc.nat({ max: 180 }),
  handOver: fc.constantFrom('01:15', '02:30', '03:10', '04:00'),
  hours: fc.option(fc.constantFrom({ from: '01:00', until: '03:30' }, { from: '03:45', until: '06:00' })),
  window: fc.option(
    fc.record({ after: fc.integer({ min: 1, max: 90 }), minutes: fc.integer({ min: 1, max: 15 }) }),
  ),
})
type Setting = typeof setting extends fc.Arbitrary<infer Given> ? Given : never

test('what a dry run foretells happens, step by step and contact by contact', async (t) => {
  const database = await openTurnedDatabase(T)
  const { db, turnTo } = database
  await ensurePartitions(db.query, T)
  const troubles: unknown[] = []
  const recorder = createRecorder(db, (error) => troubles.push(error))
  t.after(async () => {
    await recorder.close()
    await database.close()
  })

  await fc.assert(
    fc.asyncProperty(setting, async (given) => {
      const failsAt = new Date(T.getTime() + given.failsAfter * MINUTE_MS)
      const { teamId, monitor } = await build(db, given, failsAt)
      const foretold = await foretell(db, teamId, monitor.id, failsAt)
      await turnTo(failsAt)
      const result = resultWithout('down', 'HTTP 503 (expected 200)')
      const about = { monitorId: monitor.id, revision: monitor.revision, checkedAt: failsAt, region: null }
      await recorder.record({ ...about, result, heartbeat: null, ping: null })
      const happened = await happen(db, turnTo, monitor.id, foretold.events.length - 1)
      assert.deepEqual(happened, foretold.events.map(sayEvent))
    }),
    { numRuns: AT_LENGTH ? 150 : 3 },
  )
  assert.deepEqual(troubles, [])
})

async function build(db: Database, given: Setting, failsAt: Date) {
  const teamId = await addTeam(db, { reminder_minutes: given.reminder })
  const ids = await addContacts(
    db,
    given.contacts.map(({ wants }, index) => ({ team_id: teamId, name: `c${index}`, notify_on_down: wants })),
  )
  const idOf = (index: number) => ids[index] as number
  const monitor = await addMonitor(db, { team_id: teamId, name: 'Shop' })
  const attached = given.contacts.flatMap(({ attached }, index) =>
    attached ? [{ monitor_id: monitor.id, contact_id: idOf(index) }] : [],
  )
  if (attached.length > 0) await db.query.insertInto('monitor_contacts').values(attached).execute()
  const scheduleId = await insertSchedule(db.query, teamId, {
    name: 'Nights',
    time_zone: 'Europe/Berlin',
    participants: [1, 2].map((key) => ({ key, name: `p${key}`, user_id: null, contact_ids: [idOf(key)] })),
    layers: [
      layer({
        ...{ unit: 'day', hand_over_at: given.handOver },
        hours: given.hours && { days: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], ...given.hours },
      }),
    ],
  })
  let minutes = -1
  const steps = given.steps.map(({ gap, contacts }) => {
    minutes += gap + 1
    return {
      after_minutes: minutes,
      contact_ids: contacts.map(idOf),
      schedule_id: contacts.length === 0 ? scheduleId : null,
    }
  })
  const chain = { steps, repeats: given.repeats, repeat_every_minutes: minutes + given.pause }
  const policyId = await insertPolicy(db.query, teamId, { name: 'Primary', tags: [], ...chain })
  await choosePolicy(db.query, teamId, { kind: 'monitor', id: monitor.id }, policyId)
  if (given.window) {
    const startMs = failsAt.getTime() + given.window.after * MINUTE_MS
    const end = new Date(startMs + given.window.minutes * MINUTE_MS)
    const window = oneOff(new Date(startMs).toISOString(), end.toISOString())
    await addWindow(db, teamId, window, new Date('2027-01-01T00:00:00Z'))
  }
  return { teamId, monitor }
}

async function foretell(db: Database, teamId: number, id: number, at: Date): Promise<DryRun> {
  const body = { kind: 'monitor' as const, id, at: at.toISOString(), policy: null }
  const asked = { actor: { teamId }, body } as Parameters<typeof previewEscalation.perform>[1]
  const services = { db } as Parameters<typeof previewEscalation.perform>[0]
  return ((await previewEscalation.perform(services, asked)).body as { data: DryRun }).data
}

/** Turns the clock to each time at which something is to be looked at; what came is said in order. */
async function happen(db: Database, turnTo: (at: Date) => Promise<void>, monitorId: number, count: number) {
  const windows = createKnownWindows()
  const said: string[] = [
    say(
      { kind: 'alert', number: 0, round: 0 },
      await firstAlert(db, monitorId),
      await contactsOf(db, monitorId, 0),
    ),
  ]
  const seen = new Set<number>()
  while (said.length <= count) {
    const { rows } = await db.pool.query<{ at: Date | null }>(
      `SELECT min(s.look_at) AS at FROM escalation_steps s JOIN escalations e ON e.id = s.escalation_id
       JOIN incidents i ON i.id = e.incident_id WHERE i.monitor_id = $1 AND s.state = 'waiting'`,
      [monitorId],
    )
    const at = rows[0]?.at
    if (!at) break
    await turnTo(at)
    while (said.length <= count && (await executeNextStep(db, windows))) {
      const done = await doneOf(db, monitorId)
      for (const one of done.filter(({ id }) => !seen.has(id))) {
        seen.add(one.id)
        said.push(say(one, one.at, one.nobody ?? (await contactsOf(db, monitorId, one.id))))
      }
    }
  }
  // Escalations of other cases must not come due.
  await db.pool.query(`UPDATE escalation_steps SET state = 'ended' WHERE state = 'waiting'`)
  return said
}

type Named = { kind: string; number: number; round: number }

function say({ kind, number, round }: Named, at: Date, whom: string): string {
  return `${at.toISOString()} ${kind} ${round}/${number}: ${whom}`
}

function sayEvent(event: DryRun['events'][number]): string {
  const whom = event.unreached ?? event.contacts.map(({ name }) => name).join(' ')
  return say(event, new Date(event.at), whom)
}

async function firstAlert(db: Database, monitorId: number): Promise<Date> {
  const { rows } = await db.pool.query<{ at: Date }>(
    'SELECT started_at AS at FROM incidents WHERE monitor_id = $1',
    [monitorId],
  )
  return rows[0]?.at ?? new Date(0)
}

async function contactsOf(db: Database, monitorId: number, stepId: number): Promise<string> {
  const { rows } = await db.pool.query<{ name: string }>(
    'SELECT contact_name AS name FROM deliveries WHERE monitor_id = $1 AND step = $2 ORDER BY contact_id',
    [monitorId, stepId],
  )
  return rows.map(({ name }) => name).join(' ') || 'unreachable'
}

async function doneOf(db: Database, monitorId: number) {
  const { rows } = await db.pool.query<Named & { id: number; at: Date; nobody: string | null }>(
    `SELECT s.id, s.kind, s.number, s.round, s.done_at AS at, s.nobody FROM escalation_steps s
     JOIN escalations e ON e.id = s.escalation_id JOIN incidents i ON i.id = e.incident_id
     WHERE i.monitor_id = $1 AND s.state = 'done' ORDER BY s.id`,
    [monitorId],
  )
  return rows
}
