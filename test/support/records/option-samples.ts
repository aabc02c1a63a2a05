import type { MonitorType } from '../../../src/core/monitors/monitor-types.ts'
import type { OPTIONS, OptionName } from '../../../src/core/monitors/options/entries.ts'
import { selfSigned } from '../servers/certificates.ts'
import { MONITORS } from '../services/api-bodies.ts'

/** The options that people set. */
export type SetOption = {
  [Name in OptionName]: (typeof OPTIONS)[Name] extends { readOnly: true } ? never : Name
}[OptionName]

/** IDs of two monitors of the team. */
type Others = readonly [number, number]

export type OptionSample = {
  /** A type that has it. */
  type: MonitorType
  /** Two values, neither of which is its default. */
  values: readonly [unknown, unknown] | ((others: Others) => readonly [unknown, unknown])
  /** Settings that it needs. */
  settings?: Record<string, unknown>
  /** Options that it does nothing without. */
  beside?: Record<string, unknown>
  /** It cannot be removed. */
  isRequired?: true
}

/** A file for `apply` would read it as a variable, unless it is escaped. */
const REFERENCE = ['$', '{x}'].join('')
const NAMED = { url: 'dns://shop.example' }
const SOCKET = { url: 'ws://shop.example/live' }
const CALLED = { url: 'grpc://shop.example' }
const DEVICE = { url: 'snmp://switch.example' }
const CLOCK = { url: 'ntp://time.example' }
const OF_VERSION_3 = { ...MONITORS.snmp.options, snmp_version: '3' }
const DATABASE = { url: 'postgresql://127.0.0.1', username: 'watcher' }
const token_url = 'http://127.0.0.1:9/token'

/** Two values of every option, so that a new one cannot be forgotten where each is tried. */
export const OPTION_SAMPLES = {
  members: { type: 'group', values: (others) => [[others[0]], [others[1], others[0]]], isRequired: true },
  rule: { type: 'group', values: ['any', { percent: 50 }], beside: MONITORS.group.options },
  schedule: { type: 'heartbeat', values: ['0 3 * * 1-5', 'Mon..Fri 03:00'] },
  timezone: {
    type: 'heartbeat',
    values: ['Europe/Berlin', 'Asia/Kathmandu'],
    beside: { schedule: '0 3 * * *' },
  },
  grace_seconds: { type: 'heartbeat', values: [600, 0] },
  max_duration_seconds: { type: 'heartbeat', values: [1_800, 60] },
  expect_exit: { type: 'heartbeat', values: [[0, 3], [7]] },
  body_assertions: {
    type: 'heartbeat',
    values: [
      [{ source: 'body', comparison: 'contains', target: 'done = yes', severity: 'down' }],
      [{ source: 'json', property: '$.rows', comparison: 'at_least', target: 7, severity: 'degraded' }],
    ],
  },
  steps: {
    type: 'steps',
    values: [
      [
        {
          ...{ name: 'sign in', method: 'POST', url: '/sign-in', headers: { 'X-Probe': `é ${REFERENCE}` } },
          ...{ body: `{"ü": "${REFERENCE}", "at": "{{now}}"}`, timeout_seconds: 5, always: true },
          captures: { token: { source: 'json', property: '$.token' } },
          assertions: [{ source: 'status_code', comparison: 'equals', target: 201, severity: 'down' }],
        },
        { name: 'basket', method: 'GET', url: '/basket?token={{token}}' },
      ],
      [
        { name: 'one', method: 'HEAD', url: 'https://127.0.0.1:9/{{uuid}}' },
        { name: 'two', method: 'DELETE', url: '../two', body: 'a\n b=c' },
      ],
    ],
    isRequired: true,
  },
  browser_steps: {
    type: 'browser',
    values: [
      [
        { name: 'sign in', action: 'fill', by: 'label', target: 'E-mail', value: `sésame ${REFERENCE}` },
        { name: 'go on', action: 'click', by: 'role', target: 'button Sign in', timeout_seconds: 5 },
      ],
      [
        { name: 'one', action: 'goto', url: 'https://127.0.0.1:9/orders' },
        { name: 'two', action: 'expect_no_text', by: 'css', target: 'main > p', value: 'Error {{uuid}}' },
      ],
    ],
  },
  secrets: {
    type: 'steps',
    values: [{ PASSWORD: `sésame ${REFERENCE}` }, { one: 'open', _two: 'sesame 7' }],
    beside: MONITORS.steps.options,
  },
  request_body: { type: 'http', values: [`{"ü": "${REFERENCE}"}`, 'a\n b=c'] },
  follow_redirects: { type: 'http', values: [0, 20] },
  cache_buster: { type: 'http', values: [true, true] },
  record_type: { type: 'dns', values: ['MX', 'TXT'], settings: NAMED },
  transport: { type: 'dns', values: ['tcp', 'tls'], settings: NAMED },
  dnssec: { type: 'dns', values: [true, true], settings: NAMED },
  subprotocol: { type: 'websocket', values: ['chat', 'graphql-transport-ws, graphql-ws'], settings: SOCKET },
  send: { type: 'tcp', values: [`{"ü": "${REFERENCE}"}`, 'hex: 50 49 4e 47'] },
  warning_days: { type: 'domain', values: [45, 7] },
  service: { type: 'grpc', values: ['shop.Orders', 'shop.Carts'], settings: CALLED },
  method: { type: 'grpc', values: ['shop.Orders/Get', 'Plain/Call'], settings: CALLED },
  request: {
    type: 'grpc',
    values: [`{"ü": "${REFERENCE}"}`, '[]'],
    settings: CALLED,
    beside: { method: 'shop.Orders/Get' },
  },
  oid: {
    type: 'snmp',
    values: ['1.3.6.1.2.1.1.5.0', '2.999.4294967295'],
    settings: DEVICE,
    isRequired: true,
  },
  snmp_version: { type: 'snmp', values: ['1', '3'], settings: DEVICE, beside: MONITORS.snmp.options },
  community: {
    type: 'snmp',
    values: [`sésame ${REFERENCE}`, 'private'],
    settings: DEVICE,
    beside: MONITORS.snmp.options,
  },
  auth_protocol: { type: 'snmp', values: ['md5', 'sha512'], settings: DEVICE, beside: OF_VERSION_3 },
  privacy_password: {
    type: 'snmp',
    values: [`sésame ${REFERENCE}`, 'open sesame'],
    settings: DEVICE,
    beside: OF_VERSION_3,
  },
  shared_secret: {
    type: 'radius',
    values: [`sésame ${REFERENCE}`, 'open'],
    settings: { url: 'radius://radius.example', username: 'ada' },
    isRequired: true,
  },
  called_station_id: {
    type: 'radius',
    values: ['00-10-A4-23-19-C0:office', 'b'],
    settings: { url: 'radius://radius.example', username: 'ada' },
    beside: MONITORS.radius.options,
  },
  calling_station_id: {
    type: 'radius',
    values: ['00-10-A4-23-19-C1', 'b'],
    settings: { url: 'radius://radius.example', username: 'ada' },
    beside: MONITORS.radius.options,
  },
  base_dn: {
    type: 'ldap',
    values: ['dc=example,dc=com', 'ou=Grüße,dc=example'],
    settings: { url: 'ldap://directory.example' },
  },
  game: {
    type: 'game',
    values: ['css', 'minecraft'],
    settings: { url: 'game://play.example' },
    isRequired: true,
  },
  docker_host: {
    type: 'docker',
    values: ['https://docker.example:2376', 'http://10.0.0.7:2375'],
    settings: { url: 'docker://web' },
    isRequired: true,
  },
  max_offset_ms: { type: 'ntp', values: [250, 5_000], settings: CLOCK },
  max_stratum: { type: 'ntp', values: [3, 15], settings: CLOCK },
  max_dispersion_ms: { type: 'ntp', values: [500, 1], settings: CLOCK },
  query: {
    type: 'postgresql',
    values: [`SELECT '${REFERENCE}' AS "ü"`, 'SELECT count(*)\n FROM jobs'],
    settings: DATABASE,
  },
  database: { type: 'postgresql', values: ['shop', 'Größen'], settings: DATABASE },
  topic: { type: 'mqtt', values: ['sensors/+/ü', '#'] },
  publish: { type: 'mqtt', values: [`{"ü": "${REFERENCE}"}`, 'a\n b=c'], beside: { topic: 'hall' } },
  auth: {
    type: 'http',
    values: [
      { type: 'bearer', token: 'sesame-street-7' },
      { type: 'oauth2', token_url, client_id: 'a b', client_secret: `sésame ${REFERENCE}`, scope: 'x y' },
    ],
  },
  assertions: {
    type: 'http',
    values: [
      [
        {
          source: 'json',
          property: "$['a.b']",
          comparison: 'one_of',
          target: ['x', 1, null],
          severity: 'down',
        },
      ],
      [
        { source: 'response_time_ms', comparison: 'less_than', target: 800, severity: 'degraded' },
        { source: 'header', property: 'x-a', comparison: 'exists', severity: 'down' },
      ],
    ],
  },
  attempts: { type: 'tcp', values: [3, 10] },
  retry_seconds: { type: 'tcp', values: [1, 3_600] },
  recovery_checks: { type: 'icmp', values: [2, 10] },
  inverted: { type: 'tcp', values: [true, true] },
  repeat_minutes: { type: 'heartbeat', values: [1, 1_440] },
  depends_on: { type: 'http', values: (others) => [[others[0]], [others[1], others[0]]] },
  security: { type: 'smtp', values: ['none', 'starttls'] },
  ip_version: { type: 'http', values: [4, 6], settings: { url: 'http://web.example/' } },
  resolver: { type: 'http', values: ['192.0.2.53', '[2001:db8::53]:5353'] },
  proxy: { type: 'http', values: ['http://ada:s%C3%A9cret@proxy.example:3128', 'socks5://10.0.0.1'] },
  tls: {
    type: 'ssl',
    values: () => {
      const { cert, key } = selfSigned({ commonName: 'watcher', names: ['watcher.example'] })
      const first = {
        verify: false,
        server_name: 'a.example',
        ca: cert,
        client_certificate: cert,
        client_key: key,
      }
      return [first, { server_name: 'b.example' }]
    },
  },
} as const satisfies Record<SetOption, OptionSample>

export function valuesOf({ values }: OptionSample, others: Others): readonly [unknown, unknown] {
  return typeof values === 'function' ? values(others) : values
}
