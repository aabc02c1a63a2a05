import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Alert, headline, testAlert, webhookPayload } from '../../../src/core/alerting/alert.ts'
import { flappingAlert, steadyAlert } from '../../../src/core/alerting/flapping.ts'
import { DOWN, SERVER_DOWN, SITE_DOWN } from '../../support/servers/receivers-alert.ts'

test('a webhook gets exactly the six members, in the order of the specification, in whole seconds', () => {
  assert.equal(
    JSON.stringify(webhookPayload({ ...DOWN, teamId: 7 })),
    '{"event":"monitor.down","type":"monitor","id":42,"name":"Shop",' +
      '"target":"https://shop.example/","timestamp":"2026-11-21T09:30:00+00:00"}',
  )
})

test('a webhook about a server has its host name for a target, and no more members', () => {
  assert.equal(
    JSON.stringify(webhookPayload({ ...SERVER_DOWN, still: ['swap'], ending: 'x' })),
    '{"event":"server.down","type":"server","id":42,"name":"web-1",' +
      '"target":"web-1.example","timestamp":"2026-11-21T09:30:00+00:00"}',
  )
})

test('a webhook about a site has its URL for a target, and no more members', () => {
  assert.equal(
    JSON.stringify(webhookPayload({ ...SITE_DOWN, still: ['DNS'] })),
    '{"event":"site.down","type":"site","id":42,"name":"Shop",' +
      '"target":"https://shop.example/","timestamp":"2026-11-21T09:30:00+00:00"}',
  )
})

test('alerts that were stored before servers were known still read', () => {
  assert.deepEqual(Alert.parse(DOWN), DOWN)
})

test('a long cause is cut in the headline, not in the alert', () => {
  const cause = 'x'.repeat(500)
  assert.equal(headline({ ...SERVER_DOWN, cause }), `web-1 is down: ${'x'.repeat(119)}…`)
})

test('a test alert concerns no subject', () => {
  const alert = testAlert({ id: 7, name: 'Acme' }, DOWN.occurredAt)
  assert.deepEqual(Alert.parse(alert), alert)
  assert.deepEqual(webhookPayload(alert), {
    event: 'test',
    type: 'test',
    id: null,
    name: 'Test alert',
    target: null,
    timestamp: '2026-11-21T09:30:00+00:00',
  })
})

test('each event has a headline that names the monitor, server or site', () => {
  const headlines = Alert.shape.event.options.map((event) => headline({ ...DOWN, event }))
  assert.deepEqual(headlines, [
    'Shop is down',
    'Shop has recovered',
    'Shop needs attention',
    'Shop is flapping',
    'Shop is down: HTTP 503 (expected 200)',
    'Shop has recovered',
    'Shop needs attention: HTTP 503 (expected 200)',
    'Shop is flapping: HTTP 503 (expected 200)',
    'Shop is down: HTTP 503 (expected 200)',
    'Shop has recovered',
    'Shop needs attention: HTTP 503 (expected 200)',
    'Shop is flapping: HTTP 503 (expected 200)',
    'Test alert from Upbeat',
  ])
})

test('an alert that something is steady again says how it is, by the event that receivers know', () => {
  const flapping = { since: DOWN.occurredAt, changes: 6, minutes: 10 }
  const steady = (change: Alert, isDown: boolean) =>
    steadyAlert(change, { isDown, at: DOWN.occurredAt, flapping, ...(isDown && { knownAs: 7 }) })
  const server = { ...DOWN, type: 'server' as const }
  assert.deepEqual(
    [
      steady({ ...DOWN, event: 'monitor.recovery' }, false),
      steady(DOWN, false),
      steady(DOWN, true),
      steady({ ...DOWN, event: 'monitor.recovery' }, true),
      steady({ ...server, event: 'server.degraded' }, false),
      steady({ ...server, event: 'server.degraded', cause: null }, true),
    ].map((alert) => [alert.event, headline(alert), alert.knownAs]),
    [
      ['monitor.recovery', 'Shop is steady again: it is up', undefined],
      ['monitor.recovery', 'Shop is steady again: it is up', undefined],
      ['monitor.down', 'Shop is steady again: it is down', 7],
      ['monitor.down', 'Shop is steady again: it is down', 7],
      ['server.recovery', 'Shop is steady again: it has recovered', undefined],
      ['server.degraded', 'Shop is steady again: it needs attention', 7],
    ],
  )
  const told = flappingAlert({ ...DOWN, downSeconds: 5 }, flapping)
  assert.deepEqual(
    [told.event, headline(told), told.downSeconds],
    ['monitor.flapping', 'Shop is flapping', null],
  )
})
