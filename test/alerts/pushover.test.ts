import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pushoverCapacity } from '../../src/alerts/pushover.ts'
import { partsOfGroup } from '../../src/alerts/text/group.ts'
import { replyJson, startReceiver } from '../support/servers/receivers.ts'
import { DEGRADED, DOWN, RECOVERY, SITE_URL } from '../support/servers/receivers-alert.ts'
import { sendOver } from '../support/servers/receivers-channels.ts'
import { likePushover } from '../support/servers/receivers-push.ts'

const TOKEN = 'sEcReTsEcReTsEcReT0123456789ab'
const USER = 'sEcReTsEcReTsEcReTba9876543210'

const formOf = (body: string) => Object.fromEntries(new URLSearchParams(body))

describe('pushover', () => {
  test('is told of an outage as an emergency, which comes again until somebody takes note', async (t) => {
    const receiver = await startReceiver(t, likePushover(TOKEN, USER))
    const acknowledgeUrl = `${SITE_URL}/acknowledge/x`
    const alert = { ...DOWN, teamId: 3 }
    assert.deepEqual(await sendOver('pushover', receiver, {}, { alert, acknowledgeUrl }), {
      kind: 'sent',
      statusCode: 200,
      detail: 'HTTP 200: request r-3',
    })
    assert.deepEqual(
      receiver.requests.map(({ path, body }) => [path, formOf(body)]),
      [
        [
          '/1/messages.json',
          {
            token: TOKEN,
            user: USER,
            timestamp: '1795253400',
            title: '🔴 Shop is down',
            message:
              'Target: https://shop.example/\nCause: HTTP 503 (expected 200)\n' +
              `Down since: 2026-11-21 09:30:00 UTC\nTeam: Acme\nAcknowledge: ${acknowledgeUrl}`,
            priority: '2',
            retry: '60',
            expire: '3600',
            tags: 'upbeat.example-monitor-incident-7',
            url: `${SITE_URL}/teams/3/incidents/7`,
            url_title: 'Open Upbeat',
          },
        ],
      ],
    )
  })

  test('a recovery stops what came again, and is quiet itself', async (t) => {
    const receiver = await startReceiver(t, likePushover(TOKEN, USER))
    assert.equal((await sendOver('pushover', receiver, {}, { alert: RECOVERY })).kind, 'sent')
    const [stopped, told, ...others] = receiver.requests
    assert.equal(stopped?.path, '/1/receipts/cancel_by_tag/upbeat.example-monitor-incident-7.json')
    assert.deepEqual(formOf(stopped?.body ?? ''), { token: TOKEN })
    const { title, priority, tags } = formOf(told?.body ?? '')
    assert.deepEqual([title, priority, tags, others], ['🟢 Shop has recovered', '0', undefined, []])
  })

  test('a recovery is told even where nothing can be stopped', async (t) => {
    const answer = likePushover(TOKEN, USER)
    const receiver = await startReceiver(t, (response, received) =>
      received.path.includes('cancel_by_tag') ? response.writeHead(500).end() : answer(response, received),
    )
    assert.equal((await sendOver('pushover', receiver, {}, { alert: RECOVERY })).kind, 'sent')
  })

  test('an acknowledgement stops what is repeated, and is not told', async (t) => {
    const receiver = await startReceiver(t, likePushover(TOKEN, USER))
    const acknowledged = { by: 'Ada', at: DOWN.occurredAt, note: null }
    const ended = { incidents: [{ type: 'monitor' as const, id: 7 }], groups: ['msg_1'] }
    const outcome = await sendOver('pushover', receiver, {}, { alert: { ...DOWN, acknowledged }, ended })
    assert.deepEqual([outcome.kind, outcome.detail], ['sent', 'its emergency is no longer repeated'])
    assert.deepEqual(
      receiver.requests.map(({ path }) => path),
      ['monitor-incident-7', 'group-msg_1'].map(
        (what) => `/1/receipts/cancel_by_tag/upbeat.example-${what}.json`,
      ),
    )
  })

  test('an acknowledgement that Pushover did not take is tried again', async (t) => {
    const receiver = await startReceiver(t, (response) => response.writeHead(503).end())
    const acknowledged = { by: 'Ada', at: DOWN.occurredAt, note: null }
    const outcome = await sendOver('pushover', receiver, {}, { alert: { ...DOWN, acknowledged } })
    assert.equal(outcome.kind, 'retry')
  })

  test('of a group one message is an emergency, which has the name of the group', async (t) => {
    const receiver = await startReceiver(t, likePushover(TOKEN, USER))
    const alerts = Array.from({ length: 60 }, (_, id) => ({
      ...DOWN,
      id,
      name: `Monitor ${'n'.repeat(40)} ${id}`,
    }))
    const parts = partsOfGroup(alerts, pushoverCapacity, { siteUrl: SITE_URL })
    for (const { message, number } of parts) {
      const messageId = number === 1 ? 'msg_1' : `msg_1-${number}`
      await sendOver('pushover', receiver, {}, { messageId, group: message })
    }
    const forms = receiver.requests.map(({ body }) => formOf(body))
    assert.deepEqual(
      forms.map(({ priority, tags }) => [priority, tags]),
      [
        ['2', 'upbeat.example-group-msg_1'],
        ['-1', undefined],
        ['-1', undefined],
      ],
    )
  })

  test('a warning comes once, even in quiet hours', async (t) => {
    const receiver = await startReceiver(t, likePushover(TOKEN, USER))
    await sendOver('pushover', receiver, {}, { alert: DEGRADED, incidentId: null })
    const { priority, retry } = formOf(receiver.requests[0]?.body ?? '')
    assert.deepEqual([priority, retry], ['1', undefined])
  })

  test('a message of any length is within the limits', async (t) => {
    const receiver = await startReceiver(t, likePushover(TOKEN, USER))
    const long = '日👩'.repeat(1_000)
    const alert = {
      ...DOWN,
      name: long,
      cause: long,
      teamName: long,
      runbook: `https://x.example/${'a'.repeat(480)}`,
    }
    const acknowledgeUrl = `${SITE_URL}/acknowledge/${'a'.repeat(400)}`
    const outcome = await sendOver('pushover', receiver, {}, { alert, acknowledgeUrl })
    assert.equal(outcome.kind, 'sent', outcome.detail)
  })

  const refusals: [status: number, errors: string[], kind: string][] = [
    [400, ['application token is invalid'], 'rejected'],
    [400, ['user identifier is not a valid user, group, or subscribed user key'], 'rejected'],
    [429, ['application has exceeded its monthly limit'], 'retry'],
  ]
  for (const [status, errors, kind] of refusals) {
    test(`"${errors}" is ${kind}`, async (t) => {
      const receiver = await startReceiver(t, (response) =>
        replyJson(response, status, { errors, status: 0 }),
      )
      const outcome = await sendOver('pushover', receiver)
      assert.deepEqual([outcome.kind, outcome.detail], [kind, `HTTP ${status}: ${errors}`])
    })
  }
})
