import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { replyJson, startReceiver } from '../support/servers/receivers.ts'
import { DEGRADED, DOWN, RECOVERY, SITE_URL } from '../support/servers/receivers-alert.ts'
import { NASTY, sendOver } from '../support/servers/receivers-channels.ts'
import { likeGoogleChat } from '../support/servers/receivers-chats.ts'

const SPACE = likeGoogleChat('sEcReT01', 'sEcReT0123456789')

describe('google chat', () => {
  test('is told what happened, in a shape that it accepts', async (t) => {
    const receiver = await startReceiver(t, SPACE)
    const acknowledgeUrl = `${SITE_URL}/acknowledge/x`
    assert.deepEqual(await sendOver('googlechat', receiver, {}, { acknowledgeUrl }), {
      kind: 'sent',
      statusCode: 200,
      detail: 'HTTP 200: spaces/A/messages/B',
    })
    const open = (text: string, url: string) => ({ text, onClick: { openLink: { url } } })
    assert.deepEqual(receiver.lastJson(), {
      text: '🔴 Shop is down',
      cardsV2: [
        {
          cardId: 'alert',
          card: {
            sections: [
              {
                widgets: [
                  {
                    textParagraph: {
                      text:
                        '<b>Target:</b> https://shop.example/<br><b>Cause:</b> HTTP 503 (expected 200)<br>' +
                        '<b>Down since:</b> 2026-11-21 09:30:00 UTC<br><b>Team:</b> Acme',
                    },
                  },
                  {
                    buttonList: {
                      buttons: [open('Acknowledge', acknowledgeUrl), open('Open Upbeat', SITE_URL)],
                    },
                  },
                ],
              },
            ],
          },
        },
      ],
      thread: { threadKey: 'upbeat.example-monitor-incident-7' },
    })
    assert.match(receiver.requests[0]?.headers['content-type'] ?? '', /^application\/json; charset=UTF-8$/)
  })

  test('has one thread for all messages about an incident, and another for a warning without one', async (t) => {
    const threads: string[] = []
    const receiver = await startReceiver(t, (response, received) => {
      threads.push(JSON.parse(received.body).thread.threadKey)
      return SPACE(response, received)
    })
    await sendOver('googlechat', receiver, {}, { messageId: 'a' })
    await sendOver('googlechat', receiver, {}, { messageId: 'b', alert: RECOVERY })
    await sendOver('googlechat', receiver, {}, { messageId: 'c', alert: DEGRADED, incidentId: null })
    const incident = 'upbeat.example-monitor-incident-7'
    assert.deepEqual(threads, [incident, incident, 'upbeat.example-c'])
    assert.ok(
      receiver.requests.every(({ path }) =>
        path.endsWith('&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD'),
      ),
    )
  })

  test('a name can neither mention nor link', async (t) => {
    const receiver = await startReceiver(t, SPACE)
    const name = `${NASTY} <users/all> <https://evil.example|x>`
    const alert = { ...DOWN, name, cause: name }
    assert.equal((await sendOver('googlechat', receiver, {}, { alert })).kind, 'sent')
    const { text, cardsV2 } = receiver.lastJson() as { text: string; cardsV2: unknown }
    assert.doesNotMatch(text, /<(?!\u2060)/)
    assert.ok(JSON.stringify(cardsV2).includes('&lt;users/all&gt;'))
  })

  const refusals: [code: number, status: string, message: string, kind: string][] = [
    [400, 'INVALID_ARGUMENT', 'API key not valid.', 'rejected'],
    [403, 'PERMISSION_DENIED', 'The caller does not have permission', 'rejected'],
    [404, 'NOT_FOUND', 'Requested entity was not found.', 'rejected'],
    [429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (check quota).', 'retry'],
    [503, 'UNAVAILABLE', 'The service is unavailable.', 'retry'],
  ]
  for (const [code, status, message, kind] of refusals) {
    test(`${status} is ${kind}`, async (t) => {
      const receiver = await startReceiver(t, (response) =>
        replyJson(response, code, { error: { code, message, status } }),
      )
      const outcome = await sendOver('googlechat', receiver)
      assert.deepEqual([outcome.kind, outcome.detail], [kind, `HTTP ${code}: ${status}: ${message}`])
    })
  }

  test('another token is refused', async (t) => {
    const outcome = await sendOver('googlechat', await startReceiver(t, likeGoogleChat('sEcReT01', 'other')))
    assert.deepEqual(
      [outcome.kind, outcome.detail],
      ['rejected', 'HTTP 401: UNAUTHENTICATED: Invalid token.'],
    )
  })
})
