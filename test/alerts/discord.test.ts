import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { send } from '../../src/alerts/channels.ts'
import { DISCORD_MESSAGE, likeDiscord, replyJson, startReceiver } from '../support/servers/receivers.ts'
import { DOWN, RECOVERY, SITE_URL, sendingTo } from '../support/servers/receivers-alert.ts'
import { channelsFor, configs, sendOver } from '../support/servers/receivers-channels.ts'

describe('discord', () => {
  test('is told what happened, in a shape that it accepts', async (t) => {
    const receiver = await startReceiver(t, likeDiscord)
    const outcome = await sendOver('discord', receiver)
    assert.deepEqual(outcome, {
      kind: 'sent',
      statusCode: 200,
      detail: `HTTP 200: message ${DISCORD_MESSAGE}`,
      receipt: DISCORD_MESSAGE,
    })
    assert.equal(receiver.requests[0]?.path, '/api/webhooks/1/sEcReT?wait=true')
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

  test('has the first message of an incident edited by its recovery', async (t) => {
    const receiver = await startReceiver(t, likeDiscord)
    const sending = { alert: RECOVERY, firstReceipt: DISCORD_MESSAGE }
    const config = { webhook_url: `${receiver.url}/api/webhooks/1/x?thread_id=5` }
    assert.equal((await sendOver('discord', receiver, {}, sending, config)).kind, 'sent')
    const told = receiver.requests.map(({ method, path, body }) => {
      const { content, embeds } = JSON.parse(body)
      return [method, path, content, embeds[0].color]
    })
    assert.deepEqual(told, [
      ['POST', '/api/webhooks/1/x?thread_id=5&wait=true', '🟢 **Shop has recovered**', 0x12b76a],
      [
        'PATCH',
        `/api/webhooks/1/x/messages/${DISCORD_MESSAGE}?thread_id=5`,
        '🟢 **Shop was down**',
        0x12b76a,
      ],
    ])
  })

  test('posts to the thread that is named, and edits its message there', async (t) => {
    const receiver = await startReceiver(t, likeDiscord)
    const sending = { alert: RECOVERY, firstReceipt: DISCORD_MESSAGE }
    for (const query of ['', '?thread_id=5']) {
      const config = {
        webhook_url: `${receiver.url}/api/webhooks/1/x${query}`,
        thread_id: '1094358301924859904',
      }
      assert.equal((await sendOver('discord', receiver, {}, sending, config)).kind, 'sent')
    }
    const thread = 'thread_id=1094358301924859904'
    const posted = [`?${thread}&wait=true`, `/messages/${DISCORD_MESSAGE}?${thread}`]
    assert.deepEqual(
      receiver.requests.map(({ path }) => path.replace('/api/webhooks/1/x', '')),
      [...posted, ...posted],
    )
  })

  test('has a recovery told even where the first message is gone, and no other alert edits it', async (t) => {
    const receiver = await startReceiver(t, likeDiscord)
    const gone = await sendOver('discord', receiver, {}, { alert: RECOVERY, firstReceipt: '5' })
    assert.deepEqual([gone.kind, receiver.requests.length], ['sent', 2])
    await sendOver('discord', receiver, {}, { alert: DOWN, firstReceipt: DISCORD_MESSAGE })
    assert.deepEqual(
      receiver.requests.map(({ method }) => method),
      ['POST', 'PATCH', 'POST'],
    )
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
