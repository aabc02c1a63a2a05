import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { replyJson, startReceiver } from '../support/servers/receivers.ts'
import { DOWN, SITE_URL } from '../support/servers/receivers-alert.ts'
import { NASTY, sendOver } from '../support/servers/receivers-channels.ts'
import { likeMattermost } from '../support/servers/receivers-chats.ts'

const HOOK = likeMattermost('/hooks/sEcReT0123456789')

type Payload = { text: string; attachments: { text: string; color: string }[] }

describe('mattermost', () => {
  test('is told what happened, in a shape that it accepts', async (t) => {
    const receiver = await startReceiver(t, HOOK)
    const acknowledgeUrl = `${SITE_URL}/acknowledge/x`
    assert.deepEqual(await sendOver('mattermost', receiver, {}, { acknowledgeUrl }), {
      kind: 'sent',
      statusCode: 200,
      detail: 'HTTP 200: ok',
    })
    assert.deepEqual(receiver.lastJson(), {
      text: '🔴 **Shop is down**',
      attachments: [
        {
          color: '#d92d20',
          fallback: '🔴 **Shop is down**',
          text:
            '**Target:** https&#58;//shop.example/\n**Cause:** HTTP 503 &#40;expected 200&#41;\n' +
            '**Down since:** 2026-11-21 09&#58;30&#58;00 UTC\n**Team:** Acme\n' +
            `[Acknowledge](${acknowledgeUrl}) · [Open Upbeat](${SITE_URL})`,
        },
      ],
    })
  })

  test('a name can neither mention, link nor format', async (t) => {
    const receiver = await startReceiver(t, HOOK)
    const name = `${NASTY} @channel :smile: ~town-square`
    const alert = { ...DOWN, name, cause: name }
    assert.equal((await sendOver('mattermost', receiver, {}, { alert })).kind, 'sent')
    const { text, attachments } = receiver.lastJson() as Payload
    const [, cause] = /\*\*Cause:\*\* (.*)/.exec(attachments[0]?.text ?? '') ?? []
    assert.doesNotMatch(cause ?? '*', /[@*_`[\]<>~:]/)
    assert.doesNotMatch(text.slice('🔴 **'.length, -2), /@(?!\u2060)|:(?!\u2060)|[*_`[\]<>~]/)
  })

  test('a post of any length is whole', async (t) => {
    const receiver = await startReceiver(t, HOOK)
    const long = '*'.repeat(3_000)
    const alert = { ...DOWN, name: long, cause: long, teamName: long }
    assert.equal((await sendOver('mattermost', receiver, {}, { alert })).kind, 'sent')
  })

  test('a refusal stands in the log in its own words', async (t) => {
    const receiver = await startReceiver(t, (response) =>
      replyJson(response, 400, {
        id: 'web.incoming_webhook.disabled.app_error',
        message: 'Incoming webhooks have been disabled by the system admin.',
        detailed_error: '',
        status_code: 400,
      }),
    )
    const { kind, detail } = await sendOver('mattermost', receiver)
    assert.equal(kind, 'rejected')
    assert.equal(detail, 'HTTP 400: Incoming webhooks have been disabled by the system admin.')
    const other = await sendOver('mattermost', await startReceiver(t, likeMattermost('/hooks/other')))
    assert.deepEqual([other.kind, other.detail], ['rejected', 'HTTP 404: Invalid webhook.'])
  })
})
