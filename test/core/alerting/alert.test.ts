import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Alert, headline, testAlert, webhookPayload } from '../../../src/core/alerting/alert.ts'
import { DOWN } from '../../support/servers/receivers-alert.ts'

test('a webhook gets exactly the six members, in the order of the specification, in whole seconds', () => {
  assert.equal(
    JSON.stringify(webhookPayload({ ...DOWN, teamId: 7 })),
    '{"event":"monitor.down","type":"monitor","id":42,"name":"Shop",' +
      '"target":"https://shop.example/","timestamp":"2026-11-21T09:30:00+00:00"}',
  )
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

test('each event has a headline that names the monitor or server', () => {
  const headlines = Alert.shape.event.options.map((event) => headline({ ...DOWN, event }))
  assert.deepEqual(headlines, [
    'Shop is down',
    'Shop has recovered',
    'Shop needs attention',
    'Shop is down',
    'Shop has recovered',
    'Shop needs attention',
    'Test alert from Upbeat',
  ])
})
