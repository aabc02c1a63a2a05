import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { DeliveryOutcome } from '../../../src/core/alerting/delivery.ts'
import type { DeliveryState } from '../../../src/core/alerting/delivery-state.ts'
import type { QuietHours } from '../../../src/core/alerting/quiet-hours.ts'
import { WEEKDAYS } from '../../../src/core/maintenance/recurrence.ts'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import type { LayerHours } from '../../../src/core/on-call/schedule.ts'
import type { DryRun } from '../../../src/core/on-call/shown-escalation.ts'
import { createDeliverer } from '../../../src/engine/alerting/deliver.ts'
import { createKnownWindows } from '../../../src/engine/maintenance/known-windows.ts'
import { executeNextStep } from '../../../src/engine/on-call/execute-step.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { previewEscalation } from '../../../src/operations/on-call/dry-run.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { insertContacts } from '../../../src/store/alerting/attachments.ts'
import { insertContact } from '../../../src/store/alerting/contacts.ts'
import { updateQuietHours } from '../../../src/store/alerting/quiet-hours.ts'
import { ensurePartitions } from '../../../src/store/history/partitions.ts'
import { choosePolicy, insertPolicy } from '../../../src/store/on-call/policies.ts'
import { insertSchedule } from '../../../src/store/on-call/schedules.ts'
import { insertTeam } from '../../../src/store/teams/teams.ts'
import { AT_LENGTH } from '../../support/at-length.ts'
import { addWindow } from '../../support/maintenance/stored-windows.ts'
import { oneOff } from '../../support/maintenance/windows.ts'
import { layer } from '../../support/on-call/schedules.ts'
import type { TestDatabase } from '../../support/postgres/database.ts'
import { openTurnedDatabase } from '../../support/postgres/turned-database.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { changeRows } from '../../support/records/rows.ts'
import { until } from '../../support/until.ts'

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

/** Some are over, some lie in the hour that the clocks skip, and some begin while steps still come. */
const quietHours = fc.record<QuietHours>({
  time_zone: fc.constantFrom('Europe/Berlin', 'UTC'),
  hours: fc.record({
    days: fc.constantFrom<LayerHours['days']>([...WEEKDAYS], ['SU'], ['SA'], ['MO', 'TU']),
    from: fc.constantFrom('00:00', '01:45', '02:15', '04:10', '22:00'),
    until: fc.constantFrom('02:45', '03:30', '06:00', '12:00'),
  }),
  action: fc.constantFrom('hold', 'drop'),
  except_down: fc.boolean(),
})

/** A team as it could be: contacts that want alerts or not, and when; a policy with a schedule, reminders, a window. */
const setting = fc.record({
  contacts: fc.array(
    fc.record({ attached: fc.boolean(), wants: fc.boolean(), quiet: fc.option(quietHours, { freq: 3 }) }),
    { minLength: CONTACTS, maxLength: CONTACTS },
  ),
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

test('what a dry run foretells happens, step by step and contact by contact, in quiet hours, too', async (t) => {
  const database = await openTurnedDatabase(T)
  const { db, vault } = database
  await ensurePartitions(db.query, T)
  const troubles: unknown[] = []
  const recorder = createRecorder(db, (error) => troubles.push(error))
  let now = T
  const turnTo = (at: Date) => {
    now = at
    return database.turnTo(at)
  }
  const sent: DeliveryOutcome = { kind: 'sent', statusCode: 204, detail: 'ok' }
  const refused = () => Promise.reject(new Error('every webhook gets its own message'))
  const deliverer = createDeliverer({
    ...{ db, vault, send: () => Promise.resolve(sent), sendDigest: refused, sendGroup: refused },
    ...{ wantsAgreement: false, holder: crypto.randomUUID(), now: () => now, random: () => 0 },
    onTrouble: (error) => troubles.push(error),
  })
  t.after(async () => {
    await deliverer.close()
    await recorder.close()
    await database.close()
  })
  const deliver: Deliver = async (monitorId) => {
    if (!(await isAnyDue(db, monitorId))) return
    deliverer.wake()
    await until('all that is due is sent, held or dropped', async () => !(await isAnyDue(db, monitorId)))
  }

  await fc.assert(
    fc.asyncProperty(setting, async (given) => {
      const failsAt = new Date(T.getTime() + given.failsAfter * MINUTE_MS)
      const { teamId, monitor } = await build(database, given, failsAt)
      const foretold = await foretell(db, teamId, monitor.id, failsAt)
      await turnTo(failsAt)
      const result = resultWithout('down', 'HTTP 503 (expected 200)')
      const about = { monitorId: monitor.id, revision: monitor.revision, checkedAt: failsAt, region: null }
      await recorder.record({ ...about, result, heartbeat: null, ping: null })
      const happened = await happen(db, { turnTo, deliver }, monitor.id, foretold.events.length - 1)
      assert.deepEqual(happened, foretold.events.map(sayEvent))
      await untilQuietEnds(db, { turnTo, deliver }, monitor.id)
      assert.deepEqual(await endsOf(db, monitor.id), endsForetold(foretold))
    }),
    { numRuns: AT_LENGTH ? 40 : 2 },
  )
  assert.deepEqual(troubles, [])
})

type Deliver = (monitorId: number) => Promise<void>

async function build({ db, vault }: TestDatabase, given: Setting, failsAt: Date) {
  const teamId = await insertTeam(db.query, vault, { name: 'Acme', plan: 'business', signingSecret: '' })
  await changeRows(db, 'teams', { id: teamId }, { reminder_minutes: given.reminder })
  const ids: number[] = []
  for (const [index, { wants, quiet }] of given.contacts.entries()) {
    const webhook = {
      name: `c${index}`,
      type: 'webhook' as const,
      config: { url: 'https://hooks.example/x' },
    }
    const wanted = { notify_on_down: wants, notify_on_recovery: true }
    const id = await insertContact(db.query, vault, teamId, { ...webhook, ...wanted })
    await updateQuietHours(db, teamId, id, quiet)
    ids.push(id)
  }
  const idOf = (index: number) => ids[index] as number
  const monitor = await addMonitor(db, { team_id: teamId, name: 'Shop' })
  const attached = given.contacts.flatMap(({ attached }, index) => (attached ? [idOf(index)] : []))
  await insertContacts(db.query, { kind: 'monitor', id: monitor.id }, attached)
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
async function happen(
  db: Database,
  { turnTo, deliver }: { turnTo: (at: Date) => Promise<void>; deliver: Deliver },
  monitorId: number,
  count: number,
) {
  const windows = createKnownWindows()
  await deliver(monitorId)
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
       JOIN team_incidents i ON i.kind = e.kind AND i.id = e.team_incident_id
       WHERE i.kind = 'monitor' AND i.subject_id = $1 AND s.state = 'waiting'`,
      [monitorId],
    )
    const at = rows[0]?.at
    if (!at) break
    await turnTo(at)
    while (said.length <= count && (await executeNextStep(db, windows))) {
      await deliver(monitorId)
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
  const whom = event.contacts.map(
    ({ name, quiet }) => name + (quiet ? sayQuiet(quiet.action, new Date(quiet.until)) : ''),
  )
  return say(event, new Date(event.at), event.unreached ?? whom.join(' '))
}

function sayQuiet(action: QuietHours['action'], until: Date): string {
  return ` (${action} until ${until.toISOString()})`
}

/** Turns the clock to the end of the hours of each alert that is held. */
async function untilQuietEnds(
  db: Database,
  { turnTo, deliver }: { turnTo: (at: Date) => Promise<void>; deliver: Deliver },
  monitorId: number,
): Promise<void> {
  for (;;) {
    const { rows } = await db.pool.query<{ at: Date | null }>(
      `SELECT min(held_until) AS at FROM deliveries WHERE kind = 'monitor' AND subject_id = $1 AND state = 'pending'`,
      [monitorId],
    )
    const at = rows[0]?.at
    if (!at) return
    await turnTo(at)
    await deliver(monitorId)
  }
}

/** The end of each alert, once the hours that hold it are over. */
function endsForetold({ events }: DryRun): string[] {
  return events
    .flatMap(({ contacts }) => contacts)
    .map(({ name, quiet }) => `${name} ${quiet?.action === 'drop' ? 'dropped' : 'sent'}`)
    .toSorted()
}

async function endsOf(db: Database, monitorId: number): Promise<string[]> {
  const { rows } = await db.pool.query<{ said: string }>(
    `SELECT contact_name || ' ' || state AS said FROM deliveries WHERE kind = 'monitor' AND subject_id = $1`,
    [monitorId],
  )
  return rows.map(({ said }) => said).toSorted()
}

async function isAnyDue(db: Database, monitorId: number): Promise<boolean> {
  const { rows } = await db.pool.query<{ due: boolean }>(
    `SELECT EXISTS (SELECT FROM deliveries
                    WHERE kind = 'monitor' AND subject_id = $1 AND state = 'pending' AND next_attempt_at <= now()) AS due`,
    [monitorId],
  )
  return rows[0]?.due ?? false
}

async function firstAlert(db: Database, monitorId: number): Promise<Date> {
  const { rows } = await db.pool.query<{ at: Date }>(
    "SELECT started_at AS at FROM team_incidents WHERE kind = 'monitor' AND subject_id = $1",
    [monitorId],
  )
  return rows[0]?.at ?? new Date(0)
}

async function contactsOf(db: Database, monitorId: number, stepId: number): Promise<string> {
  const { rows } = await db.pool.query<{ name: string; state: DeliveryState; held: Date | null }>(
    `SELECT contact_name AS name, state, held_until AS held FROM deliveries
     WHERE kind = 'monitor' AND subject_id = $1 AND step = $2 ORDER BY contact_id`,
    [monitorId, stepId],
  )
  const said = rows.map(({ name, state, held }) => {
    if (held === null) return state === 'sent' ? name : `${name} (${state})`
    return name + sayQuiet(state === 'dropped' ? 'drop' : 'hold', held)
  })
  return said.join(' ') || 'unreachable'
}

async function doneOf(db: Database, monitorId: number) {
  const { rows } = await db.pool.query<Named & { id: number; at: Date; nobody: string | null }>(
    `SELECT s.id, s.kind, s.number, s.round, s.done_at AS at, s.nobody FROM escalation_steps s
     JOIN escalations e ON e.id = s.escalation_id JOIN team_incidents i ON i.kind = e.kind AND i.id = e.team_incident_id
     WHERE i.kind = 'monitor' AND i.subject_id = $1 AND s.state = 'done' ORDER BY s.id`,
    [monitorId],
  )
  return rows
}
