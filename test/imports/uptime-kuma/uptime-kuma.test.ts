import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { Assertion } from '../../../src/core/expectations/assertion.ts'
import { readKumaBackup } from '../../../src/imports/uptime-kuma/backup.ts'
import { KUMA_REASONS, KUMA_TYPES } from '../../../src/imports/uptime-kuma/types.ts'
import { KUMA_CONTENT, NO_KUMA_CONTENT, writeKumaDatabase } from '../../support/imports/kuma-database.ts'
import {
  assertMonitor,
  fromUptimeKuma,
  notesOn,
  readExport,
  TERMS,
} from '../../support/imports/read-exports.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function readDatabase(t: TestContext) {
  const file = join(temporaryFolder(t), 'kuma.db')
  writeKumaDatabase(file, KUMA_CONTENT)
  return await readExport('uptime-kuma', [file], TERMS)
}

const PROXIES = [
  { id: 1, protocol: 'socks5h', host: '2001:db8::1', port: 1_080, auth: 0, active: 1 },
  { id: 2, protocol: 'http', host: 'off.example', port: 3_128, active: 0 },
  { id: 3, protocol: 'socks4', host: 'old.example', port: 1_080, active: 1 },
]

const DOCKER_HOSTS = [
  { id: 1, docker_type: 'tcp', docker_daemon: 'tcp://10.0.0.7:2375' },
  { id: 2, docker_type: 'socket', docker_daemon: '/var/run/docker.sock' },
]

function draftOne(monitor: Record<string, unknown>) {
  const one = {
    ...{ id: 1, name: 'One', type: 'http', url: 'https://one.example/', interval: 60 },
    ...{ accepted_statuscodes_json: '["200"]', ...monitor },
  }
  return fromUptimeKuma(
    { ...NO_KUMA_CONTENT, proxies: PROXIES, dockerHosts: DOCKER_HOSTS, monitors: [one] },
    TERMS,
  )
}

const NO_CONTACTS = 'has no contacts of its own: here, every contact of the team is alerted then'
/** 200 to 299. */
const SUCCESS: Assertion[] = [
  { source: 'status_code', comparison: 'at_least', target: 200, severity: 'down' },
  { source: 'status_code', comparison: 'at_most', target: 299, severity: 'down' },
]

describe('a kuma.db', () => {
  const one = (id: number, name: string, columns: Record<string, unknown> = {}) => ({
    ...{ id, name, type: 'http', url: 'https://one.example/', interval: 60 },
    ...{ accepted_statuscodes_json: '["200"]', ...columns },
  })
  const group = (id: number, name: string, parent: number | null = null, columns: object = {}) =>
    one(id, name, { type: 'group', url: null, parent, ...columns })
  const fromMonitors = (...monitors: Record<string, unknown>[]) =>
    fromUptimeKuma({ ...NO_KUMA_CONTENT, monitors }, TERMS)

  it('gives its groups with what stands in them, wherever they stand in the file, and says what is lost', () => {
    const outcome = fromMonitors(
      group(4, 'Shop', null, { resend_interval: 5, domain_expiry_notification: 1 }),
      one(1, 'Shop', { parent: 4 }),
      group(5, 'Payments', 4, { active: 0, maxretries: 2 }),
      one(2, 'Cards', { parent: 5 }),
      one(3, 'Alone'),
      one(6, 'Strange', { type: 'steam', parent: 5 }),
    )
    assertMonitor(outcome, 'Shop (2)', {
      type: 'group',
      url: null,
      members: ['Shop', 'Payments'],
      options: { repeat_minutes: 5 },
      check_interval_minutes: 60,
      is_active: true,
    })
    assertMonitor(outcome, 'Payments', { type: 'group', members: ['Cards'], is_active: false, options: null })
    assertMonitor(outcome, 'Cards', { is_active: false })
    for (const name of ['Shop', 'Cards', 'Alone'])
      assertMonitor(outcome, name, { members: undefined, depends_on: undefined })
    assert.deepEqual(notesOn(outcome, 'Payments'), [
      NO_CONTACTS,
      'is a group that was down only after several failed checks: here it is as soon as its members are',
      'also held what did not come over: Strange',
    ])
    assert.deepEqual(notesOn(outcome, 'Shop (2)'), [
      'is called so here: the name "Shop" is taken',
      NO_CONTACTS,
    ])
  })

  it('gives groups that stand too deep the same meaning, and says what they hold', () => {
    const outcome = fromMonitors(
      ...[1, 2, 3, 4, 5].map((id) => group(id, `G${id}`, id === 1 ? null : id - 1)),
      ...[1, 2, 3, 4, 5].map((parent) => one(10 + parent, `M${parent}`, { parent })),
    )
    assertMonitor(outcome, 'G5', { members: ['M5'] })
    assertMonitor(outcome, 'G4', { members: ['G5', 'M4'] })
    assertMonitor(outcome, 'G3', { members: ['G4', 'M3'] })
    assertMonitor(outcome, 'G2', { members: ['G4', 'M3', 'M2'] })
    assertMonitor(outcome, 'G1', { members: ['G4', 'M3', 'M2', 'M1'] })
    assert.deepEqual(
      ['G1', 'G2', 'G3'].map((name) => notesOn(outcome, name).filter((note) => note !== NO_CONTACTS)),
      [
        ['holds the members of G2 in its place: groups are nested at most 3 deep here'],
        ['holds the members of G3 in its place: groups are nested at most 3 deep here'],
        [],
      ],
    )
  })

  it('gives up on groups in groups without end, and says so of each', () => {
    const count = 2_000
    const outcome = fromMonitors(
      ...Array.from({ length: count }, (_, index) => group(index + 1, `G${index}`, index || null)),
      ...Array.from({ length: count }, (_, index) =>
        one(count + index + 1, `M${index}`, { parent: index + 1 }),
      ),
    )
    const groups = outcome.declaration.monitors.filter(({ type }) => type === 'group')
    const given = groups.reduce((sum, { members = [] }) => sum + members.length, 0)
    assert.ok(given < 60_000, String(given))
    const reasons = new Set(outcome.skipped.map(({ reason }) => reason))
    assert.ok(reasons.has('is a group of groups that are nested too deeply'), [...reasons].join())
    assert.equal(groups.length + outcome.skipped.length, count)
  })

  it('skips groups that would hold nothing, too much or themselves, and what another is in but no group', () => {
    const outcome = fromMonitors(
      group(1, 'Empty'),
      group(2, 'Around', null),
      group(3, 'Inverted', 2, { upside_down: 1 }),
      one(4, 'Inner', { parent: 3 }),
      group(5, 'Self', 5),
      one(6, 'Below', { parent: 7 }),
      one(7, 'Above'),
      group(8, 'Crowd'),
      ...Array.from({ length: 501 }, (_, index) => one(100 + index, `C${index}`, { parent: 8 })),
    )
    assert.deepEqual(
      outcome.skipped
        .map(({ what, reason }) => `${what}: ${reason}`)
        .filter((line) => !line.startsWith('M'))
        .toSorted(),
      [
        'Around: is a group, and no monitor in it comes over',
        'Crowd: members must have at most 500 entries, got 501',
        'Empty: is a group, and no monitor in it comes over',
        'Inverted: is a group that is upside down: here a group is down when its members are',
        'Self: is a group, and no monitor in it comes over',
      ],
    )
    assertMonitor(outcome, 'Below', { depends_on: undefined })
  })

  it('gives its monitors, with what they had', async (t) => {
    const outcome = await readDatabase(t)
    assertMonitor(outcome, 'Shop', {
      type: 'http',
      url: 'https://shop.example/',
      check_interval_minutes: 1,
      check_interval_seconds: null,
      request_timeout_seconds: 48,
      options: { assertions: SUCCESS, attempts: 3, retry_seconds: 60 },
      ssl_expiry_warning_days: 21,
      is_active: true,
      contacts: ['Team mail (ops@shop.example)', 'Team mail (ann@shop.example)', 'Chat'],
    })
    assertMonitor(outcome, 'Shop says welcome', {
      type: 'keyword',
      url: 'https://shop.example/home',
      username: 'ann',
      password: 's3cret-in-url',
      expected_keyword: 'Welcome',
      request_headers: { 'Accept-Language': 'de' },
      check_interval_minutes: 1,
      check_interval_seconds: 30,
    })
    assertMonitor(outcome, 'Mail server', { type: 'tcp', url: 'tcp://mail.example', port: 25 })
    assertMonitor(outcome, 'Router', { type: 'icmp', url: 'icmp://[2001:db8::1]', is_active: false })
    // A day, one more hour of trying again, and the second that Uptime Kuma lets a push be late.
    assertMonitor(outcome, 'Nightly backup', { type: 'heartbeat', url: null, check_interval_seconds: 90_001 })
    assertMonitor(outcome, 'Must be closed', {
      url: 'https://closed.example/',
      options: { assertions: SUCCESS, inverted: true },
    })
    const missing = { source: 'body', comparison: 'not_contains', target: 'Oops', severity: 'down' } as const
    assertMonitor(outcome, 'No error page', { type: 'http', options: { assertions: [...SUCCESS, missing] } })
    const proxy = 'http://u%40x:s3cret-proxy@proxy.example:3128'
    assertMonitor(outcome, 'Through', { options: { assertions: SUCCESS, proxy } })
    assertMonitor(outcome, 'Orders', {
      http_method: 'POST',
      options: { assertions: SUCCESS, request_body: '{"a": 1}' },
    })
    assertMonitor(outcome, 'Shop (2)', {
      url: 'https://shop.example/api',
      username: 'probe',
      password: 's3cret-password',
      ssl_expiry_warning_days: 1,
    })
  })

  it('gives their tags, in the form that tags have here', async (t) => {
    assertMonitor(await readDatabase(t), 'Shop', { tags: ['customer-no-7', 'env:prod north'] })
  })

  it('pauses what stands in a paused group', async (t) => {
    assertMonitor(await readDatabase(t), 'In the cupboard', { is_active: false, check_interval_minutes: 60 })
  })

  it('says of each change what it is', async (t) => {
    const outcome = await readDatabase(t)
    assert.deepEqual(notesOn(outcome, 'Shop says welcome'), [
      'had its user name and password in the URL: they stand in fields of their own now',
      'is checked every 30 s, not 20 s: the least that the plan of the team allows',
    ])
    assert.deepEqual(notesOn(outcome, 'Shop (2)'), [
      'is called so here: the name "Shop" is taken',
      NO_CONTACTS,
      'did not warn of an expiring certificate: here it warns, one day before at the latest',
    ])
  })

  it('gives the contacts of the kinds that there are, each with its settings', async (t) => {
    const { contacts } = (await readDatabase(t)).declaration
    const settings = contacts.map(({ name, type, config }) => ({ name, type, config }))
    assert.deepEqual(settings, [
      { name: 'Team mail (ops@shop.example)', type: 'email', config: { email: 'ops@shop.example' } },
      { name: 'Team mail (ann@shop.example)', type: 'email', config: { email: 'ann@shop.example' } },
      {
        name: 'Chat',
        type: 'slack',
        config: { webhook_url: 'https://hooks.slack.example/services/T0/B0/s3cret-slack' },
      },
      {
        name: 'Phone',
        type: 'telegram',
        config: { bot_token: '123456789:AAs3cret-telegram', chat_id: '-1001234' },
      },
      { name: 'Hook', type: 'webhook', config: { url: 'https://hook.example/s3cret-hook' } },
    ])
  })

  it('lists what has no counterpart, each with the reason', async (t) => {
    const { skipped } = await readDatabase(t)
    assert.deepEqual(
      skipped.map(({ what }) => what),
      [
        'notification Pager',
        'contact Broken',
        'Names',
        'Database',
        ...['Moving house', 'Odd', 'Old', 'Lunch', 'Page only'].map((name) => `maintenance window ${name}`),
        'results of checks (1)',
      ],
    )
    assert.ok(skipped.every(({ reason }) => reason.length > 10))
  })

  it('names the old address of a push monitor', async (t) => {
    assert.deepEqual((await readDatabase(t)).pings, [
      {
        monitor: 'Nightly backup',
        address: 'https://kuma.example/api/push/kumaPushToken0123456789abcdefghi',
      },
    ])
  })

  it('says nothing secret in what it says', async (t) => {
    const { skipped, notes } = await readDatabase(t)
    assert.doesNotMatch(JSON.stringify({ skipped, notes }), /s3cret/)
  })
})

describe('the backup of a version 1.x', () => {
  it('gives the same as the database does', async (t) => {
    const notificationList = KUMA_CONTENT.notifications?.map(({ config, ...rest }) => ({
      ...rest,
      active: true,
      isDefault: false,
      config: JSON.stringify(config),
    }))
    const monitorList = KUMA_CONTENT.monitors.map((monitor) => {
      const {
        accepted_statuscodes_json: codes,
        push_token,
        invert_keyword,
        upside_down,
        parent,
        ...row
      } = monitor
      const attached = (KUMA_CONTENT.attached ?? []).filter(([id]) => id === monitor.id)
      return {
        ...row,
        parent: parent ?? null,
        active: monitor.active !== 0 && parent === undefined,
        accepted_statuscodes: codes ? JSON.parse(String(codes)) : ['200-299'],
        pushToken: push_token,
        invertKeyword: invert_keyword === 1,
        upsideDown: upside_down === 1,
        expiryNotification: monitor.expiry_notification !== 0,
        retryInterval: monitor.retry_interval,
        proxyId: monitor.proxy_id ?? null,
        notificationIDList: Object.fromEntries(attached.map(([, id]) => [id, true])),
        tags:
          monitor.id === 1
            ? [
                { tag_id: 1, name: 'Env', value: 'Prod, north' },
                { tag_id: 2, name: 'Customer (no. 7)', value: '' },
              ]
            : [],
      }
    })
    const proxyList = KUMA_CONTENT.tables?.proxy
    const backup = readKumaBackup({ version: '1.22.1', notificationList, monitorList, proxyList })
    const fromBackup = fromUptimeKuma({ ...backup, warningDays: [7, 21] }, TERMS)
    assert.deepEqual(fromBackup.declaration, (await readDatabase(t)).declaration)
  })
})

const PORT = { type: 'port', hostname: 'a.example', port: 25 }
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'
const KEY = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----'
const NAME = { type: 'dns', hostname: 'a.example' }
const SOCKET = { type: 'websocket-upgrade', url: 'wss://a.example/' }
const PING = { type: 'ping', hostname: 'a.example' }
const RABBIT = { type: 'rabbitmq', rabbitmq_nodes: '["http://a.example:15672"]' }
const MQTT = { type: 'mqtt', hostname: 'a.example', port: 1883, mqtt_topic: 'room' }
const KAFKA = {
  ...{ type: 'kafka-producer', kafka_producer_brokers: '["a.example:9092"]', kafka_producer_topic: 'health' },
  kafka_producer_message: 'are you there?',
}

describe('an Uptime Kuma monitor that cannot be expressed is skipped, never created otherwise', () => {
  const table: [string, Record<string, unknown>, RegExp][] = [
    ['an inverted keyword that is none', { type: 'keyword', keyword: ' ', invert_keyword: 1 }, /keyword/],
    ['a query that no JSONPath says', { type: 'json-query', json_path: '$sum(a)' }, /no JSONPath says/],
    [
      'an order of what is no number',
      { type: 'json-query', json_path: 'a', json_path_operator: '>', expected_value: 'b' },
      /compares by order with what is no number/,
    ],
    ['a proxy of SOCKS 4', { proxy_id: 3 }, /SOCKS 4/],
    ['a body that is too long', { body: 'x'.repeat(65_537) }, /request_body must be at most 65536 bytes/],
    ['OPTIONS', { method: 'OPTIONS' }, /OPTIONS/],
    ['NTLM', { auth_method: 'ntlm' }, /NTLM/],
    [
      'a client certificate without its key',
      { auth_method: 'mtls', tls_cert: PEM },
      /client_key must be a private key/,
    ],
    ['an expected TLS alert', { ...PORT, expected_tls_alert: 'certificate_required' }, /TLS by an alert/],
    ['a URL without a host', { url: 'https://' }, /^url must be a full URL/],
    ['a port monitor without a port', { type: 'port', hostname: 'a.example' }, /^port is required/],
    ['a type called as every object has it', { type: 'constructor' }, /no monitors of the type constructor/],
    ['a type that nobody knows', { type: 'crystal-ball' }, /no monitors of the type crystal-ball/],
  ]
  for (const [what, monitor, reason] of table) {
    it(what, () => {
      const { declaration, skipped } = draftOne(monitor)
      assert.deepEqual(declaration.monitors, [])
      assert.equal(skipped.length, 1)
      assert.match(skipped[0]?.reason ?? '', reason)
    })
  }
})

describe('the fields of an Uptime Kuma monitor that fit', () => {
  const table: [string, Record<string, unknown>, Record<string, unknown>][] = [
    [
      'a bearer token is a header',
      { auth_method: 'bearer', bearer_token: 'abc' },
      { request_headers: { Authorization: 'Bearer abc' } },
    ],
    [
      'a user name without a method is basic',
      { basic_auth_user: 'u', basic_auth_pass: 'p' },
      { username: 'u', password: 'p' },
    ],
    [
      'a ping waits as long as there',
      { type: 'ping', hostname: 'a.example', timeout: 10, ping_count: 3 },
      { request_timeout_seconds: 10 },
    ],
    [
      'an unset timeout is four fifths of the interval',
      { interval: 30, timeout: 0 },
      { request_timeout_seconds: 24 },
    ],
    [
      'retries are attempts, with the time between them',
      { maxretries: 2, retry_interval: 30 },
      { options: { attempts: 3, retry_seconds: 30 } },
    ],
    [
      'retries without a time come at the interval',
      { maxretries: 1 },
      { options: { attempts: 2, retry_seconds: 60 } },
    ],
    ['upside-down mode is', { upside_down: 1 }, { options: { inverted: true } }],
    [
      'resent alerts come after as many intervals',
      { resend_interval: 5, interval: 90 },
      { options: { repeat_minutes: 8 } },
    ],
    ['without any of these there are no options', { maxretries: 0, upside_down: 0 }, { options: null }],
    [
      'a push that is upside down, too, and has no attempts',
      { type: 'push', maxretries: 2, upside_down: 1 },
      { options: { inverted: true } },
    ],
    [
      'a body, few redirects, a parameter against caches and one family',
      { body: '{"a": 1}', maxredirects: 3, cache_bust: 1, ip_family: 'ipv6', method: 'POST' },
      {
        options: {
          ...{ request_body: '{"a": 1}', follow_redirects: 3, cache_buster: true, ip_version: 6 },
        },
      },
    ],
    [
      'a form has its type, unless a header says another',
      { body: 'a=1', http_body_encoding: 'form' },
      {
        options: { request_body: 'a=1' },
        request_headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      },
    ],
    [
      'errors of the certificate that were ignored, and a client certificate',
      { ignore_tls: 1, auth_method: 'mtls', tls_cert: PEM, tls_key: KEY, tls_ca: PEM },
      { options: { tls: { verify: false, ca: PEM, client_certificate: PEM, client_key: KEY } } },
    ],
    [
      'OAuth 2',
      {
        auth_method: 'oauth2-cc',
        ...{ oauth_client_id: 'me', oauth_client_secret: 'x', oauth_token_url: 'https://t.example/' },
        ...{ oauth_scopes: 'a b', oauth_audience: 'c', oauth_auth_method: 'client_secret_post' },
      },
      {
        options: {
          auth: {
            ...{ type: 'oauth2', token_url: 'https://t.example/', client_id: 'me', client_secret: 'x' },
            ...{ scope: 'a b', audience: 'c', auth_style: 'body' },
          },
        },
      },
    ],
    ['a proxy', { proxy_id: 1 }, { options: { proxy: 'socks5://[2001:db8::1]:1080' } }],
    ['no proxy that is off', { proxy_id: 2 }, { options: null }],
    ['no redirects at all', { maxredirects: 0 }, { options: { follow_redirects: 0 } }],
    [
      'a range of codes where no redirect is followed',
      { maxredirects: 0, accepted_statuscodes_json: '["200-399"]' },
      {
        options: {
          assertions: [
            { source: 'status_code', comparison: 'at_least', target: 200, severity: 'down' },
            { source: 'status_code', comparison: 'at_most', target: 399, severity: 'down' },
          ],
          follow_redirects: 0,
        },
      },
    ],
    [
      'an interval of two minutes is kept in seconds',
      { interval: 120 },
      { check_interval_minutes: 1, check_interval_seconds: 120 },
    ],
    [
      'more codes than a list holds are assertions',
      { accepted_statuscodes_json: '["200-299"]' },
      { expected_status_codes: [200], options: { assertions: SUCCESS } },
    ],
    [
      'codes that are far apart are the registered ones',
      { accepted_statuscodes_json: '["200-299", "404"]' },
      {
        expected_status_codes: [200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 404],
        options: null,
      },
    ],
    [
      'single codes stay as they are',
      { accepted_statuscodes_json: '["200","404"]' },
      { expected_status_codes: [200, 404] },
    ],
    [
      'a redirect that was not followed is expected',
      { accepted_statuscodes_json: '["301"]', maxredirects: 0 },
      { expected_status_codes: [301] },
    ],
    [
      'a redirect that was followed is not',
      { accepted_statuscodes_json: '["200","301"]' },
      { expected_status_codes: [200] },
    ],
  ]
  for (const [what, monitor, expected] of table) {
    it(what, () => assertMonitor(draftOne(monitor), 'One', expected))
  }
})

describe('a note names everything that an Uptime Kuma monitor loses', () => {
  const table: [what: string, monitor: Record<string, unknown>, note: RegExp][] = [
    ['kept answers', { save_response: 1 }, /^kept what its target answered/],
    ['more redirects than there are', { maxredirects: 50 }, /^follows 20 redirects, not 50/],
    ['STARTTLS of a port', { ...PORT, smtp_security: 'starttls' }, /^spoke STARTTLS/],
    ['the number of echoes', { ...PING, ping_count: 3 }, /^sent several echo requests/],
    ['the size of echoes', { ...PING, packet_size: 1_400 }, /of a size of its own/],
    ['the size of echoes, in a backup', { ...PING, packetSize: 1_400 }, /of a size of its own/],
    ['the time for each echo', { ...PING, ping_per_request_timeout: 5 }, /^waited for each echo/],
    ['warnings of a domain', { domain_expiry_notification: 1 }, /^warned when its domain/],
    [
      'failures of JSON that were not tried again',
      { type: 'json-query', json_path: 'a', retry_only_on_status_code_failure: 1 },
      /^was not tried again after an answer whose JSON was wrong/,
    ],
    ['a description', { description: 'Ask Ann' }, /^its description has no place/],
    ['more retries than there are', { maxretries: 20 }, /^is down after 10 failed attempts, not 21/],
    ['retries far apart', { maxretries: 1, retry_interval: 7_200 }, /^is tried again after 1 h, not 2 h/],
    [
      'alerts that are resent after days',
      { resend_interval: 3_000 },
      /^repeats its alerts after 1 day, not 2 days/,
    ],
  ]
  for (const [what, monitor, note] of table) {
    it(what, () => {
      const notes = notesOn(draftOne(monitor), 'One')
      assert.equal(notes.filter((text) => note.test(text)).length, 1, notes.join('\n'))
    })
  }

  const contacts: [what: string, config: Record<string, unknown>, note: RegExp][] = [
    ['Slack calling its channel', { type: 'slack', slackchannelnotify: true }, /^began its messages/],
    ['Discord with a prefix', { type: 'discord', discordPrefixMessage: '@here' }, /^began its messages/],
    ['Discord without a sound', { type: 'discord', discordSuppressNotifications: true }, /without a sound/],
    ['Telegram without a sound', { type: 'telegram', telegramSendSilently: true }, /without a sound/],
    ['Telegram that nobody forwards', { type: 'telegram', telegramProtectContent: true }, /^forbade/],
    ['what new monitors get', { type: 'slack', isDefault: true }, /^was attached to each new monitor/],
  ]
  for (const [what, { isDefault, ...config }, note] of contacts) {
    it(what, () => {
      const settings = {
        slackwebhookURL: 'https://hooks.example/1',
        discordWebhookUrl: 'https://discord.example/1',
        ...{ telegramBotToken: '123456789:AAtoken', telegramChatID: '-1001234' },
      }
      const notification = { id: 1, name: 'One', isDefault, config: { ...settings, ...config } }
      const { declaration, notes } = fromUptimeKuma(
        { ...NO_KUMA_CONTENT, notifications: [notification] },
        TERMS,
      )
      assert.equal(declaration.contacts.length, 1)
      assert.equal(notes.filter((each) => note.test(each.note)).length, 1)
    })
  }

  const places: [what: string, config: Record<string, unknown>, key: string, value: string][] = [
    [
      'a channel of Slack',
      { type: 'slack', slackwebhookURL: 'https://hooks.example/1', slackchannel: '#ops' },
      ...(['channel', '#ops'] as const),
    ],
    [
      'a thread of Discord',
      {
        type: 'discord',
        discordWebhookUrl: 'https://discord.example/1',
        ...{ discordChannelType: 'postToThread', threadId: '1094358301924859904' },
      },
      ...(['thread_id', '1094358301924859904'] as const),
    ],
    [
      'a topic of Telegram',
      {
        type: 'telegram',
        ...{
          telegramBotToken: '123456789:AAtoken',
          telegramChatID: '-1001234',
          telegramMessageThreadID: '7',
        },
      },
      ...(['message_thread_id', '7'] as const),
    ],
  ]
  for (const [what, config, key, value] of places) {
    it(`but not ${what}, which its contact has too`, () => {
      const notification = { id: 1, name: 'One', isDefault: false, config }
      const { declaration, notes } = fromUptimeKuma(
        { ...NO_KUMA_CONTENT, notifications: [notification] },
        TERMS,
      )
      const [{ config: imported } = { config: {} }] = declaration.contacts
      assert.equal(Object.entries(imported).find(([name]) => name === key)?.[1], value)
      assert.deepEqual(notes, [])
    })
  }

  it('and nothing is told of what is as Uptime Kuma makes it', () => {
    const untouched = {
      ...{
        ip_family: null,
        cache_bust: 0,
        save_response: 0,
        save_error_response: 1,
        maxredirects: 10,
        body: '',
      },
      ...{
        smtp_security: null,
        ping_count: 1,
        packet_size: 56,
        ping_per_request_timeout: 2,
        description: null,
      },
      ...{ domain_expiry_notification: 0, expected_tls_alert: null, ping_numeric: 1 },
    }
    for (const monitor of [{ accepted_statuscodes_json: '["200"]' }, PORT, PING]) {
      assert.deepEqual(notesOn(draftOne({ ...monitor, ...untouched }), 'One'), [NO_CONTACTS])
    }
  })
})

describe('every column of the monitors of Uptime Kuma 2.5.3', () => {
  const WEB = { url: 'https://one.example/' }
  const CALL = {
    type: 'grpc-keyword',
    grpc_url: 'a.example:50051',
    grpc_service_name: 'Orders',
    grpc_method: 'get',
  }
  const PLAY = { type: 'gamedig', hostname: 'a.example', port: 2302, game: 'css' }
  const SIGN_IN = {
    ...{ type: 'radius', hostname: 'a.example', radius_username: 'ann', radius_password: 'x' },
    radius_secret: 'y',
  }
  const DEVICE = { type: 'snmp', hostname: 'a.example', snmp_oid: '1.3.6.1.2.1.1.3.0' }
  const CONTAINER = { type: 'docker', docker_container: 'shop', docker_host: 1 }
  const CLOCK = { type: 'ntp', hostname: 'a.example' }
  const DATABASE = { type: 'postgres', database_connection_string: 'postgres://ada@a.example/shop' }
  const QUERY = { ...WEB, type: 'json-query', json_path: 'a', expected_value: '1' }
  const OAUTH = {
    auth_method: 'oauth2-cc',
    ...{ oauth_client_id: 'me', oauth_client_secret: 'x', oauth_token_url: 'https://t.example/' },
  }
  const BASIC = { auth_method: 'basic', basic_auth_user: 'u', basic_auth_pass: 'p' }
  /** The import's notes on a monitor with another value in that column. */
  const told: Record<string, [without: Record<string, unknown>, value: unknown]> = {
    name: [WEB, 'Two'],
    active: [WEB, 0],
    interval: [WEB, 300],
    url: [WEB, 'https://two.example/'],
    type: [WEB, 'keyword'],
    hostname: [PING, 'b.example'],
    dns_resolve_type: [NAME, 'MX'],
    dns_resolve_server: [NAME, '192.0.2.53'],
    grpc_url: [CALL, 'b.example:50051'],
    grpc_protobuf: [CALL, 'package shop.v2;'],
    grpc_body: [CALL, '{"id": 7}'],
    grpc_metadata: [CALL, '{"x-token": "a"}'],
    grpc_method: [CALL, 'lose'],
    grpc_service_name: [CALL, 'Carts'],
    grpc_enable_tls: [CALL, 1],
    game: [PLAY, 'minecraft'],
    gamedig_given_port_only: [{ ...PLAY, game: 'arma3' }, 0],
    radius_username: [SIGN_IN, 'bob'],
    radius_password: [SIGN_IN, 'other'],
    radius_secret: [SIGN_IN, 'other'],
    radius_called_station_id: [SIGN_IN, 'office'],
    radius_calling_station_id: [SIGN_IN, 'laptop'],
    snmp_oid: [DEVICE, '1.3.6.1.2.1.1.5.0'],
    snmp_version: [DEVICE, '1'],
    snmp_v3_username: [{ ...DEVICE, snmp_version: '3' }, 'ann'],
    docker_host: [CONTAINER, 2],
    docker_container: [CONTAINER, 'lost'],
    ntp_stratum_threshold: [CLOCK, 3],
    ntp_time_offset_threshold: [CLOCK, 50],
    ntp_root_dispersion_threshold: [CLOCK, 50],
    conditions: [NAME, '[{"type": "expression", "operator": "equals", "value": "192.0.2.7"}]'],
    ws_subprotocol: [SOCKET, 'chat'],
    ws_ignore_sec_websocket_accept_header: [SOCKET, 1],
    port: [PORT, 26],
    keyword: [{ type: 'keyword', keyword: 'yes' }, 'no'],
    maxretries: [WEB, 1],
    ignore_tls: [WEB, 1],
    upside_down: [WEB, 1],
    maxredirects: [WEB, 3],
    accepted_statuscodes_json: [WEB, '["204"]'],
    retry_interval: [{ type: 'push', maxretries: 1 }, 600],
    push_token: [{ type: 'push' }, 'abc'],
    method: [WEB, 'HEAD'],
    body: [WEB, '{}'],
    http_body_encoding: [{ ...WEB, body: 'a=1' }, 'form'],
    headers: [WEB, '{"X-One": "1"}'],
    basic_auth_user: [BASIC, 'v'],
    basic_auth_pass: [BASIC, 'q'],
    proxy_id: [WEB, 1],
    expiry_notification: [WEB, 0],
    auth_method: [WEB, 'ntlm'],
    ...Object.fromEntries(
      [
        ...['oauth_client_id', 'oauth_client_secret', 'oauth_scopes', 'oauth_audience'].map((name) => [
          name,
          'y',
        ]),
        ['oauth_token_url', 'https://other.example/'],
        ['oauth_auth_method', 'client_secret_post'],
      ].map(([name, value]) => [name, [OAUTH, value]]),
    ),
    tls_ca: [{ auth_method: 'mtls' }, PEM],
    tls_cert: [{ auth_method: 'mtls', tls_key: KEY }, PEM],
    tls_key: [{ auth_method: 'mtls', tls_cert: PEM }, KEY],
    bearer_token: [{ auth_method: 'bearer' }, 'abc'],
    resend_interval: [WEB, 5],
    description: [WEB, 'Ask Ann'],
    invert_keyword: [{ type: 'keyword', keyword: 'yes' }, 1],
    timeout: [WEB, 7],
    packet_size: [PING, 1_400],
    ping_count: [PING, 3],
    ping_per_request_timeout: [PING, 5],
    cache_bust: [WEB, 1],
    ip_family: [WEB, 'ipv4'],
    smtp_security: [PORT, 'starttls'],
    expected_tls_alert: [PORT, 'certificate_required'],
    domain_expiry_notification: [WEB, 1],
    save_response: [WEB, 1],
    json_path: [QUERY, 'b'],
    json_path_operator: [QUERY, '!='],
    expected_value: [QUERY, '2'],
    retry_only_on_status_code_failure: [QUERY, 1],
    database_connection_string: [DATABASE, 'postgres://b.example/shop'],
    database_query: [DATABASE, 'SELECT 1'],
    mqtt_topic: [MQTT, 'hall'],
    mqtt_websocket_path: [{ ...MQTT, hostname: 'ws://a.example' }, '/mqtt'],
    mqtt_success_message: [MQTT, 'on'],
    mqtt_username: [MQTT, 'ada'],
    mqtt_password: [{ ...MQTT, mqtt_username: 'ada' }, 'sesame'],
    mqtt_check_type: [MQTT, 'json-query'],
    rabbitmq_nodes: [RABBIT, '["http://b.example:15672/"]'],
    rabbitmq_username: [RABBIT, 'ada'],
    rabbitmq_password: [{ ...RABBIT, rabbitmq_username: 'ada' }, 'sesame'],
    subtype: [{ type: 'globalping', hostname: 'a.example' }, 'ping'],
    protocol: [{ type: 'globalping', subtype: 'ping', hostname: 'a.example', port: 7 }, 'TCP'],
    kafka_producer_topic: [KAFKA, 'events'],
    kafka_producer_brokers: [KAFKA, '["b.example:9092"]'],
    kafka_producer_ssl: [KAFKA, 1],
    kafka_producer_message: [KAFKA, 'ready'],
    remote_browser: [{ type: 'real-browser', url: 'https://shop.example' }, 7],
    screenshot_delay: [{ type: 'real-browser', url: 'https://shop.example' }, 500],
    kafka_producer_allow_auto_topic_creation: [KAFKA, 1],
    kafka_producer_sasl_options: [KAFKA, '{"mechanism": "plain", "username": "ada", "password": "x"}'],
  }
  /** Columns of types that do not come over, by type; once one does, its columns come over or are told. */
  const OF_TYPES: Record<string, string[]> = {
    'system-service': ['system_service_name'],
  }
  /** Columns that do not matter for an imported monitor. */
  const ofNothing: Record<string, string[]> = {
    'bookkeeping, and the order on its screens': [
      'dns_last_result',
      'id',
      'user_id',
      'created_date',
      'weight',
    ],
    'the place of a check, which all lose': ['location'],
    'how names are shown': ['ping_numeric'],
    'the state that a switch had last': ['manual_status'],
    'what is kept of answers, which stays with the history': ['save_error_response', 'response_max_length'],
    'a token of one game, which is asked by a protocol of its own': ['gamedig_token'],
    'what a method of signing in has that is skipped': [...['auth_domain', 'auth_workstation']],
    'read for all monitors at once: a paused group pauses': ['parent'],
    ...Object.fromEntries(
      Object.entries(OF_TYPES).map(([type, columns]) => [`of the type ${type}`, columns]),
    ),
  }

  for (const [column, [without, value]] of Object.entries(told)) {
    it(`${column} comes over, or is told`, () => {
      assert.notDeepEqual(draftOne({ ...without, [column]: value }), draftOne(without))
    })
  }

  it('those of a type that does not come over are only of types that are told of', () => {
    assert.deepEqual(
      Object.keys(OF_TYPES).filter((type) => type in KUMA_TYPES || !(type in KUMA_REASONS)),
      [],
    )
  })

  for (const [why, columns] of Object.entries(ofNothing)) {
    it(`${why}: ${columns.length} columns change nothing`, () => {
      for (const column of columns.filter((each) => !['id', 'parent'].includes(each))) {
        for (const monitor of [WEB, PORT, PING, { type: 'push' }]) {
          assert.deepEqual(draftOne({ ...monitor, [column]: 'x' }), draftOne(monitor), column)
        }
      }
    })
  }
})
