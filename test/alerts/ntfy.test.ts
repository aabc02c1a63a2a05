import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { replyJson, startReceiver } from '../support/servers/receivers.ts'
import { DOWN, RECOVERY, SITE_URL, sendingTo } from '../support/servers/receivers-alert.ts'
import { channelsFor, sendOver } from '../support/servers/receivers-channels.ts'
import { likeNtfy } from '../support/servers/receivers-push.ts'

const TOPIC = 'sEcReT0123456789'
const TOKEN = 'tk_sEcReT0123456789'

describe('ntfy', () => {
  test('is told what happened, so that the phone rings until somebody looks', async (t) => {
    const receiver = await startReceiver(t, likeNtfy(TOPIC, TOKEN))
    const acknowledgeUrl = `${SITE_URL}/acknowledge/x`
    const alert = { ...DOWN, runbook: 'https://wiki.example/shop', teamId: 3 }
    assert.deepEqual(await sendOver('ntfy', receiver, {}, { alert, acknowledgeUrl }), {
      kind: 'sent',
      statusCode: 200,
      detail: 'HTTP 200: message xE73Iyuabi',
    })
    assert.deepEqual(receiver.lastJson(), {
      topic: TOPIC,
      title: '🔴 Shop is down',
      message:
        'Target: https://shop.example/\nCause: HTTP 503 (expected 200)\n' +
        'Down since: 2026-11-21 09:30:00 UTC\nTeam: Acme',
      priority: 5,
      click: `${SITE_URL}/teams/3/incidents/7`,
      actions: [
        { action: 'view', label: 'Acknowledge', url: acknowledgeUrl },
        { action: 'view', label: 'Open runbook', url: 'https://wiki.example/shop' },
      ],
    })
  })

  test('is told of a recovery without waking anybody, and without an empty token', async (t) => {
    const receiver = await startReceiver(t, (response) => replyJson(response, 200, { id: 'x' }))
    const config = { topic_url: `${receiver.url}/ntfy/alerts`, token: '' }
    const { kind } = await channelsFor().ntfy(sendingTo(config, { alert: RECOVERY }))
    assert.equal(kind, 'sent')
    const [request] = receiver.requests
    assert.deepEqual([request?.path, request?.headers.authorization], ['/ntfy/', undefined])
    const { topic, title, priority } = receiver.lastJson() as Record<string, unknown>
    assert.deepEqual([topic, title, priority], ['alerts', '🟢 Shop has recovered', 3])
  })

  test('an alert of any length stays a message, not a file', async (t) => {
    const receiver = await startReceiver(t, likeNtfy(TOPIC, TOKEN))
    const alert = { ...DOWN, name: '日'.repeat(255), cause: '日'.repeat(3_000), teamName: '日'.repeat(255) }
    assert.equal((await sendOver('ntfy', receiver, {}, { alert })).kind, 'sent')
  })

  const refusals: [http: number, code: number, error: string, kind: string][] = [
    [401, 40101, 'unauthorized', 'rejected'],
    [403, 40301, 'forbidden', 'rejected'],
    [429, 42908, 'limit reached: daily message quota reached', 'retry'],
    [507, 50701, 'cannot publish to UnifiedPush topic without previously active subscriber', 'retry'],
  ]
  for (const [http, code, error, kind] of refusals) {
    test(`"${error}" is ${kind}`, async (t) => {
      const receiver = await startReceiver(t, (response) => replyJson(response, http, { code, http, error }))
      const outcome = await sendOver('ntfy', receiver)
      assert.deepEqual([outcome.kind, outcome.detail], [kind, `HTTP ${http}: ${error} (${code})`])
    })
  }

  test('another topic, or another token, is refused', async (t) => {
    for (const [topic, token, code] of [
      ['other', TOKEN, 403],
      [TOPIC, 'tk_other', 401],
    ] as const) {
      const outcome = await sendOver('ntfy', await startReceiver(t, likeNtfy(topic, token)))
      assert.deepEqual([outcome.kind, outcome.statusCode], ['rejected', code])
    }
  })
})
