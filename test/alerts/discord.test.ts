import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { send } from '../../src/alerts/channels.ts'
import { likeDiscord, replyJson, startReceiver } from '../support/servers/receivers.ts'
import { DOWN, SITE_URL, sendingTo } from '../support/servers/receivers-alert.ts'
import { channelsFor, configs, sendOver } from '../support/servers/receivers-channels.ts'

describe('discord', () => {
  test('is told what happened, in a shape that it accepts', async (t) => {
    const receiver = await startReceiver(t, likeDiscord)
    const outcome = await sendOver('discord', receiver)
    assert.deepEqual(outcome, { kind: 'sent', statusCode: 204, detail: 'HTTP 204' })
    assert.deepEqual(receiver.lastJson(), {
      username: 'Upbeat',
      content: '🔴 **Shop is down**',
      embeds: [
        {
          description:
            '**Target:** https\\://shop.example/\n**Cause:** HTTP 503 \\(expected 200\\)\n' +
            `**Down since:** 2026-11-21 09\\:30\\:00 UTC\n**Team:** Acme\n${SITE_URL}`,
          color: 0xd92d20,
        },
      ],
      allowed_mentions: { parse: [] },
    })
  })

  test('a name can neither mention nor mark up', async (t) => {
    const receiver = await startReceiver(t, likeDiscord)
    const config = configs.discord(receiver)
    await send(channelsFor(), 'discord', sendingTo(config, { alert: { ...DOWN, name: '@everyone **x**' } }))
    const { content } = receiver.lastJson() as { content: string }
    assert.equal(content, '🔴 **\\@everyone \\*\\*x\\*\\* is down**')
  })

  const waits: [header: string, body: number, seconds: number][] = [
    ['1', 64.57, 65],
    ['90', 64.57, 90],
  ]
  for (const [header, body, seconds] of waits) {
    test(`of Retry-After ${header} and retry_after ${body} the longer is honoured`, async (t) => {
      const receiver = await startReceiver(t, (response) => {
        response.setHeader('retry-after', header)
        replyJson(response, 429, { message: 'You are being rate limited.', retry_after: body, global: false })
      })
      const outcome = await sendOver('discord', receiver)
      assert.ok(outcome.kind === 'retry')
      assert.equal(outcome.retryAfterSeconds, seconds)
    })
  }

  test('a deleted webhook is rejected with the reason', async (t) => {
    const receiver = await startReceiver(t, (response) =>
      replyJson(response, 404, { message: 'Unknown Webhook', code: 10015 }),
    )
    const outcome = await sendOver('discord', receiver)
    assert.equal(outcome.kind, 'rejected')
    assert.match(outcome.detail, /Unknown Webhook/)
  })
})
