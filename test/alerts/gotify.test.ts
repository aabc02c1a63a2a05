import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { replyJson, startReceiver } from '../support/servers/receivers.ts'
import { DOWN, RECOVERY, SITE_URL, sendingTo } from '../support/servers/receivers-alert.ts'
import { channelsFor, sendOver } from '../support/servers/receivers-channels.ts'
import { likeGotify } from '../support/servers/receivers-push.ts'

const TOKEN = 'A-sEcReT.0123'

describe('gotify', () => {
  test('is told what happened, and opens the incident', async (t) => {
    const receiver = await startReceiver(t, likeGotify(TOKEN))
    const acknowledgeUrl = `${SITE_URL}/acknowledge/x`
    const alert = { ...DOWN, teamId: 3, runbook: 'https://wiki.example/shop' }
    const config = { server_url: receiver.url, app_token: TOKEN }
    const outcome = await channelsFor().gotify(sendingTo(config, { alert, acknowledgeUrl }))
    assert.deepEqual(outcome, { kind: 'sent', statusCode: 200, detail: 'HTTP 200: message 25' })
    assert.deepEqual(receiver.lastJson(), {
      title: '🔴 Shop is down',
      message:
        'Target: https://shop.example/\nCause: HTTP 503 (expected 200)\n' +
        'Down since: 2026-11-21 09:30:00 UTC\nTeam: Acme\n' +
        `Acknowledge: ${acknowledgeUrl}\nRunbook: https://wiki.example/shop`,
      priority: 8,
      extras: {
        'client::display': { contentType: 'text/plain' },
        'client::notification': { click: { url: `${SITE_URL}/teams/3/incidents/7` } },
      },
    })
  })

  test('may be below a path, and is told of a recovery more quietly', async (t) => {
    const receiver = await startReceiver(t, (response) => replyJson(response, 200, { id: 1 }))
    assert.equal((await sendOver('gotify', receiver, {}, { alert: RECOVERY })).kind, 'sent')
    assert.equal(receiver.requests[0]?.path, '/gotify/message')
    assert.equal((receiver.lastJson() as { priority: number }).priority, 5)
  })

  test('another token is refused, in its words', async (t) => {
    const config = { server_url: (await startReceiver(t, likeGotify('other'))).url, app_token: TOKEN }
    assert.deepEqual(await channelsFor().gotify(sendingTo(config)), {
      kind: 'rejected',
      statusCode: 401,
      detail: 'HTTP 401: you need to provide a valid access token or user credentials to access this api',
    })
  })
})
