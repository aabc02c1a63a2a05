import type * as z from 'zod'
import { ContactConfigs, type ContactSettings, type ContactType } from '../../../src/core/alerting/contact.ts'
import type { MonitorSettings, MonitorType } from '../../../src/core/monitors/monitor.ts'

const TARGET = { url: 'http://127.0.0.1:9/', check_interval_minutes: 5 } as const

/** The least that creates a monitor of each type. */
export const MONITORS = {
  http: { name: 'Web', type: 'http', ...TARGET },
  keyword: { name: 'Words', type: 'keyword', ...TARGET, expected_keyword: 'OK' },
  ssl: { name: 'Certificate', type: 'ssl', ...TARGET, url: 'https://127.0.0.1:9/' },
  tcp: { name: 'Port', type: 'tcp', ...TARGET, url: 'tcp://127.0.0.1', port: 9 },
  icmp: { name: 'Host', type: 'icmp', ...TARGET, url: 'icmp://127.0.0.1' },
  dns: {
    ...{ name: 'Record', type: 'dns', ...TARGET, url: 'dns://127.0.0.1' },
    options: { record_type: 'PTR' },
  },
  domain: { name: 'Ours', type: 'domain', ...TARGET, url: 'domain://shop.example' },
  steps: {
    ...{ name: 'Checkout', type: 'steps', ...TARGET },
    options: {
      steps: [
        { name: 'sign in', method: 'GET', url: '/sign-in' },
        { name: 'basket', method: 'GET', url: '/basket' },
      ],
    },
  },
  browser: {
    ...{ name: 'Visit', type: 'browser', ...TARGET },
    options: { browser_steps: [{ name: 'basket', action: 'expect_text', value: 'Basket' }] },
  },
  smtp: { name: 'Mail', type: 'smtp', ...TARGET, url: 'smtp://127.0.0.1:9' },
  imap: { name: 'Mailboxes', type: 'imap', ...TARGET, url: 'imap://127.0.0.1:9' },
  pop3: { name: 'Old mailboxes', type: 'pop3', ...TARGET, url: 'pop3://127.0.0.1:9' },
  ssh: { name: 'Shell', type: 'ssh', ...TARGET, url: 'ssh://127.0.0.1:9' },
  mqtt: { name: 'Sensors', type: 'mqtt', ...TARGET, url: 'mqtt://127.0.0.1:9' },
  amqp: { name: 'Orders', type: 'amqp', ...TARGET, url: 'amqp://127.0.0.1:9' },
  nats: { name: 'Bus', type: 'nats', ...TARGET, url: 'nats://127.0.0.1:9' },
  kafka: { name: 'Events', type: 'kafka', ...TARGET, url: 'kafka://127.0.0.1:9' },
  ftp: { name: 'Files', type: 'ftp', ...TARGET, url: 'ftp://127.0.0.1:9' },
  websocket: { name: 'Socket', type: 'websocket', ...TARGET, url: 'ws://127.0.0.1:9/' },
  udp: {
    ...{ name: 'Packet', type: 'udp', ...TARGET, url: 'udp://127.0.0.1', port: 9 },
    options: { send: 'ping', assertions: [{ source: 'answer', comparison: 'exists', severity: 'down' }] },
  },
  ntp: { name: 'Time', type: 'ntp', ...TARGET, url: 'ntp://127.0.0.1:9' },
  snmp: {
    ...{ name: 'Device', type: 'snmp', ...TARGET, url: 'snmp://127.0.0.1:9' },
    options: { oid: '1.3.6.1.2.1.1.3.0' },
  },
  radius: {
    ...{ name: 'Sign-ins', type: 'radius', ...TARGET, url: 'radius://127.0.0.1:9', username: 'watcher' },
    options: { shared_secret: 'shared' },
  },
  sip: { name: 'Telephones', type: 'sip', ...TARGET, url: 'sip://127.0.0.1:9' },
  game: {
    ...{ name: 'Game', type: 'game', ...TARGET, url: 'game://127.0.0.1:9' },
    options: { game: 'css' },
  },
  grpc: { name: 'Calls', type: 'grpc', ...TARGET, url: 'grpc://127.0.0.1:9' },
  ldap: { name: 'Directory', type: 'ldap', ...TARGET, url: 'ldap://127.0.0.1:9' },
  docker: {
    ...{ name: 'Container', type: 'docker', ...TARGET, url: 'docker://web' },
    options: { docker_host: 'http://127.0.0.1:9' },
  },
  postgresql: {
    ...{ name: 'Orders', type: 'postgresql', ...TARGET, url: 'postgresql://127.0.0.1:9/shop' },
    username: 'watcher',
  },
  mysql: {
    ...{ name: 'Basket', type: 'mysql', ...TARGET, url: 'mysql://127.0.0.1:9/shop' },
    username: 'watcher',
  },
  redis: { name: 'Cache', type: 'redis', ...TARGET, url: 'redis://127.0.0.1:9' },
  mongodb: { name: 'Carts', type: 'mongodb', ...TARGET, url: 'mongodb://127.0.0.1:9/shop' },
  sqlserver: {
    ...{ name: 'Invoices', type: 'sqlserver', ...TARGET, url: 'sqlserver://127.0.0.1:9/shop' },
    username: 'watcher',
  },
  heartbeat: { name: 'Job', type: 'heartbeat', check_interval_minutes: 5 },
  group: {
    name: 'All',
    type: 'group',
    check_interval_minutes: 60,
    options: { members: { tags: ['of:all'] } },
  },
  manual: { name: 'Telephone', type: 'manual', check_interval_minutes: 60 },
} as const satisfies Record<MonitorType, Record<string, unknown>>

export const MONITOR_TYPES = Object.keys(MONITORS) as MonitorType[]

/** The default of each setting that was not sent (specification, section 4.1). */
export const MONITOR_DEFAULTS = {
  ...nothingIn('url', 'check_interval_seconds', 'expected_keyword', 'port', 'request_headers', 'username'),
  options: null,
  is_active: true,
  http_method: 'GET',
  expected_status_codes: [200],
  request_timeout_seconds: 30,
  has_password: false,
  ssl_expiry_warning_days: 14,
} as const

const SLOW = { source: 'response_time_p95_ms', comparison: 'less_than', target: 800 }

/** Two values of each setting, neither of which is its default. A monitor keeps what its type does not use. */
export const MONITOR_SAMPLES = {
  name: ['Grüße 🎉', 'Renamed'],
  type: ['keyword', 'keyword'],
  url: ['HTTPS://Example.com:8443/a%20b?q=ä#part', 'http://example.org:81/b'],
  check_interval_minutes: [15, 30],
  check_interval_seconds: [90_000, 120],
  is_active: [false, false],
  http_method: ['PATCH', 'POST'],
  expected_status_codes: [
    [503, 200, 404],
    [201, 200],
  ],
  expected_keyword: ['fine', 'Grüße'],
  port: [8443, 8080],
  request_timeout_seconds: [7, 60],
  request_headers: [{ 'X-B': '2', 'X-A': '1', Authorization: 'Bearer x' }, { 'X-One': '1' }],
  username: ['watcher', 'other'],
  password: ['pa ss', 'secret'],
  ssl_expiry_warning_days: [30, 21],
  options: [
    {
      ...{ request_body: '{"ü": "$1"}', follow_redirects: 0, cache_buster: true },
      ...{ attempts: 3, retry_seconds: 30, recovery_checks: 2, inverted: true, repeat_minutes: 60 },
      ...{
        auth: { type: 'digest' },
        ip_version: 4,
        resolver: '192.0.2.53',
        proxy: 'http://proxy.example:3128',
      },
      tls: { verify: false, server_name: 'a.example' },
      assertions: [{ ...SLOW, property: '50', severity: 'degraded' }],
    },
    {
      ...{ request_body: 'a\n b', follow_redirects: 20, cache_buster: false },
      ...{ attempts: 2, retry_seconds: 5, recovery_checks: 3, inverted: false, repeat_minutes: 30 },
      ...{
        auth: { type: 'digest' },
        ip_version: 6,
        resolver: '[2001:db8::53]:5353',
        proxy: 'socks5://10.0.0.1',
      },
      tls: { server_name: 'b.example' },
      assertions: [{ ...SLOW, severity: 'down' }],
    },
  ],
} satisfies Record<keyof MonitorSettings, [unknown, unknown]>

/** The same of a contact. */
export const CONTACT_SAMPLES = {
  name: ['Webhook', 'Renamed'],
  type: ['webhook', 'webhook'],
  config: [{ url: 'https://127.0.0.1:8443/a?key=1' }, { url: 'http://127.0.0.1/b' }],
  notify_on_down: [false, false],
  notify_on_recovery: [false, false],
} satisfies Record<keyof ContactSettings, [unknown, unknown]>

/** The first or the second value of each. */
export function sampleOf<Field extends string>(samples: Record<Field, [unknown, unknown]>, place: 0 | 1) {
  const fields = Object.keys(samples) as Field[]
  return Object.fromEntries(fields.map((field) => [field, samples[field][place]])) as Record<Field, unknown>
}

function nothingIn<Field extends string>(...fields: Field[]) {
  return Object.fromEntries(fields.map((field) => [field, null])) as Record<Field, null>
}

/** The least that creates a contact of each type. */
export const CONTACTS = {
  email: contact('Mail', 'email', { email: 'ops@example.com' }),
  slack: contact('Slack', 'slack', { webhook_url: 'https://127.0.0.1:8443/services/T0/B0/secret' }),
  discord: contact('Discord', 'discord', { webhook_url: 'https://127.0.0.1/api/webhooks/1/secret' }),
  telegram: contact('Telegram', 'telegram', { bot_token: '123456789:AAE-secret_token', chat_id: '-1001234' }),
  webhook: contact('Webhook', 'webhook', { url: 'http://127.0.0.1:8080/in?key=secret' }),
  webpush: contact('Phone', 'webpush', {
    // No name of push services: a browser's is public, and no test leaves the machine.
    endpoint: 'https://push.invalid/push/secret',
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }),
  ntfy: contact('ntfy', 'ntfy', { topic_url: 'https://127.0.0.1:8443/alerts-secret', token: 'tk_secret' }),
  pagerduty: contact('PagerDuty', 'pagerduty', { routing_key: `secret${'0'.repeat(26)}`, region: 'eu' }),
  pushover: contact('Pushover', 'pushover', {
    app_token: `secret${'a'.repeat(24)}`,
    user_key: `secret${'u'.repeat(24)}`,
  }),
  gotify: contact('Gotify', 'gotify', { server_url: 'https://127.0.0.1:8443/secret', app_token: 'A_secret' }),
  sms: contact('SMS', 'sms', {
    account_sid: `AC${'0'.repeat(32)}`,
    auth_token: `secret${'0'.repeat(26)}`,
    from: '+15017122661',
    to: '+15558675310',
  }),
  teams: contact('Teams', 'teams', { webhook_url: 'https://127.0.0.1:8443/workflows/1?sig=secret' }),
  matrix: contact('Matrix', 'matrix', {
    homeserver_url: 'https://127.0.0.1:8443',
    access_token: 'syt_secret',
    room_id: '!opaque:example.org',
  }),
  googlechat: contact('Google Chat', 'googlechat', {
    webhook_url: 'https://127.0.0.1:8443/v1/spaces/A/messages?key=secret&token=secret',
  }),
  mattermost: contact('Mattermost', 'mattermost', { webhook_url: 'https://127.0.0.1:8443/hooks/secret' }),
} satisfies Record<ContactType, Record<string, unknown>>

function contact<Type extends ContactType, Config>(name: string, type: Type, config: Config) {
  return { name, type, config }
}

export const CONTACT_TYPES = Object.keys(CONTACTS) as ContactType[]

/** The keys of a type's config that have no default. */
export function neededKeysOf(type: ContactType): string[] {
  const shape: Record<string, z.ZodType> = ContactConfigs[type].shape
  return Object.keys(shape).filter((key) => !shape[key]?.safeParse(undefined).success)
}

/** The fields of a monitor in the order of the specification, section 2.1. */
export const MONITOR_FIELDS = [
  'id',
  'name',
  'type',
  'url',
  'status',
  'is_active',
  'check_interval_minutes',
  'check_interval_seconds',
  'http_method',
  'expected_status_codes',
  'expected_keyword',
  'port',
  'request_timeout_seconds',
  'request_headers',
  'username',
  'has_password',
  'ssl_expiry_warning_days',
  'last_checked_at',
  'ssl_days_remaining',
  'ssl_expires_at',
  'heartbeat_token',
  'heartbeat_url',
  'open_incident',
  'notification_contacts',
  'created_at',
  'options',
]

/** The same of a contact (section 2.2), an incident (2.3) and a check (2.4). */
export const CONTACT_FIELDS = ['id', 'name', 'type', 'config', 'notify_on_down', 'notify_on_recovery']
export const INCIDENT_FIELDS = ['id', 'started_at', 'resolved_at', 'duration_seconds', 'cause', 'resolved']
export const CHECK_FIELDS = [
  'checked_at',
  'status',
  'response_time_ms',
  'http_status_code',
  'region',
  'error_message',
]

/** The fields of the team record in the order of the product page, section 4. */
export const TEAM_FIELDS = [
  'id',
  'name',
  'plan',
  'max_monitors',
  'monitors_count',
  'can_add_monitor',
  'min_interval_minutes',
  'min_interval_seconds',
  'check_history_days',
  'members_count',
  'notification_contacts_count',
  'created_at',
]
