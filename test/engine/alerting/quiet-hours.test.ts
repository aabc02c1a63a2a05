import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AlertEvent } from '../../../src/core/alerting/alert.ts'
import type { DeliveryOutcome } from '../../../src/core/alerting/delivery.ts'
import type { QuietHours } from '../../../src/core/alerting/quiet-hours.ts'
import { WEEKDAYS } from '../../../src/core/maintenance/recurrence.ts'
import { claimDeliveries } from '../../../src/store/alerting/deliveries.ts'
import { keepQuiet, updateQuietHours } from '../../../src/store/alerting/quiet-hours.ts'
import { addOnlyContact, CONFIGS, deliverersOf } from '../../support/alerting/one-contact.ts'
import { openTurnedDatabase } from '../../support/postgres/turned-database.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { DOWN } from '../../support/servers/receivers-alert.ts'
import { until } from '../../support/until.ts'

/** A Friday. */
const T = Date.parse('2027-03-05T21:00:00Z')
const HOUR = 3_600
const SENT: DeliveryOutcome = { kind: 'sent', statusCode: 200, detail: 'ok' }
const LATER: DeliveryOutcome = { kind: 'retry', statusCode: 503, detail: 'later', retryAfterSeconds: null }

const NIGHTS: QuietHours = {
  time_zone: 'Europe/Berlin',
  hours: { days: [...WEEKDAYS], from: '22:00', until: '07:00' },
  action: 'hold',
  except_down: false,
}
/** Seconds after T. */
const MORNING = 9 * HOUR
/** Held alerts go together, once nothing more has come for this. */
const TOGETHER = MORNING + 5

type Scope = { after: (close: () => Promise<void>) => void }

/** A contact with quiet hours, whose alerts two processes send by a clock that the test turns. */
async function openContact(scope: Scope, rule: QuietHours, type: 'slack' | 'webhook' = 'slack') {
  const opened = await openTurnedDatabase(new Date(T))
  const { db, vault, turnTo } = opened
  const { teamId, contactId } = await addOnlyContact(opened, type, CONFIGS[type])
  const monitor = await addMonitor(db, { team_id: teamId })
  await updateQuietHours(db, teamId, contactId, rule)
  const messages: string[][] = []
  const state = { outcome: SENT, seconds: 0 }
  const answer = (...events: AlertEvent[]) => {
    messages.push(events)
    return Promise.resolve(state.outcome)
  }
  const open = deliverersOf(scope, opened, {
    send: ({ alert }) => answer(alert.event),
    sendGroup: ({ deliveries }) => answer(...deliveries.map(({ alert }) => alert.event)),
    now: () => new Date(T + state.seconds * 1_000),
  })
  const loops: ReturnType<typeof open>[] = []
  const wake = () => {
    for (const loop of loops) loop.wake()
  }

  return {
    db,
    vault,
    messages,
    state,
    teamId,
    contactId,
    start() {
      loops.push(open(), open())
    },
    /** Alerts about one monitor, in this order. */
    async alert(...events: AlertEvent[]) {
      for (const event of events) {
        await db.pool.query(
          `INSERT INTO deliveries (team_id, event, alert, contact_id, contact_name, contact_type, kind, subject_id,
             next_attempt_at, created_at)
           SELECT c.team_id, $2, $3, c.id, c.name, c.type, 'monitor', $4, now(), now() FROM contacts c WHERE c.id = $1`,
          [contactId, event, JSON.stringify({ ...DOWN, event }), event === 'test' ? null : monitor.id],
        )
      }
      wake()
    },
    /** Alerts about incidents of the monitor, each of its own number. */
    async alertOf(incident: number, ...events: AlertEvent[]) {
      await db.pool.query(
        `INSERT INTO team_incidents (kind, id, team_id, subject_id, started_at, resolved_at, cause)
         VALUES ('monitor', $1, $2, $3, now(), now(), 'HTTP 503') ON CONFLICT DO NOTHING`,
        [incident, teamId, monitor.id],
      )
      for (const event of events) {
        await db.pool.query(
          `INSERT INTO deliveries (team_id, event, alert, contact_id, contact_name, contact_type, kind, subject_id, team_incident_id,
             step, next_attempt_at, created_at)
           SELECT c.team_id, $2, $3, c.id, c.name, c.type, 'monitor', $4, $5,
             (SELECT count(*) FROM deliveries WHERE team_incident_id = $5 AND event = $2), now(), now()
           FROM contacts c WHERE c.id = $1`,
          [contactId, event, JSON.stringify({ ...DOWN, event }), monitor.id, incident],
        )
      }
      wake()
    },
    async turn(seconds: number) {
      state.seconds = seconds
      await turnTo(new Date(T + seconds * 1_000))
      wake()
    },
    wake,
    /** `pending 32400` of each delivery: its state, and when it is tried again in seconds after T. */
    async rows(): Promise<string[]> {
      const { rows } = await db.pool.query(
        `SELECT state, attempts, claimed_by, extract(epoch FROM next_attempt_at)::int - $1 AS at
         FROM deliveries ORDER BY id`,
        [T / 1_000],
      )
      return rows.map(({ state, at, claimed_by }) =>
        state === 'pending' ? `${claimed_by === null ? state : 'claimed'} ${at}` : state,
      )
    },
    async untilRows(...expected: string[]) {
      await until(`deliveries are ${expected.join(', ')}`, async () => {
        return JSON.stringify(await this.rows()) === JSON.stringify(expected)
      })
    },
  }
}

describe('a contact in its quiet hours', { concurrency: true }, () => {
  it('is sent nothing until they end, and then all of it in order, as one message', async (t) => {
    const contact = await openContact(t, NIGHTS)
    contact.start()
    await contact.alert('monitor.down', 'monitor.recovery')
    await contact.untilRows(`pending ${MORNING}`, `pending ${MORNING}`)
    await contact.turn(MORNING - 1)
    await contact.alert('monitor.down')
    await contact.untilRows(`pending ${MORNING}`, `pending ${MORNING}`, `pending ${MORNING}`)
    assert.deepEqual(contact.messages, [])
    await contact.turn(MORNING)
    await contact.untilRows(`pending ${TOGETHER}`, `pending ${TOGETHER}`, `pending ${TOGETHER}`)
    await contact.turn(TOGETHER)
    await contact.untilRows('sent', 'sent', 'sent')
    assert.deepEqual(contact.messages, [['monitor.down', 'monitor.recovery', 'monitor.down']])
  })

  it('loses and doubles nothing with two processes, and one that dies while it judges', async (t) => {
    const contact = await openContact(t, NIGHTS)
    const all = (row: string) => Array.from({ length: 40 }, () => row)
    await contact.alert(...Array.from({ length: 40 }, (): AlertEvent => 'monitor.down'))
    const dead = { holder: crypto.randomUUID(), leaseSeconds: 60, limit: 10 }
    assert.equal(
      (await claimDeliveries(contact.db, contact.vault, dead)).length,
      1,
      'in order, one at a time',
    )
    contact.start()
    await contact.turn(61)
    await contact.untilRows(...all(`pending ${MORNING}`))
    await contact.turn(MORNING)
    await contact.untilRows(...all(`pending ${TOGETHER}`))
    await contact.turn(TOGETHER)
    await contact.untilRows(...all('sent'))
    assert.deepEqual(
      contact.messages.map(({ length }) => length),
      [40],
    )
  })

  it('that is a program is sent each alert alone when they end, in order', async (t) => {
    const contact = await openContact(t, NIGHTS, 'webhook')
    contact.start()
    await contact.alert('monitor.down', 'monitor.recovery')
    await contact.untilRows(`pending ${MORNING}`, `pending ${MORNING}`)
    await contact.turn(MORNING)
    await contact.untilRows('sent', 'sent')
    assert.deepEqual(contact.messages, [['monitor.down'], ['monitor.recovery']])
  })

  it('is told at once that something is down where that is excepted, whatever is held', async (t) => {
    const contact = await openContact(t, { ...NIGHTS, except_down: true })
    contact.start()
    await contact.alert('monitor.degraded', 'monitor.down')
    await contact.untilRows(`pending ${MORNING}`, 'sent')
    await contact.alert('monitor.recovery')
    await contact.untilRows(`pending ${MORNING}`, 'sent', `pending ${MORNING}`)
    await contact.turn(MORNING)
    await contact.untilRows(`pending ${TOGETHER}`, 'sent', `pending ${TOGETHER}`)
    await contact.turn(TOGETHER)
    await contact.untilRows('sent', 'sent', 'sent')
    assert.deepEqual(contact.messages, [['monitor.down'], ['monitor.degraded', 'monitor.recovery']])
  })

  it('that drops alerts is never sent them, but for tests', async (t) => {
    const contact = await openContact(t, { ...NIGHTS, action: 'drop' })
    contact.start()
    await contact.alert('monitor.down', 'test')
    await contact.untilRows('dropped', 'sent')
    assert.deepEqual(contact.messages, [['test']])
    const { rows } = await contact.db.pool.query(
      `SELECT held_until, finished_at FROM deliveries WHERE state = 'dropped'`,
    )
    assert.deepEqual(rows, [{ held_until: new Date(T + MORNING * 1_000), finished_at: new Date(T) }])
  })

  it('that drops an outage is told no recovery of it, alone or with others', async (t) => {
    for (const type of ['webhook', 'slack'] as const) {
      const contact = await openContact(t, { ...NIGHTS, action: 'drop' }, type)
      contact.start()
      await contact.alertOf(1, 'monitor.down')
      await contact.untilRows('dropped')
      await contact.turn(MORNING)
      await contact.alertOf(1, 'monitor.recovery')
      await contact.untilRows('dropped', 'dropped')
      await contact.alertOf(2, 'monitor.down')
      await contact.untilRows('dropped', 'dropped', 'sent')
      assert.deepEqual(contact.messages, [['monitor.down']])
    }
  })

  it('is told the recovery of what a reminder told it, and of what it was never to be told', async (t) => {
    const contact = await openContact(t, { ...NIGHTS, action: 'drop' }, 'webhook')
    contact.start()
    await contact.alertOf(1, 'monitor.down')
    await contact.untilRows('dropped')
    await contact.turn(MORNING)
    await contact.alertOf(1, 'monitor.down', 'monitor.recovery')
    await contact.untilRows('dropped', 'sent', 'sent')
    // It was attached meanwhile, or takes recoveries alone: the rule of the specification.
    await contact.alertOf(2, 'monitor.recovery')
    await contact.untilRows('dropped', 'sent', 'sent', 'sent')
  })

  it('leaves those that waited to be sent together when they began', async (t) => {
    const soon = { ...NIGHTS, hours: { ...NIGHTS.hours, from: '22:01' }, except_down: true }
    const contact = await openContact(t, soon)
    contact.start()
    await contact.turn(55)
    await contact.alert('monitor.down')
    await contact.untilRows('sent')
    await contact.turn(56)
    await contact.alert('monitor.down', 'monitor.recovery')
    await contact.untilRows('sent', 'pending 61', 'pending 61')
    await contact.turn(61)
    await contact.untilRows('sent', 'sent', `pending ${MORNING}`)
    await contact.turn(MORNING)
    await contact.untilRows('sent', 'sent', `pending ${TOGETHER}`)
    await contact.turn(TOGETHER)
    await contact.untilRows('sent', 'sent', 'sent')
    assert.deepEqual(contact.messages, [['monitor.down'], ['monitor.down'], ['monitor.recovery']])
  })

  it('is tried again for a day after them, however long they were', async (t) => {
    const weekend = {
      ...NIGHTS,
      hours: { days: ['FR', 'SA', 'SU'], from: '22:00', until: '22:00' },
    } as QuietHours
    const contact = await openContact(t, weekend, 'webhook')
    const end = 72 * HOUR
    contact.start()
    await contact.alert('monitor.down')
    await contact.untilRows(`pending ${end}`)
    contact.state.outcome = LATER
    await contact.turn(end)
    await contact.untilRows(`pending ${end + 5}`)
    contact.state.outcome = SENT
    await contact.turn(end + 5)
    await contact.untilRows('sent')
  })

  it('gets what is held once they are turned off', async (t) => {
    const contact = await openContact(t, NIGHTS, 'webhook')
    contact.start()
    await contact.alert('monitor.down')
    await contact.untilRows(`pending ${MORNING}`)
    await updateQuietHours(contact.db, contact.teamId, contact.contactId, null)
    contact.wake()
    await contact.untilRows('sent')
  })

  it('has nothing held by hours that were turned off while it was judged', async (t) => {
    const { db, vault, teamId, contactId, ...contact } = await openContact(t, NIGHTS)
    await contact.alert('monitor.down')
    const holder = crypto.randomUUID()
    const [claimed] = await claimDeliveries(db, vault, { holder, leaseSeconds: 60, limit: 1 })
    assert.ok(claimed)
    assert.deepEqual(claimed.quietHours, NIGHTS)
    await updateQuietHours(db, teamId, contactId, null)
    assert.equal(await keepQuiet(db, holder, claimed, new Date(T + MORNING * 1_000)), false)
  })
})
