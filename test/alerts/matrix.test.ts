import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { replyJson, startReceiver } from '../support/servers/receivers.ts'
import { DOWN, SITE_URL } from '../support/servers/receivers-alert.ts'
import { NASTY, ROOM, sendOver } from '../support/servers/receivers-channels.ts'
import { likeMatrix } from '../support/servers/receivers-chats.ts'

const TOKEN = 'syt_sEcReT0123456789'

type Event = { body: string; formatted_body: string; 'm.mentions': object }

describe('matrix', () => {
  test('is told what happened, in a shape that it accepts', async (t) => {
    const receiver = await startReceiver(t, likeMatrix(TOKEN, ROOM))
    const acknowledgeUrl = `${SITE_URL}/acknowledge/x`
    assert.deepEqual(await sendOver('matrix', receiver, {}, { acknowledgeUrl }), {
      kind: 'sent',
      statusCode: 200,
      detail: 'HTTP 200: $event1:example.org',
      receipt: `${ROOM} $event1:example.org`,
    })
    assert.deepEqual(receiver.lastJson(), {
      msgtype: 'm.text',
      body:
        '🔴 Shop is down\nTarget: https://shop.example/\nCause: HTTP 503 (expected 200)\n' +
        `Down since: 2026-11-21 09:30:00 UTC\nTeam: Acme\nAcknowledge: ${acknowledgeUrl}\nOpen Upbeat: ${SITE_URL}`,
      format: 'org.matrix.custom.html',
      formatted_body:
        '🔴 <strong>Shop is down</strong><br><strong>Target:</strong> https://shop.example/<br>' +
        '<strong>Cause:</strong> HTTP 503 (expected 200)<br><strong>Down since:</strong> 2026-11-21 09:30:00 UTC<br>' +
        `<strong>Team:</strong> Acme<br><a href="${acknowledgeUrl}">Acknowledge</a> · <a href="${SITE_URL}">Open Upbeat</a>`,
      'm.mentions': {},
    })
  })

  test('takes a message once, however often it is sent', async (t) => {
    const receiver = await startReceiver(t, likeMatrix(TOKEN, ROOM))
    const details = []
    for (const messageId of ['one', 'one', 'two']) {
      details.push((await sendOver('matrix', receiver, {}, { messageId })).detail)
    }
    assert.deepEqual(
      details.map((detail) => detail.replace('HTTP 200: ', '')),
      ['$event1:example.org', '$event1:example.org', '$event2:example.org'],
    )
  })

  test('has later messages answer the first one, but not in another room', async (t) => {
    const receiver = await startReceiver(t, likeMatrix(TOKEN, ROOM))
    for (const firstReceipt of [
      null,
      `${ROOM} $event1:example.org`,
      '!other:example.org $event1:example.org',
    ]) {
      await sendOver('matrix', receiver, {}, { firstReceipt })
    }
    assert.deepEqual(
      receiver.requests.map(({ body }) => JSON.parse(body)['m.relates_to']),
      [undefined, { 'm.in_reply_to': { event_id: '$event1:example.org' } }, undefined],
    )
  })

  test('a name can neither mention nor format', async (t) => {
    const receiver = await startReceiver(t, likeMatrix(TOKEN, ROOM))
    const alert = { ...DOWN, name: `${NASTY} @room` }
    assert.equal((await sendOver('matrix', receiver, {}, { alert })).kind, 'sent')
    const { formatted_body, 'm.mentions': mentions } = receiver.lastJson() as Event
    assert.ok(formatted_body.includes('&lt;b&gt;&amp;amp;&lt;/b&gt;'))
    assert.deepEqual(mentions, {})
  })

  test('an event of any length is below the limit', async (t) => {
    const receiver = await startReceiver(t, likeMatrix(TOKEN, ROOM))
    const long = '日"'.repeat(3_000)
    const alert = { ...DOWN, name: long, cause: long, teamName: long }
    assert.equal((await sendOver('matrix', receiver, {}, { alert })).kind, 'sent')
  })

  const refusals: [status: number, body: Record<string, unknown>, kind: string, wait: number | null][] = [
    [401, { errcode: 'M_UNKNOWN_TOKEN', error: 'Unknown token' }, 'rejected', null],
    [403, { errcode: 'M_FORBIDDEN', error: 'User not in room' }, 'rejected', null],
    [429, { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: 4_100 }, 'retry', 5],
    [502, { errcode: 'M_UNKNOWN', error: 'Bad gateway' }, 'retry', null],
  ]
  for (const [status, body, kind, wait] of refusals) {
    test(`${body.errcode} is ${kind}`, async (t) => {
      const outcome = await sendOver(
        'matrix',
        await startReceiver(t, (response) => replyJson(response, status, body)),
      )
      assert.equal(outcome.kind, kind)
      assert.equal(outcome.detail, `HTTP ${status}: ${body.errcode}: ${body.error}`)
      if (outcome.kind === 'retry') assert.equal(outcome.retryAfterSeconds, wait)
    })
  }

  test('another token, or a room that the account has not joined, is refused', async (t) => {
    for (const [token, room, code] of [
      ['other', ROOM, 401],
      [TOKEN, '!other:example.org', 403],
    ] as const) {
      const outcome = await sendOver('matrix', await startReceiver(t, likeMatrix(token, room)))
      assert.deepEqual([outcome.kind, outcome.statusCode], ['rejected', code])
    }
  })
})
