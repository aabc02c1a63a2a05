import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { send } from '../../src/alerts/channels.ts'
import { replyWith, startReceiver } from '../support/servers/receivers.ts'
import { SENT_AT, SIGNING_SECRET, sendingTo, TEST } from '../support/servers/receivers-alert.ts'
import { channelsFor, configs, NASTY } from '../support/servers/receivers-channels.ts'

describe('webhook', () => {
  test('posts exactly the bytes of the specification, signed for an independent verifier', async (t) => {
    const receiver = await startReceiver(t, replyWith(200, 'got it'))
    const sentAt = new Date()
    const config = configs.webhook(receiver)
    const outcome = await send(channelsFor(), 'webhook', sendingTo(config, { sentAt }))
    assert.deepEqual(outcome, { kind: 'sent', statusCode: 200, detail: 'HTTP 200: got it' })
    const [received] = receiver.requests
    assert.ok(received)
    assert.equal(
      received.body,
      '{"event":"monitor.down","type":"monitor","id":42,"name":"Shop",' +
        '"target":"https://shop.example/","timestamp":"2026-11-21T09:30:00+00:00"}',
    )
    assert.equal(config.url, `${receiver.url}${received.path}`)
    assert.equal(received.headers['content-type'], 'application/json')
    assert.equal(received.headers['user-agent'], 'Upbeat')
    assert.equal(received.headers['webhook-id'], 'msg_2f1c')
    assert.equal(received.headers['webhook-timestamp'], String(Math.floor(sentAt.getTime() / 1_000)))
    const verifier = new Webhook(SIGNING_SECRET)
    const headers = received.headers as Record<string, string>
    assert.doesNotThrow(() => verifier.verify(received.body, headers))
    assert.throws(() => verifier.verify(received.body.replace('Shop', 'Shot'), headers))
  })

  test('a retry keeps the id and is signed again for its own time', async (t) => {
    const receiver = await startReceiver(t, replyWith(500))
    const channels = channelsFor()
    const config = configs.webhook(receiver)
    await send(channels, 'webhook', sendingTo(config))
    await send(channels, 'webhook', sendingTo(config, { sentAt: new Date(SENT_AT.getTime() + 5_000) }))
    const [first, second] = receiver.requests.map(({ headers }) => headers)
    assert.ok(first && second)
    assert.equal(first['webhook-id'], second['webhook-id'])
    assert.equal(Number(second['webhook-timestamp']) - Number(first['webhook-timestamp']), 5)
    assert.notEqual(first['webhook-signature'], second['webhook-signature'])
  })

  test('a test alert carries nulls, and a name survives whatever it holds', async (t) => {
    const receiver = await startReceiver(t, replyWith(200))
    const config = configs.webhook(receiver)
    await send(channelsFor(), 'webhook', sendingTo(config, { alert: { ...TEST, name: NASTY } }))
    assert.deepEqual(receiver.lastJson(), {
      event: 'test',
      type: 'test',
      id: null,
      name: NASTY,
      target: null,
      timestamp: '2026-11-21T09:30:00+00:00',
    })
  })
})
