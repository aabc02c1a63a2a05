import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Contact } from '../../src/core/alerting/contact.ts'
import { signingSecret } from '../../src/operations/accounts/operator-accounts.ts'
import {
  attemptsOf,
  deliveriesOf,
  hurryDelivery,
  type LoggedAttempt,
  messagesOf,
  untilDelivered,
} from '../support/records/delivery-log.ts'
import { type Received, type Receiver, replyWith, startReceiver } from '../support/servers/receivers.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { SELDOM, teamClient } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

const SECONDS_MS = 1_000
const HURRIED_MS = 200

describe('alerts', { concurrency: true }, () => {
  let service: AskedService

  before(async () => {
    service = await wholeService()
  })

  it('a webhook gets the six members of the specification, signed with the secret of the team', async (t) => {
    const client = await teamClient(service)
    const receiver = await startReceiver(t, replyWith(204))
    const target = await startSwitchTarget(t, 503)
    const contact = await client.webhook(receiver)
    const { id } = await client.monitor({
      ...SELDOM,
      name: 'Shop 日本',
      url: target.url,
      notification_contact_ids: [contact.id],
    })
    const { open_incident } = await client.untilStatus(id, 'down')
    target.status = 200
    await client.checkNow(id)
    const deliveries = await untilDelivered(service, id, 2)
    const [incident] = await client.incidents(id)
    const secret = (await signingSecret(service.services, client.teamId, false)).signing_secret
    const webhook = new Webhook(secret)
    const expected = [
      { event: 'monitor.down', at: open_incident?.started_at },
      { event: 'monitor.recovery', at: incident?.resolved_at },
    ]
    assert.deepEqual(
      [...messagesOf(receiver).keys()],
      deliveries.map(({ messageId }) => messageId),
    )
    for (const [index, { event, at }] of expected.entries()) {
      const { method, path, headers, body } = newsOf(receiver)[index] as Received
      assert.deepEqual([method, path, headers['content-type']], ['POST', '/hook', 'application/json'])
      assert.deepEqual(webhook.verify(body, headers as Record<string, string>), {
        event,
        type: 'monitor',
        id,
        name: 'Shop 日本',
        target: target.url,
        timestamp: `${at?.slice(0, 19)}+00:00`,
      })
      const members = Object.keys(JSON.parse(body))
      assert.deepEqual(members, ['event', 'type', 'id', 'name', 'target', 'timestamp'])
      assert.throws(() => webhook.verify(`${body} `, headers as Record<string, string>))
    }
    const rotated = (await signingSecret(service.services, client.teamId, true)).signing_secret
    assert.notEqual(rotated, secret)
    target.status = 503
    await client.checkNow(id)
    await untilDelivered(service, id, 3)
    const { headers, body } = newsOf(receiver)[2] as Received
    assert.doesNotThrow(() => new Webhook(rotated).verify(body, headers as Record<string, string>))
  })

  it('a monitor with contacts alerts only those; one without alerts every contact of the team', async (t) => {
    const client = await teamClient(service)
    const target = await startSwitchTarget(t, 503)
    const receivers = [
      await startReceiver(t, replyWith(204)),
      await startReceiver(t, replyWith(204)),
    ] as const
    const contacts = [await client.webhook(receivers[0]), await client.webhook(receivers[1])] as const
    const own = await client.monitor({
      ...SELDOM,
      url: target.url,
      notification_contact_ids: [contacts[0].id],
    })
    const none = await client.monitor({ ...SELDOM, url: target.url })
    const told = async (id: number, count: number) =>
      (await untilDelivered(service, id, count)).map(({ contactId }) => contactId).sort()
    assert.deepEqual(await told(own.id, 1), [contacts[0].id])
    const all: Contact[] = await client.data('GET', '/notification-contacts')
    const first = all.find(({ type }) => type === 'email')
    assert.ok(first, 'the team started with the address of its owner')
    assert.deepEqual(await told(none.id, 3), [first.id, contacts[0].id, contacts[1].id].sort())
    assert.deepEqual(
      receivers.map((receiver) =>
        newsOf(receiver)
          .map(({ body }) => JSON.parse(body).id)
          .sort(),
      ),
      [[own.id, none.id].sort(), [none.id]],
    )
    // Detached by its deletion, the monitor is one without contacts.
    await client.ask('DELETE', `/notification-contacts/${contacts[0].id}`)
    await client.data('POST', `/monitors/${own.id}/toggle`)
    await client.data('POST', `/monitors/${own.id}/toggle`)
    assert.deepEqual(
      (await untilDelivered(service, own.id, 3))
        .slice(1)
        .map(({ contactId }) => contactId)
        .sort(),
      [first.id, contacts[1].id].sort(),
    )
  })

  it('a contact hears only of the news that it wants', async (t) => {
    const client = await teamClient(service)
    const receiver = await startReceiver(t, replyWith(204))
    const target = await startSwitchTarget(t, 503)
    const downOnly = await client.webhook(receiver, { notify_on_recovery: false })
    const recoveryOnly = await client.webhook(receiver, { notify_on_down: false })
    const nothing = await client.webhook(receiver, { notify_on_down: false, notify_on_recovery: false })
    const { id } = await client.monitor({
      ...SELDOM,
      url: target.url,
      notification_contact_ids: [downOnly.id, recoveryOnly.id, nothing.id],
    })
    await client.untilStatus(id, 'down')
    target.status = 200
    await client.checkNow(id)
    const deliveries = await untilDelivered(service, id, 2)
    assert.deepEqual(
      deliveries.map(({ event, contactId }) => [event, contactId]),
      [
        ['monitor.down', downOnly.id],
        ['monitor.recovery', recoveryOnly.id],
      ],
    )
  })

  const retried: [name: string, status: number, headers: Record<string, string>, waitMs: number][] = [
    ['a receiver that fails is asked again after 5 s', 500, {}, 5 * SECONDS_MS],
    ['Retry-After is honoured', 429, { 'retry-after': '7' }, 7 * SECONDS_MS],
  ]
  for (const [name, status, headers, waitMs] of retried) {
    it(`${name}, with the same message id`, async (t) => {
      const client = await teamClient(service)
      let isReady = false
      const receiver = await startReceiver(t, (response) => {
        if (isReady) response.writeHead(204).end()
        else response.writeHead(status, headers).end('not now')
      })
      const target = await startSwitchTarget(t, 503)
      const contact = await client.webhook(receiver)
      const { id } = await client.monitor({
        ...SELDOM,
        url: target.url,
        notification_contact_ids: [contact.id],
      })
      const [first] = await until('an answer', () => answersOf(id))
      assert.deepEqual(
        [first?.outcome, first?.statusCode, first?.detail],
        ['retry', status, `HTTP ${status}: not now`],
      )
      const [waiting] = await deliveriesOf(service, id)
      assert.equal(waiting?.state, 'pending')
      const waits = Number(waiting?.nextAttemptAt) - Number(first?.attemptedAt)
      assert.ok(waits >= waitMs, `waits ${waits} ms`)

      // It does wait until then; that it is so long after is not waited for here.
      isReady = true
      const messageId = waiting?.messageId ?? ''
      const dueAt = await hurryDelivery(service, messageId, HURRIED_MS)
      const [delivery] = await untilDelivered(service, id, 1)
      const attempts = await attemptsOf(service, id)
      assert.deepEqual([delivery?.state, delivery?.attempts], ['sent', attempts.length])
      const last = attempts.at(-1)
      assert.deepEqual([last?.outcome, last?.statusCode], ['sent', 204])
      assert.ok(Number(last?.attemptedAt) >= Number(dueAt))
      const messages = messagesOf(receiver)
      assert.deepEqual([...messages.keys()], [messageId])
      assert.ok((messages.get(messageId)?.length ?? 0) >= 2)
      const bodies = new Set(receiver.requests.map(({ body }) => body))
      assert.equal(bodies.size, 1, 'the timestamp is that of the event')
    })
  }

  /** Attempts that were answered, once there are any: one that took too long, for want of a processor, says nothing. */
  async function answersOf(id: number): Promise<LoggedAttempt[] | null> {
    const answered = (await attemptsOf(service, id)).filter(({ statusCode }) => statusCode !== null)
    return answered.length > 0 ? answered : null
  }

  it('a receiver that refuses is not asked again', async (t) => {
    const client = await teamClient(service)
    const receiver = await startReceiver(t, replyWith(404, 'no such hook'))
    const target = await startSwitchTarget(t, 503)
    const contact = await client.webhook(receiver)
    const { id } = await client.monitor({
      ...SELDOM,
      url: target.url,
      notification_contact_ids: [contact.id],
    })
    const [delivery] = await untilDelivered(service, id, 1)
    assert.equal(delivery?.state, 'failed')
    const [attempt, ...others] = (await answersOf(id)) ?? []
    assert.deepEqual(
      [attempt?.outcome, attempt?.statusCode, attempt?.detail],
      ['rejected', 404, 'HTTP 404: no such hook'],
    )
    assert.deepEqual(others, [])
  })

  it('a redirect is not followed, and what was not received is tried again later', async (t) => {
    const client = await teamClient(service)
    const elsewhere = await startReceiver(t, replyWith(204))
    const receiver = await startReceiver(t, replyWith(307, '', { location: `${elsewhere.url}/hook` }))
    const target = await startSwitchTarget(t, 503)
    const contact = await client.webhook(receiver)
    const { id } = await client.monitor({
      ...SELDOM,
      url: target.url,
      notification_contact_ids: [contact.id],
    })
    const [attempt] = await until('an answer', () => answersOf(id))
    assert.deepEqual([attempt?.outcome, attempt?.statusCode], ['retry', 307])
    assert.equal((await deliveriesOf(service, id))[0]?.state, 'pending')
    assert.deepEqual(elsewhere.requests, [])
  })

  it('without SMTP_URL an e-mail fails with an entry that says what to do', async (t) => {
    const client = await teamClient(service)
    const target = await startSwitchTarget(t, 503)
    const { id } = await client.monitor({ ...SELDOM, url: target.url })
    const [delivery] = await untilDelivered(service, id, 1)
    assert.deepEqual([delivery?.state, delivery?.event], ['failed', 'monitor.down'])
    const [attempt] = await attemptsOf(service, id)
    assert.deepEqual([attempt?.outcome, attempt?.detail], ['rejected', 'mail is not set up: set SMTP_URL'])
  })
})

/** Each message once. */
function newsOf(receiver: Receiver): Received[] {
  return [...messagesOf(receiver).values()].flatMap(([first]) => first ?? [])
}
