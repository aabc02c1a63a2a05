// npm test leaves this out: it turns a clock through minutes of alerts for many contacts, each in a database of its own (seconds of a core).
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Alert, AlertEvent } from '../../../../src/core/alerting/alert.ts'
import type { DeliveryOutcome } from '../../../../src/core/alerting/delivery.ts'
import { addOnlyContact, CONFIGS, deliverersOf } from '../../../support/alerting/one-contact.ts'
import { openTurnedDatabase } from '../../../support/postgres/turned-database.ts'
import { DOWN, RECOVERY } from '../../../support/servers/receivers-alert.ts'
import { until } from '../../../support/until.ts'

const T = Date.parse('2027-03-01T09:00:00Z')
const SENT: DeliveryOutcome = { kind: 'sent', statusCode: 200, detail: 'ok' }
const LATER: DeliveryOutcome = { kind: 'retry', statusCode: 503, detail: 'later', retryAfterSeconds: null }

type Scope = { after: (close: () => Promise<void>) => void }
type Message = { id: string; names: string[]; isGroup: boolean }

/** A contact whose alerts a deliverer sends, by a clock that the test turns. */
async function openContact(scope: Scope, type: 'slack' | 'webhook') {
  const opened = await openTurnedDatabase(new Date(T))
  const { db, turnTo } = opened
  const { contactId } = await addOnlyContact(opened, type, CONFIGS[type])
  const messages: Message[] = []
  const state = { outcome: SENT, seconds: 0 }
  const answer = (message: Message) => {
    messages.push(message)
    return Promise.resolve(state.outcome)
  }
  const loop = deliverersOf(scope, opened, {
    send: ({ messageId, alert }) => answer({ id: messageId, names: [alert.name], isGroup: false }),
    sendGroup: ({ messageId, deliveries }) =>
      answer({ id: messageId, names: deliveries.map(({ alert }) => alert.name), isGroup: true }),
    now: () => new Date(T + state.seconds * 1_000),
  })()

  return {
    messages,
    state,
    async alert(names: string[], event: AlertEvent = 'monitor.down') {
      const content: Alert = event === 'monitor.down' ? DOWN : RECOVERY
      await db.pool.query(
        `INSERT INTO deliveries (team_id, event, alert, contact_id, contact_name, contact_type, next_attempt_at, created_at)
         SELECT c.team_id, $2, alert, c.id, c.name, c.type, now(), now()
         FROM contacts c, unnest($3::jsonb[]) AS alert WHERE c.id = $1`,
        [contactId, event, names.map((name) => JSON.stringify({ ...content, name }))],
      )
      loop.wake()
    },
    async turn(seconds: number) {
      state.seconds = seconds
      await turnTo(new Date(T + seconds * 1_000))
      loop.wake()
    },
    /** Until so many wait, unclaimed, to go in so many seconds after T. */
    async untilWaiting(count: number, seconds: number) {
      await until(`${count} wait until ${seconds} s`, async () => {
        const { rows } = await db.pool.query(
          `SELECT claimed_by, extract(epoch FROM next_attempt_at)::float8 AS at FROM deliveries WHERE state = 'pending'`,
        )
        const due = T / 1_000 + seconds
        return rows.length === count && rows.every((row) => row.claimed_by === null && row.at === due)
      })
    },
    /** Until each of so many alerts was sent or waits. */
    untilPlaced: (count: number) =>
      until(`${count} are sent or wait`, async () => {
        const { rows } = await db.pool.query(
          `SELECT FROM deliveries WHERE state = 'sent' OR claimed_by IS NULL AND mailbox_hash IS NOT NULL`,
        )
        return rows.length === count
      }),
    untilSent: (count: number) => until(`${count} messages`, () => messages.length === count),
  }
}

const named = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `monitor ${from + index}`)

describe('alerts that come within a minute to a person', { concurrency: true }, () => {
  it('are one message after the first, with every name, once none has come for five seconds', async (t) => {
    const contact = await openContact(t, 'slack')
    await contact.alert(['monitor 1'])
    await contact.untilSent(1)
    await contact.alert(named(2, 299))
    await contact.untilWaiting(298, 5)
    await contact.turn(3)
    await contact.alert(['monitor 300'])
    await contact.untilPlaced(300)
    // Those that were to go at 5 s learn only then that another came.
    await contact.turn(5)
    await contact.untilWaiting(299, 8)
    await contact.turn(8)
    await contact.untilSent(2)
    const [first, together] = contact.messages
    assert.deepEqual(first?.names, ['monitor 1'])
    assert.deepEqual(together?.names, named(2, 300))
    assert.ok(together?.isGroup)
  })

  it('wait for a minute at most, however many more come', async (t) => {
    const contact = await openContact(t, 'slack')
    await contact.alert(['monitor 0'])
    await contact.untilSent(1)
    await contact.alert(['monitor 1'])
    await contact.untilWaiting(1, 5)
    for (let seconds = 4, count = 2; seconds <= 56; seconds += 4, count++) {
      await contact.turn(seconds)
      await contact.alert([`monitor ${count}`])
      await contact.untilPlaced(count + 1)
      if (seconds < 56) continue
      await contact.turn(59)
      await contact.untilWaiting(count, 60)
    }
    await contact.turn(60)
    await contact.untilSent(2)
    assert.equal(contact.messages[1]?.names.length, 15)
  })

  it('collect for longer in a storm: three messages in its first five minutes', async (t) => {
    const contact = await openContact(t, 'slack')
    let failed = 0
    for (let seconds = 0; seconds < 300; seconds += 4) {
      await contact.turn(seconds)
      await contact.alert([`monitor ${++failed}`])
      await contact.untilPlaced(failed)
    }
    assert.ok(contact.messages.length <= 3, `${contact.messages.length} messages`)
    await contact.turn(900)
    await until('all are told', () => contact.messages.flatMap(({ names }) => names).length === failed)
    assert.deepEqual(
      contact.messages.flatMap(({ names }) => names),
      named(1, failed),
    )
  })

  it('do not hold the news back that something works again, and come before it where they wait', async (t) => {
    const contact = await openContact(t, 'slack')
    await contact.alert(['Shop'])
    await contact.untilSent(1)
    await contact.alert(['Shop'], 'monitor.recovery')
    await contact.untilSent(2)
    await contact.alert(['Cart'])
    await contact.untilWaiting(1, 5)
    await contact.alert(['Cart'], 'monitor.recovery')
    await contact.untilWaiting(2, 5)
    await contact.turn(5)
    await contact.untilSent(3)
    assert.deepEqual(contact.messages[2]?.names, ['Cart', 'Cart'])
  })

  it('are tried again as the same message', async (t) => {
    const contact = await openContact(t, 'slack')
    await contact.alert(['Shop'])
    await contact.untilSent(1)
    await contact.alert(['Cart', 'Mail'])
    await contact.untilWaiting(2, 5)
    contact.state.outcome = LATER
    await contact.turn(5)
    await contact.untilWaiting(2, 10)
    contact.state.outcome = SENT
    await contact.turn(10)
    await contact.untilSent(3)
    assert.deepEqual(contact.messages[2], contact.messages[1])
  })

  it('are sent one by one to programs', async (t) => {
    const contact = await openContact(t, 'webhook')
    await contact.alert(named(1, 5))
    await contact.untilSent(5)
    assert.deepEqual(
      contact.messages.map(({ isGroup }) => isGroup),
      [false, false, false, false, false],
    )
  })
})
