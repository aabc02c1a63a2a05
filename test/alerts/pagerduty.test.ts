import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pagerdutyEvent } from '../../src/alerts/pagerduty.ts'
import type { Alert } from '../../src/core/alerting/alert.ts'
import { replyJson, startReceiver } from '../support/servers/receivers.ts'
import {
  DEGRADED,
  DOWN,
  RECOVERY,
  SERVER_DEGRADED,
  SITE_URL,
  sendingTo,
  TEST,
} from '../support/servers/receivers-alert.ts'
import { channelsFor, sendOver } from '../support/servers/receivers-channels.ts'
import { likePagerDuty } from '../support/servers/receivers-push.ts'

const KEY = 'sEcReTsEcReTsEcReTsEcReT01234567'
const INCIDENT = 'upbeat.example-monitor-incident-7'

/** The channel of an account in the EU. */
function channelTo(url: string) {
  const pagerDutyEvents = { us: 'http://127.0.0.1:1', eu: url }
  const apiUrls = { telegramApi: '', pagerDutyEvents, pushoverApi: '', twilioApi: '' }
  return channelsFor({ apiUrls }).pagerduty
}

describe('pagerduty', () => {
  test('hears that somebody has the incident, and of nothing else meanwhile', () => {
    const acknowledged = { by: 'Ada', at: DOWN.occurredAt, note: null }
    const actionOf = (alert: Alert) =>
      pagerdutyEvent({ ...sendingTo(null, { alert }), incidentId: 7 }, SITE_URL).event_action
    assert.deepEqual([DOWN, { ...DOWN, acknowledged }, { ...RECOVERY, acknowledged }].map(actionOf), [
      'trigger',
      'acknowledge',
      'resolve',
    ])
  })

  test('has an incident from the outage to the recovery, however often either is sent', async (t) => {
    const open = new Set<string>()
    const receiver = await startReceiver(t, likePagerDuty(KEY, open))
    const channel = channelTo(receiver.url)
    const config = { routing_key: KEY, region: 'eu' } as const
    for (const messageId of ['a', 'a', 'b']) {
      const outcome = await channel(sendingTo(config, { messageId }))
      assert.deepEqual(outcome, { kind: 'sent', statusCode: 202, detail: 'HTTP 202: Event processed' })
    }
    assert.deepEqual([...open], [INCIDENT])
    await channel(sendingTo(config, { messageId: 'c', alert: RECOVERY }))
    assert.deepEqual([...open], [])
    const { dedup_key, event_action, payload } = receiver.lastJson() as ReturnType<typeof pagerdutyEvent>
    assert.deepEqual([dedup_key, event_action], [INCIDENT, 'resolve'])
    assert.equal(payload.summary, 'Shop has recovered')
    assert.equal(payload.custom_details['Was down for'], '4 minutes 10 seconds')
  })

  test('is told what, since when, why, and what to press', () => {
    const acknowledgeUrl = `${SITE_URL}/acknowledge/x`
    const alert = { ...DOWN, teamId: 3, runbook: 'https://wiki.example/shop' }
    const sending = { ...sendingTo(null, { alert, acknowledgeUrl }) }
    assert.deepEqual(pagerdutyEvent(sending, SITE_URL), {
      dedup_key: INCIDENT,
      event_action: 'trigger',
      client: 'Upbeat',
      client_url: `${SITE_URL}/teams/3/incidents/7`,
      links: [
        { text: 'Acknowledge', href: acknowledgeUrl },
        { text: 'Open Upbeat', href: `${SITE_URL}/teams/3/incidents/7` },
        { text: 'Open runbook', href: 'https://wiki.example/shop' },
      ],
      payload: {
        summary: 'Shop is down',
        source: 'https://shop.example/',
        severity: 'critical',
        timestamp: DOWN.occurredAt,
        class: 'monitor.down',
        custom_details: {
          Target: 'https://shop.example/',
          Cause: 'HTTP 503 (expected 200)',
          'Down since': '2026-11-21 09:30:00 UTC',
          Team: 'Acme',
        },
      },
    })
  })

  const table: [
    what: string,
    sending: Parameters<typeof pagerdutyEvent>[0],
    severity: string,
    key: string,
  ][] = [
    [
      'a warning without an incident',
      sendingTo(null, { alert: DEGRADED, incidentId: null }),
      'warning',
      'msg_2f1c',
    ],
    ['a warning of a server', sendingTo(null, { alert: SERVER_DEGRADED }), 'warning', 'server-incident-7'],
    ['a test', sendingTo(null, { alert: TEST, incidentId: null }), 'info', 'msg_2f1c'],
    [
      'a step of a drill',
      sendingTo(null, { alert: { ...TEST, drill: { id: 5, policy: 'Nights' } }, incidentId: null }),
      'info',
      'drill-5',
    ],
  ]
  for (const [what, sending, severity, key] of table) {
    test(`${what} is of severity ${severity}, and named ${key}`, () => {
      const event = pagerdutyEvent(sending, SITE_URL)
      assert.deepEqual(
        [event.event_action, event.dedup_key, event.payload.severity],
        ['trigger', `upbeat.example-${key}`, severity],
      )
    })
  }

  test('a summary and a key are within their limits', () => {
    const sending = sendingTo(null, { alert: { ...DOWN, name: 'x'.repeat(3_000) } })
    const event = pagerdutyEvent(sending, `https://${'a.'.repeat(140)}example`)
    assert.ok(event.payload.summary.length <= 1_024)
    assert.ok(event.dedup_key.length <= 255 && event.dedup_key.endsWith('monitor-incident-7'))
  })

  test('another key is refused, in its words', async (t) => {
    const outcome = await channelTo((await startReceiver(t, likePagerDuty('x'.repeat(32)))).url)(
      sendingTo({ routing_key: KEY, region: 'eu' }),
    )
    assert.deepEqual(
      [outcome.kind, outcome.detail],
      ['rejected', 'HTTP 400: Event object is invalid: Invalid routing key'],
    )
  })

  test('a limit of requests is tried again', async (t) => {
    const receiver = await startReceiver(t, (response) =>
      replyJson(response, 429, {
        status: 'throttle exceeded',
        message: 'Requests for this service are too many',
      }),
    )
    assert.equal((await sendOver('pagerduty', receiver)).kind, 'retry')
  })
})
