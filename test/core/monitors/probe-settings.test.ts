import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ProbedType } from '../../../src/core/monitors/monitor-types.ts'
import { type ProbeSettings, probeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { PLAIN_SETTINGS } from '../../support/monitor-settings.ts'

const EVERY = ['interval_seconds', 'request_timeout_seconds', 'team_id', 'type', 'url']
const WEB = [
  ...['expected_status_codes', 'http_method', 'password'],
  ...['request_headers', 'ssl_expiry_warning_days', 'username'],
]

const SIGNED_IN = ['password', 'ssl_expiry_warning_days', 'username']

/** The settings that the probe of each type reads besides those of every one. */
const OWN: Record<ProbedType, string[]> = {
  http: WEB,
  keyword: [...WEB, 'expected_keyword'],
  ssl: ['ssl_expiry_warning_days'],
  tcp: ['port', 'ssl_expiry_warning_days'],
  icmp: [],
  dns: [],
  domain: [],
  steps: ['ssl_expiry_warning_days'],
  browser: [],
  smtp: SIGNED_IN,
  imap: SIGNED_IN,
  pop3: SIGNED_IN,
  ssh: [],
  ftp: SIGNED_IN,
  mqtt: SIGNED_IN,
  amqp: SIGNED_IN,
  nats: SIGNED_IN,
  kafka: SIGNED_IN,
  websocket: ['ssl_expiry_warning_days', 'request_headers', 'username', 'password'],
  udp: ['port'],
  ntp: [],
  snmp: ['username', 'password'],
  radius: ['username', 'password'],
  sip: ['ssl_expiry_warning_days'],
  game: [],
  grpc: ['ssl_expiry_warning_days', 'request_headers'],
  ldap: SIGNED_IN,
  docker: ['ssl_expiry_warning_days'],
  postgresql: SIGNED_IN,
  mysql: SIGNED_IN,
  redis: SIGNED_IN,
  mongodb: SIGNED_IN,
  sqlserver: SIGNED_IN,
}

describe('the settings for a probe', () => {
  for (const [type, own] of Object.entries(OWN)) {
    it(`of ${type} are those that it reads`, () => {
      const monitor = { ...PLAIN_SETTINGS, url: 'https://shop.example', interval_seconds: 60, team_id: 7 }
      const settings = probeSettings(type as ProbedType, monitor)
      assert.deepEqual(Object.keys(settings).sort(), [...EVERY, ...own].sort())
    })
  }

  it('that no monitor brings leave out what the type does not require', () => {
    const asked = { url: 'icmp://router.example', request_timeout_seconds: 3, interval_seconds: 60 }
    const looks: ProbeSettings[] = [
      { ...asked, type: 'http' },
      { ...asked, type: 'ssl' },
      { ...asked, type: 'icmp' },
      // @ts-expect-error the port that a TCP check connects to
      { ...asked, type: 'tcp' },
      // @ts-expect-error the keyword that it looks for
      { ...asked, type: 'keyword' },
      // @ts-expect-error what its type does not have
      { ...asked, type: 'icmp', port: 7 },
    ]
    assert.equal(looks.length, 6)
  })
})
