import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { webhookPayload } from '../../../src/core/alerting/alert.ts'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { monitorAlert } from '../../../src/engine/alerting/monitor-alert.ts'
import type { Subject } from '../../../src/store/monitors/recording.ts'

const AT = new Date('2026-11-23T12:00:00Z')
const SUBJECT: Subject = {
  monitorId: 5,
  teamId: 7,
  teamName: 'Acme',
  name: 'Shop',
  url: 'https://shop.example/',
  sealedUrl: null,
  intervalSeconds: 60,
  runbookUrl: 'https://wiki.example/shop',
  notes: 'Call Ada.\nRestart it.',
  downServers: null,
  readAt: AT,
  heardUntil: null,
}
const alertOf = (event: Parameters<typeof monitorAlert>[0], subject = SUBJECT) =>
  monitorAlert(event, subject, AT, resultWithout('down', 'HTTP 503'), null)

describe('an alert about a monitor', () => {
  it('says what to do about trouble, by the notes and the runbook of its monitor', () => {
    for (const event of ['monitor.down', 'monitor.degraded'] as const) {
      const { runbook, notes } = alertOf(event)
      assert.deepEqual([runbook, notes], ['https://wiki.example/shop', 'Call Ada. · Restart it.'])
    }
    assert.ok(!('runbook' in alertOf('monitor.recovery')), 'there is nothing left to do')
    const bare = alertOf('monitor.down', { ...SUBJECT, runbookUrl: null, notes: null })
    assert.ok(!('runbook' in bare) && !('notes' in bare))
  })

  it('names the server that its target is on, if that is down, while the monitor goes down', () => {
    const downServers = [{ name: 'Web 1', hostName: 'SHOP' }]
    assert.equal(alertOf('monitor.down', { ...SUBJECT, downServers }).server, 'Web 1')
    for (const event of ['monitor.recovery', 'monitor.degraded'] as const)
      assert.ok(!('server' in alertOf(event, { ...SUBJECT, downServers })))
    assert.ok(!('server' in alertOf('monitor.down')))
  })

  it('has the six documented members as a webhook, and no more', () => {
    assert.deepEqual(Object.keys(webhookPayload(alertOf('monitor.down'))), [
      'event',
      'type',
      'id',
      'name',
      'target',
      'timestamp',
    ])
  })
})
