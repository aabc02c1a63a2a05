import type { Sending } from '../../../src/alerts/channel.ts'
import type { Alert } from '../../../src/core/alerting/alert.ts'

export const SITE_URL = 'https://upbeat.example'
export const SENT_AT = new Date('2026-11-21T09:30:05Z')
export const SIGNING_SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, yes').toString('base64')}`

export const DOWN: Alert = {
  event: 'monitor.down',
  type: 'monitor',
  id: 42,
  name: 'Shop',
  target: 'https://shop.example/',
  occurredAt: '2026-11-21T09:30:00.123456Z',
  cause: 'HTTP 503 (expected 200)',
  downSeconds: null,
  teamName: 'Acme',
}
export const RECOVERY: Alert = { ...DOWN, event: 'monitor.recovery', downSeconds: 250 }
export const DEGRADED: Alert = { ...DOWN, event: 'monitor.degraded', cause: 'certificate expires in 7 days' }
export const SERVER_DOWN: Alert = {
  ...DOWN,
  event: 'server.down',
  type: 'server',
  name: 'web-1',
  target: 'web-1.example',
  cause: '2 % of memory available (0.3 of 16 GB)',
  processes: ['java', 'postgres'],
}
export const SERVER_DEGRADED: Alert = { ...SERVER_DOWN, event: 'server.degraded' }
export const SERVER_RECOVERY: Alert = {
  ...SERVER_DOWN,
  event: 'server.recovery',
  downSeconds: 250,
  ending: '64 % of memory available (10.2 of 16 GB)',
}
export const SITE_DOWN: Alert = {
  ...DOWN,
  event: 'site.down',
  type: 'site',
  cause: 'certificate expired 2 days ago (CN=shop.example)',
  area: 'Certificate',
}
export const SITE_DEGRADED: Alert = { ...SITE_DOWN, event: 'site.degraded', cause: 'MX changed from a to b' }
export const SITE_RECOVERY: Alert = {
  ...SITE_DOWN,
  event: 'site.recovery',
  downSeconds: 250,
  still: ['DNS'],
}
export const TEST: Alert = {
  ...DOWN,
  event: 'test',
  type: 'test',
  id: null,
  name: 'Test alert',
  target: null,
  cause: null,
}

/** One attempt to send, about a monitor that is down unless told otherwise. */
export function sendingTo<Config>(config: Config, changes: Partial<Sending<Config>> = {}): Sending<Config> {
  return {
    messageId: 'msg_2f1c',
    inReplyTo: null,
    firstReceipt: null,
    groupId: null,
    alert: DOWN,
    incidentId: 7,
    timeZone: null,
    config,
    signingSecret: SIGNING_SECRET,
    sentAt: SENT_AT,
    signal: new AbortController().signal,
    ...changes,
  }
}
