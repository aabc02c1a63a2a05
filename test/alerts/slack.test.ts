import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { send } from '../../src/alerts/channels.ts'
import { likeSlack, replyWith, startReceiver } from '../support/servers/receivers.ts'
import { DOWN, sendingTo } from '../support/servers/receivers-alert.ts'
import { channelsFor, configs, NASTY, sendOver } from '../support/servers/receivers-channels.ts'

describe('slack', () => {
  test('is told what happened, in a shape that it accepts', async (t) => {
    const receiver = await startReceiver(t, likeSlack)
    const outcome = await sendOver('slack', receiver)
    assert.deepEqual(outcome, { kind: 'sent', statusCode: 200, detail: 'HTTP 200: ok' })
    const { text } = receiver.lastJson() as { text: string }
    assert.equal(
      text,
      '🔴 Shop is down\nTarget: https://shop.example/\nCause: HTTP 503 (expected 200)\n' +
        'Down since: 2026-11-21 09:30:00 UTC\nTeam: Acme',
    )
  })

  test('posts to the channel that is named, and names none otherwise', async (t) => {
    const receiver = await startReceiver(t, likeSlack)
    for (const more of [{}, { channel: '#ops' }]) {
      await send(channelsFor(), 'slack', sendingTo({ ...configs.slack(receiver), ...more }))
    }
    const channels = receiver.requests.map(({ body }) => JSON.parse(body).channel)
    assert.deepEqual(channels, [undefined, '#ops'])
  })

  for (const [name, type] of [
    ['*Shop* _x_ ~y~ `z`', 'header'],
    ['*'.repeat(255), 'section'],
  ] as const) {
    test(`the title of ${name.slice(0, 20)} is plain text, whole, in a ${type}`, async (t) => {
      const receiver = await startReceiver(t, likeSlack)
      const outcome = await send(
        channelsFor(),
        'slack',
        sendingTo(configs.slack(receiver), { alert: { ...DOWN, name } }),
      )
      assert.equal(outcome.kind, 'sent', outcome.detail)
      const { blocks, mrkdwn } = receiver.lastJson() as { blocks: unknown[]; mrkdwn: boolean }
      const text = { type: 'plain_text', text: `🔴 ${name} is down`, emoji: true }
      assert.deepEqual([blocks[0], mrkdwn], [{ type, text }, false])
    })
  }

  test('a name can neither ping nor link', async (t) => {
    const receiver = await startReceiver(t, likeSlack)
    const config = configs.slack(receiver)
    await send(channelsFor(), 'slack', sendingTo(config, { alert: { ...DOWN, name: NASTY } }))
    const { blocks } = receiver.lastJson() as { blocks: unknown[] }
    const body = receiver.requests[0]?.body ?? ''
    assert.ok(body.includes('&lt;!channel&gt;'))
    assert.ok(!body.includes('<!'))
    assert.equal(JSON.stringify(blocks).match(/"mrkdwn"/g)?.length, 2)
    assert.equal(JSON.stringify(blocks).match(/"verbatim":true/g)?.length, 2)
  })

  const refusals: [statusCode: number, body: string, kind: string][] = [
    [400, 'invalid_payload', 'rejected'],
    [403, 'action_prohibited', 'rejected'],
    [404, 'no_service', 'rejected'],
    [410, 'channel_is_archived', 'rejected'],
    [500, 'rollup_error', 'retry'],
  ]
  for (const [statusCode, body, kind] of refusals) {
    test(`"${body}" is ${kind} and stands in the log`, async (t) => {
      const outcome = await sendOver('slack', await startReceiver(t, replyWith(statusCode, body)))
      assert.equal(outcome.kind, kind)
      assert.equal(outcome.detail, `HTTP ${statusCode}: ${body}`)
    })
  }
})
