import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { send } from '../../src/alerts/channels.ts'
import { encryptPush, MAX_PUSH_BYTES } from '../../src/alerts/push-encryption.ts'
import { vapidAuthorization } from '../../src/alerts/vapid.ts'
import { pushMessage } from '../../src/alerts/webpush.ts'
import { atPublicAddress } from '../support/net/public-here.ts'
import {
  decryptPush,
  likePushService,
  makePushKeys,
  makeSubscription,
  messageIn,
  readVapid,
} from '../support/servers/push-service.ts'
import { type Receiver, replyWith, startReceiver } from '../support/servers/receivers.ts'
import {
  DOWN,
  RECOVERY,
  SENT_AT,
  SERVER_DEGRADED,
  SERVER_DOWN,
  SITE_RECOVERY,
  SITE_URL,
  sendingTo,
  TEST,
} from '../support/servers/receivers-alert.ts'
import { BROWSER, channelsFor, configs, PUSH_KEYS, sendOver } from '../support/servers/receivers-channels.ts'

const IN_TEAM = { ...DOWN, teamId: 3 }

/** A push service that is as strict as those of browsers. */
async function startPushService(t: { after: (close: () => Promise<void>) => void }): Promise<Receiver> {
  const receiver: Receiver = await startReceiver(
    t,
    likePushService({
      publicKey: async () => PUSH_KEYS.publicKey,
      origin: () => atPublicAddress(receiver.url),
      now: () => SENT_AT,
    }),
  )
  return receiver
}

describe('the encryption of a push message', () => {
  test('is that of the example of RFC 8291', () => {
    const bytes = (text: string) => Buffer.from(text, 'base64url')
    const encrypted = encryptPush(
      'When I grow up, I want to be a watermelon',
      {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
      {
        salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
        privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
      },
    )
    assert.equal(
      encrypted.toString('base64url'),
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  test('is read by the browser alone, and differs each time', () => {
    const browser = makeSubscription()
    const [first, second] = ['🔔 Straße', '🔔 Straße'].map((text) => encryptPush(text, browser.keys))
    assert.ok(first && second)
    assert.equal(decryptPush(first, browser), '🔔 Straße')
    assert.notDeepEqual(first, second)
    assert.throws(() => decryptPush(first, makeSubscription()), /unable to authenticate/)
  })

  test('takes what fits in 4,096 bytes, and not a byte more', () => {
    const { keys } = makeSubscription()
    assert.equal(encryptPush('x'.repeat(MAX_PUSH_BYTES), keys).length, 4_096)
    assert.throws(() => encryptPush('x'.repeat(MAX_PUSH_BYTES + 1), keys), RangeError)
  })
})

describe('the header that push services know us by', () => {
  test('is signed for the origin of the service, for less than a day', () => {
    const keys = makePushKeys()
    const endpoint = 'https://push.example:8443/a/b?c'
    const claims = readVapid(vapidAuthorization(endpoint, keys, 'https://upbeat.example', SENT_AT))
    assert.deepEqual(claims, {
      aud: 'https://push.example:8443',
      exp: SENT_AT.getTime() / 1_000 + 12 * 3_600,
      sub: 'https://upbeat.example',
      key: keys.publicKey,
    })
    const withoutSubject = readVapid(vapidAuthorization(endpoint, keys, null, SENT_AT))
    assert.equal('sub' in withoutSubject, false)
  })
})

describe('a browser', () => {
  test('is told what happened, in a shape that its push service and its service worker accept', async (t) => {
    const receiver = await startPushService(t)
    const config = configs.webpush(receiver)
    const outcome = await send(channelsFor(), 'webpush', sendingTo(config, { alert: IN_TEAM }))
    assert.equal(outcome.kind, 'sent', outcome.detail)
    const [request] = receiver.requests
    assert.ok(request)
    assert.deepEqual(messageIn(request, BROWSER), {
      title: 'Shop is down',
      text: 'HTTP 503 (expected 200)\nAcme',
      at: { label: 'Down since', time: DOWN.occurredAt },
      tag: 'monitor-incident-7',
      path: '/teams/3/incidents/7',
      isUrgent: true,
    })
    assert.deepEqual([request.headers.ttl, request.headers.urgency], ['86400', 'high'])
    assert.equal(request.path, new URL(config.endpoint).pathname)
  })

  test('has a button to acknowledge, and says why an alert comes again', () => {
    const acknowledgeUrl = `${SITE_URL}/ack/m7-1-x`
    const escalation = {
      kind: 'reminder',
      number: 1,
      round: 0,
      steps: 0,
      policy: null,
      seconds: 600,
    } as const
    const { acknowledge, text } = pushMessage({ ...IN_TEAM, escalation }, { incidentId: 7, acknowledgeUrl })
    assert.equal(acknowledge, acknowledgeUrl)
    assert.equal(text, 'Still down for 10 min, not acknowledged.\nHTTP 503 (expected 200)\nAcme')
    assert.equal(
      pushMessage(IN_TEAM, { incidentId: 7, acknowledgeUrl: `${SITE_URL}/${'x'.repeat(500)}` }).acknowledge,
      undefined,
    )
    const acknowledged = { by: 'Ada', at: DOWN.occurredAt, note: 'On it' }
    assert.match(
      pushMessage({ ...RECOVERY, acknowledged }, { incidentId: 7 }).text,
      /^Acknowledged: Ada at 2026-11-21 09:30:00 UTC: On it$/m,
    )
  })

  test('reads it in the language of the team', () => {
    const { title, text, at } = pushMessage({ ...IN_TEAM, ...RECOVERY, language: 'de' }, { incidentId: 7 })
    assert.deepEqual([title, at.label], ['Shop läuft wieder', 'Wiederhergestellt'])
    assert.equal(text, 'HTTP 503 (expected 200)\nDauer: 4 Minuten 10 Sekunden\nAcme')
  })

  test('has the recovery in the place of the outage, there and at the push service', async (t) => {
    const receiver = await startPushService(t)
    const config = configs.webpush(receiver)
    const alerts = [IN_TEAM, { ...IN_TEAM, ...RECOVERY }]
    for (const alert of alerts) await send(channelsFor(), 'webpush', sendingTo(config, { alert }))
    await send(channelsFor(), 'webpush', sendingTo(config, { alert: IN_TEAM, incidentId: 8 }))
    const [down, up, next] = receiver.requests
    assert.ok(down && up && next)
    assert.equal(messageIn(down, BROWSER).tag, messageIn(up, BROWSER).tag)
    assert.equal(down.headers.topic, up.headers.topic)
    assert.notEqual(down.headers.topic, next.headers.topic)
    assert.equal(up.headers.urgency, 'normal')
    assert.equal(messageIn(up, BROWSER).text, 'HTTP 503 (expected 200)\nLasted: 4 minutes 10 seconds\nAcme')
  })

  test('opens by a click what the alert is about', () => {
    const paths = [
      [IN_TEAM, 7, '/teams/3/incidents/7'],
      [IN_TEAM, null, '/teams/3/monitors/42'],
      [{ ...SERVER_DOWN, teamId: 3 }, 7, '/teams/3/incidents/servers/7'],
      [{ ...SERVER_DOWN, teamId: 3 }, null, '/teams/3/servers/42'],
      [{ ...SITE_RECOVERY, teamId: 3 }, 7, '/teams/3/incidents/sites/7'],
      [{ ...TEST, teamId: 3 }, null, '/teams/3/contacts'],
      [DOWN, 7, '/'],
    ] as const
    for (const [alert, incidentId, path] of paths) assert.equal(pushMessage(alert, { incidentId }).path, path)
    const tags = [IN_TEAM, SERVER_DEGRADED, TEST].map((alert) => pushMessage(alert, { incidentId: null }).tag)
    assert.deepEqual(tags, ['monitor.down-42', 'server.degraded-42', 'test'])
  })

  test('gets the longest names and causes within the bounds of a message', () => {
    const longest = fc.record({
      name: fc.string({ unit: fc.constantFrom('"', '\\', 'x', '日', '👩'), minLength: 255, maxLength: 255 }),
      cause: fc.string({ unit: fc.constantFrom('"', '\\', '日', '👩'), minLength: 500, maxLength: 3_000 }),
      teamName: fc.string({ unit: fc.constantFrom('日', '👩'), minLength: 255, maxLength: 255 }),
    })
    fc.assert(
      fc.property(longest, fc.constantFrom(DOWN, SERVER_DOWN, SITE_RECOVERY), (texts, alert) => {
        const message = JSON.stringify(
          pushMessage({ ...alert, ...texts, teamId: 2 ** 31 - 1 }, { incidentId: 2 ** 52 }),
        )
        assert.ok(Buffer.byteLength(message) <= MAX_PUSH_BYTES)
        assert.ok(message.isWellFormed())
      }),
      { numRuns: 50 },
    )
  })

  const answers: [status: number, headers: Record<string, string>, kind: string, isGone: boolean][] = [
    [201, {}, 'sent', false],
    [404, {}, 'rejected', true],
    [410, {}, 'rejected', true],
    [413, {}, 'rejected', false],
    [403, {}, 'rejected', false],
    [429, { 'retry-after': '30' }, 'retry', false],
    [500, {}, 'retry', false],
  ]
  for (const [status, headers, kind, isGone] of answers) {
    test(`HTTP ${status} is ${kind}${isGone ? ', and the end of the subscription' : ''}`, async (t) => {
      const outcome = await sendOver('webpush', await startReceiver(t, replyWith(status, 'so', headers)))
      assert.equal(outcome.kind, kind)
      assert.equal('refusesReceiver' in outcome, isGone)
      if (outcome.kind === 'retry') {
        assert.equal(outcome.retryAfterSeconds, headers['retry-after'] ? 30 : null)
      }
    })
  }

  test('whose key is no point of the curve is refused for good, and not asked', async (t) => {
    const receiver = await startPushService(t)
    const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url')
    const config = { ...configs.webpush(receiver), p256dh }
    assert.deepEqual(await send(channelsFor(), 'webpush', sendingTo(config)), {
      kind: 'rejected',
      statusCode: null,
      detail: 'the keys of this browser are not valid',
    })
    assert.equal(receiver.requests.length, 0)
  })
})
