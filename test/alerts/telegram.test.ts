import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { likeTelegram, replyJson, startReceiver } from '../support/servers/receivers.ts'
import { RECOVERY, SITE_URL } from '../support/servers/receivers-alert.ts'
import { sendOver, TOKEN } from '../support/servers/receivers-channels.ts'

describe('telegram', () => {
  test('is told what happened, in a shape that it accepts', async (t) => {
    const receiver = await startReceiver(t, likeTelegram(TOKEN, '-1001234'))
    assert.equal((await sendOver('telegram', receiver)).kind, 'sent')
    assert.equal(receiver.requests[0]?.path, `/bot${TOKEN}/sendMessage`)
    assert.deepEqual(receiver.lastJson(), {
      chat_id: '-1001234',
      text:
        '🔴 <b>Shop is down</b>\n\n<b>Target:</b> https://shop.example/\n' +
        '<b>Cause:</b> HTTP 503 (expected 200)\n<b>Down since:</b> 2026-11-21 09:30:00 UTC\n' +
        `<b>Team:</b> Acme\n\n${SITE_URL}`,
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    })
  })

  test('has later messages answer the first one, but not in another chat', async (t) => {
    const receiver = await startReceiver(t, likeTelegram(TOKEN, '-1001234'))
    const first = await sendOver('telegram', receiver)
    assert.equal(first.kind === 'sent' && first.receipt, '-1001234 1')
    for (const firstReceipt of ['-1001234 1', '-1009 1']) {
      await sendOver('telegram', receiver, {}, { alert: RECOVERY, firstReceipt })
    }
    const answered = receiver.requests.map(({ body }) => JSON.parse(body).reply_parameters)
    assert.deepEqual(answered, [undefined, { message_id: 1, allow_sending_without_reply: true }, undefined])
  })

  test('posts to the topic that is named', async (t) => {
    const receiver = await startReceiver(t, likeTelegram(TOKEN, '-1001234'))
    const config = { bot_token: TOKEN, chat_id: '-1001234', message_thread_id: '7' }
    assert.equal((await sendOver('telegram', receiver, {}, {}, config)).kind, 'sent')
    assert.equal((receiver.lastJson() as { message_thread_id: unknown }).message_thread_id, 7)
  })

  const refusals: [code: number, description: string, parameters: object, kind: string, detail: string][] = [
    [400, 'Bad Request: chat not found', {}, 'rejected', 'HTTP 400: Bad Request: chat not found'],
    [401, 'Unauthorized', {}, 'rejected', 'HTTP 401: Unauthorized'],
    [403, 'Forbidden: bot was kicked', {}, 'rejected', 'HTTP 403: Forbidden: bot was kicked'],
    [404, 'Not Found', {}, 'rejected', 'HTTP 404: Not Found'],
    [429, 'Too Many Requests', { retry_after: 35 }, 'retry', 'HTTP 429: Too Many Requests'],
    [502, 'Bad Gateway', {}, 'retry', 'HTTP 502: Bad Gateway'],
    [
      400,
      'Bad Request: group chat was upgraded',
      { migrate_to_chat_id: -1009 },
      'moved',
      "HTTP 400: Bad Request: group chat was upgraded (the chat's id is now -1009)",
    ],
  ]
  for (const [error_code, description, parameters, kind, detail] of refusals) {
    test(`${error_code} "${description}" is ${kind}`, async (t) => {
      const receiver = await startReceiver(t, (response) =>
        replyJson(response, error_code, { ok: false, error_code, description, parameters }),
      )
      const outcome = await sendOver('telegram', receiver)
      assert.equal(outcome.kind, kind)
      assert.equal(outcome.detail, detail)
      if (outcome.kind === 'moved') assert.deepEqual(outcome.config, { chat_id: '-1009' })
      if (outcome.kind === 'retry') assert.equal(outcome.retryAfterSeconds, error_code === 429 ? 35 : null)
    })
  }

  test('ok: false behind a 200 is no success', async (t) => {
    const receiver = await startReceiver(t, (response) =>
      replyJson(response, 200, { ok: false, error_code: 403, description: 'Forbidden' }),
    )
    assert.equal((await sendOver('telegram', receiver)).kind, 'rejected')
  })

  test('the bot token never stands in the log, not even when the server repeats it', async (t) => {
    const receiver = await startReceiver(t, (response, { path }) =>
      response.writeHead(404).end(`no route for ${path} or ${encodeURIComponent(TOKEN)}`),
    )
    const outcome = await sendOver('telegram', receiver)
    assert.equal(outcome.detail, 'HTTP 404: no route for /bot********/sendMessage or ********')
  })
})
