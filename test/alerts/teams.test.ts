import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { replyJson, startReceiver } from '../support/servers/receivers.ts'
import { DOWN, SITE_URL } from '../support/servers/receivers-alert.ts'
import { NASTY, sendOver } from '../support/servers/receivers-channels.ts'
import { likeTeams } from '../support/servers/receivers-chats.ts'

type Payload = { attachments: { content: { body: object[]; actions: object[] } }[] }

describe('teams', () => {
  test('is told what happened by an Adaptive Card, and has buttons', async (t) => {
    const receiver = await startReceiver(t, likeTeams)
    const acknowledgeUrl = `${SITE_URL}/acknowledge/x`
    const alert = { ...DOWN, teamId: 3, runbook: 'https://wiki.example/shop' }
    assert.deepEqual(await sendOver('teams', receiver, {}, { alert, acknowledgeUrl }), {
      kind: 'sent',
      statusCode: 202,
      detail: 'HTTP 202',
    })
    const { attachments } = receiver.lastJson() as Payload
    const { body, actions } = attachments[0]?.content ?? assert.fail('no card')
    assert.deepEqual(body.slice(0, 2), [
      {
        type: 'RichTextBlock',
        inlines: [
          { type: 'TextRun', text: '🔴 Shop is down', size: 'Large', weight: 'Bolder', color: 'Attention' },
        ],
      },
      {
        type: 'RichTextBlock',
        inlines: [
          { type: 'TextRun', text: 'Target: ', weight: 'Bolder' },
          { type: 'TextRun', text: 'https://shop.example/' },
        ],
      },
    ])
    assert.deepEqual(actions, [
      { type: 'Action.OpenUrl', title: 'Acknowledge', url: acknowledgeUrl },
      { type: 'Action.OpenUrl', title: 'Open Upbeat', url: `${SITE_URL}/teams/3/incidents/7` },
      { type: 'Action.OpenUrl', title: 'Open runbook', url: 'https://wiki.example/shop' },
    ])
  })

  test('is sent a name as it is: its runs of text know no Markdown', async (t) => {
    const receiver = await startReceiver(t, likeTeams)
    assert.equal((await sendOver('teams', receiver, {}, { alert: { ...DOWN, name: NASTY } })).kind, 'sent')
    assert.ok(receiver.requests[0]?.body.includes(JSON.stringify(`🔴 ${NASTY} is down`)))
    assert.doesNotMatch(receiver.requests[0]?.body ?? '', /"TextBlock"|"FactSet"/)
  })

  test('a card of any length stays below 28 kB', async (t) => {
    const receiver = await startReceiver(t, likeTeams)
    const long = '日"'.repeat(2_000)
    const alert = { ...DOWN, name: long, cause: long, teamName: long, notes: long, target: long }
    assert.deepEqual((await sendOver('teams', receiver, {}, { alert })).kind, 'sent')
  })

  const refusals: [status: number, code: string, message: string, kind: string][] = [
    [400, 'WorkflowTriggerIsNotEnabled', 'Could not execute workflow: it is off.', 'rejected'],
    [401, 'DirectApiAuthorizationRequired', 'The request must be authenticated.', 'rejected'],
    [404, 'WorkflowNotFound', 'The workflow could not be found.', 'rejected'],
    [429, 'WorkflowOperationInvocationsRateLimitExceeded', 'Too many requests.', 'retry'],
  ]
  for (const [status, code, message, kind] of refusals) {
    test(`${code} is ${kind}`, async (t) => {
      const receiver = await startReceiver(t, (response) =>
        replyJson(response, status, { error: { code, message } }),
      )
      const outcome = await sendOver('teams', receiver)
      assert.deepEqual([outcome.kind, outcome.detail], [kind, `HTTP ${status}: ${message}`])
    })
  }
})
