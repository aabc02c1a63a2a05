// npm test leaves this out: it types a monitor of every type, and each kind of wrong input (a minute of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import type { Contact } from '../../../../src/core/alerting/contact.ts'
import { createSayer } from '../../../../src/core/language/sayer.ts'
import { ENGLISH } from '../../../../src/core/language/translate.ts'
import type { MonitorType } from '../../../../src/core/monitors/monitor.ts'
import { neededOptionsOf } from '../../../../src/core/monitors/monitor-types.ts'
import type { OptionName } from '../../../../src/core/monitors/options/entries.ts'
import { optionOf } from '../../../../src/core/monitors/options/monitor-options.ts'
import { OPTION_GROUPS } from '../../../../src/core/monitors/options/option.ts'
import { type BrowserService, browserService } from '../../../support/browser/browser-service.ts'
import {
  type BrowserTeam,
  idInAddress,
  openBrowserTeam,
  saidOf,
} from '../../../support/browser/browser-team.ts'
import { chooseType } from '../../../support/browser/choose-type.ts'
import { openChromium, openPage } from '../../../support/browser/chromium.ts'
import { signInQuietly } from '../../../support/browser/people.ts'
import { expectAccessible } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'
import { startTcpProxy } from '../../../support/servers/tcp-proxy.ts'
import { MONITOR_DEFAULTS } from '../../../support/services/api-bodies.ts'

/** Values to type or choose, by the label of their field. */
/** `groups`: those of options that are opened first. `adds`: buttons in them that are pressed then. */
type Filled = {
  text?: Record<string, string>
  choice?: Record<string, string>
  groups?: string[]
  adds?: string[]
}

const { sayFaults } = createSayer(ENGLISH)

const DEFAULTS = { ...MONITOR_DEFAULTS, check_interval_minutes: 1, is_active: false }

/** A group has no field to type its members in: `groups.test.ts` chooses them. */
const TYPES: Record<
  Exclude<MonitorType, 'group'>,
  { label: string; filled: Filled; made: Record<string, unknown> }
> = {
  http: {
    label: 'HTTP',
    filled: {
      text: {
        URL: 'http://localhost:8080/health?full=1&x=%20',
        Name: 'Shop <front> “Ω”',
        'Timeout in seconds': '12',
        'Days of warning before a certificate expires': '21',
        'Status codes that count as up': '204, 200 301',
        'Request headers: name 1': 'X-Key',
        'Request headers: value 1': 'a:b c',
        'User name': 'ada',
        Password: 'pass word',
        'Attempts before a check fails': '3',
        'Time between attempts': '30',
        'Passing checks before it is up again': '2',
        'Alert again after': '60',
      },
      choice: { 'Check every': '30 s', Method: 'POST' },
    },
    made: {
      url: 'http://localhost:8080/health?full=1&x=%20',
      name: 'Shop <front> “Ω”',
      request_timeout_seconds: 12,
      ssl_expiry_warning_days: 21,
      expected_status_codes: [204, 200, 301],
      request_headers: { 'X-Key': 'a:b c' },
      username: 'ada',
      has_password: true,
      check_interval_seconds: 30,
      http_method: 'POST',
      options: { attempts: 3, retry_seconds: 30, recovery_checks: 2, repeat_minutes: 60 },
    },
  },
  keyword: {
    label: 'Keyword',
    filled: {
      text: { URL: 'localhost/status', 'Text the page must contain': ' "OK" & Ω ', Name: 'Status' },
      choice: { 'Check every': '15 min' },
    },
    made: {
      url: 'https://localhost/status',
      name: 'Status',
      expected_keyword: ' "OK" & Ω ',
      check_interval_minutes: 15,
    },
  },
  ssl: {
    label: 'Certificate',
    filled: {
      text: { URL: 'https://localhost:8443', 'Days of warning before a certificate expires': '30' },
      choice: { 'Check every': '24 h' },
    },
    made: {
      url: 'https://localhost:8443',
      name: 'localhost:8443',
      ssl_expiry_warning_days: 30,
      check_interval_seconds: 86_400,
    },
  },
  tcp: {
    label: 'TCP port',
    filled: {
      text: { Host: 'localhost:5432', Name: 'Database' },
      choice: { 'Check every': 'Another interval…' },
    },
    made: { url: 'tcp://localhost:5432', port: 5_432, name: 'Database', check_interval_seconds: 90 },
  },
  icmp: {
    label: 'Ping',
    filled: { text: { Host: 'icmp://localhost', Name: 'Router' }, choice: { 'Check every': '1 h' } },
    made: { url: 'icmp://localhost', name: 'Router', check_interval_minutes: 60 },
  },
  dns: {
    label: 'DNS',
    filled: {
      groups: ['Request', 'Connection'],
      text: { Host: 'localhost', Name: 'Mail', 'Name server': '127.0.0.1:5353' },
      choice: { 'Record type': 'MX', Transport: 'tcp' },
    },
    made: {
      url: 'dns://localhost',
      name: 'Mail',
      options: { record_type: 'MX', transport: 'tcp', resolver: '127.0.0.1:5353' },
    },
  },
  steps: {
    label: 'Several requests',
    filled: {
      text: {
        URL: 'http://localhost:8080/',
        Name: 'Checkout',
        'Name of step 1': 'sign in',
        'URL of step 1': '/sign-in',
        'Name of step 2': 'basket',
        'URL of step 2': '/basket',
      },
    },
    made: {
      url: 'http://localhost:8080/',
      name: 'Checkout',
      options: {
        steps: [
          { name: 'sign in', method: 'GET', url: '/sign-in' },
          { name: 'basket', method: 'GET', url: '/basket' },
        ],
      },
    },
  },
  browser: {
    label: 'Browser',
    filled: { text: { URL: 'http://localhost:8080/', Name: 'Visit' } },
    made: { url: 'http://localhost:8080/', name: 'Visit' },
  },
  smtp: {
    label: 'SMTP',
    filled: {
      groups: ['Connection'],
      text: { URL: 'localhost:587', Name: 'Server of SMTP', 'User name': 'ada', Password: 'pass word' },
      choice: { Encryption: 'starttls' },
    },
    made: {
      url: 'smtp://localhost:587',
      name: 'Server of SMTP',
      username: 'ada',
      has_password: true,
      options: { security: 'starttls' },
    },
  },
  imap: {
    label: 'IMAP',
    filled: {
      groups: ['Connection'],
      text: { URL: 'localhost', Name: 'Server of IMAP', 'User name': 'ada', Password: 'pass word' },
      choice: { Encryption: 'implicit' },
    },
    made: {
      url: 'imaps://localhost',
      name: 'Server of IMAP',
      username: 'ada',
      has_password: true,
      options: { security: 'implicit' },
    },
  },
  pop3: {
    label: 'POP3',
    filled: {
      groups: ['Connection'],
      text: {
        URL: 'pop3://localhost:110',
        Name: 'Server of POP3',
        'User name': 'ada',
        Password: 'pass word',
      },
      choice: { Encryption: 'starttls' },
    },
    made: {
      url: 'pop3://localhost:110',
      name: 'Server of POP3',
      username: 'ada',
      has_password: true,
      options: { security: 'starttls' },
    },
  },
  ftp: {
    label: 'FTP',
    filled: {
      groups: ['Connection'],
      text: { URL: 'ftp://localhost', Name: 'Server of FTP', 'User name': 'ada', Password: 'pass word' },
      choice: { Encryption: 'starttls' },
    },
    made: {
      url: 'ftp://localhost',
      name: 'Server of FTP',
      username: 'ada',
      has_password: true,
      options: { security: 'starttls' },
    },
  },
  udp: {
    label: 'UDP',
    filled: {
      adds: ['Add an assertion'],
      text: { Host: 'localhost:7', Name: 'Echo', Send: 'ping', 'Assertion 1: value': 'pong' },
    },
    made: {
      url: 'udp://localhost:7',
      port: 7,
      name: 'Echo',
      options: {
        send: 'ping',
        assertions: [{ source: 'answer', comparison: 'equals', target: 'pong', severity: 'down' }],
      },
    },
  },
  ntp: {
    label: 'NTP',
    filled: {
      groups: ['Expectations'],
      text: { URL: 'time.example.com', Name: 'Time', 'Greatest offset': '250' },
    },
    made: { url: 'ntp://time.example.com', name: 'Time', options: { max_offset_ms: 250 } },
  },
  snmp: {
    label: 'SNMP',
    filled: { text: { URL: 'switch.example.com', Name: 'Switch', OID: '1.3.6.1.2.1.1.3.0' } },
    made: { url: 'snmp://switch.example.com', name: 'Switch', options: { oid: '1.3.6.1.2.1.1.3.0' } },
  },
  radius: {
    label: 'RADIUS',
    filled: {
      text: {
        ...{ URL: 'radius.example.com', Name: 'Sign-ins' },
        ...{ 'User name': 'watcher', Password: 'secret', 'Shared secret': 'sesame-7' },
      },
    },
    made: {
      ...{ url: 'radius://radius.example.com', name: 'Sign-ins' },
      ...{ username: 'watcher', has_password: true, options: { shared_secret: '********' } },
    },
  },
  sip: {
    label: 'SIP',
    filled: { text: { URL: 'pbx.example.com', Name: 'Telephones' } },
    made: { url: 'sip://pbx.example.com', name: 'Telephones' },
  },
  game: {
    label: 'Game server',
    filled: { text: { URL: 'play.example.com', Name: 'World', Game: 'minecraft' } },
    made: { url: 'game://play.example.com', name: 'World', options: { game: 'minecraft' } },
  },
  grpc: {
    label: 'gRPC',
    filled: { groups: ['Request'], text: { URL: 'api.example.com', Name: 'Orders', Service: 'shop.Orders' } },
    made: { url: 'grpcs://api.example.com', name: 'Orders', options: { service: 'shop.Orders' } },
  },
  ldap: {
    label: 'LDAP',
    filled: {
      groups: ['Request'],
      text: { URL: 'ldap.example.com', Name: 'Staff', 'Entry (DN)': 'dc=example,dc=com' },
    },
    made: { url: 'ldaps://ldap.example.com', name: 'Staff', options: { base_dn: 'dc=example,dc=com' } },
  },
  docker: {
    label: 'Docker',
    filled: { text: { URL: 'Shop_web-1', Name: 'Shop', 'Docker host': 'https://docker.example.com:2376' } },
    made: {
      url: 'docker://Shop_web-1',
      name: 'Shop',
      options: { docker_host: 'https://docker.example.com:2376' },
    },
  },
  postgresql: {
    label: 'PostgreSQL',
    filled: {
      groups: ['Request'],
      text: {
        URL: 'localhost/shop',
        'User name': 'ada',
        Password: 'pass word',
        Name: 'Orders',
        Query: 'SELECT 1',
      },
    },
    made: {
      url: 'postgresql://localhost/shop',
      name: 'Orders',
      username: 'ada',
      has_password: true,
      options: { query: 'SELECT 1' },
    },
  },
  mysql: {
    label: 'MySQL',
    filled: {
      groups: ['Request'],
      text: {
        URL: 'mariadb://localhost:3307',
        'User name': 'ada',
        Password: 'pass word',
        Name: 'Basket',
        Database: 'shop',
      },
    },
    made: {
      url: 'mariadb://localhost:3307',
      name: 'Basket',
      username: 'ada',
      has_password: true,
      options: { database: 'shop' },
    },
  },
  redis: {
    label: 'Redis',
    filled: {
      groups: ['Request'],
      text: { URL: 'rediss://localhost', Password: 'pass word', Name: 'Cache', Query: 'LLEN mails' },
    },
    made: { url: 'rediss://localhost', name: 'Cache', has_password: true, options: { query: 'LLEN mails' } },
  },
  mongodb: {
    label: 'MongoDB',
    filled: {
      groups: ['Request'],
      text: {
        URL: 'mongodb://localhost,localhost:27018',
        'User name': 'ada',
        Password: 'pass word',
        Name: 'Carts',
        Query: '{"count": "carts"}',
      },
    },
    made: {
      url: 'mongodb://localhost,localhost:27018',
      name: 'Carts',
      username: 'ada',
      has_password: true,
      options: { query: '{"count": "carts"}' },
    },
  },
  sqlserver: {
    label: 'SQL Server',
    filled: {
      groups: ['Request'],
      text: {
        URL: 'localhost/shop',
        'User name': 'ada',
        Password: 'pass word',
        Name: 'Invoices',
        Query: 'SELECT 1',
      },
    },
    made: {
      url: 'sqlserver://localhost/shop',
      name: 'Invoices',
      username: 'ada',
      has_password: true,
      options: { query: 'SELECT 1' },
    },
  },
  mqtt: {
    label: 'MQTT',
    filled: {
      groups: ['Request'],
      text: {
        URL: 'localhost',
        Name: 'Sensors',
        'User name': 'ada',
        Password: 'pass word',
        Topic: 'sensors/#',
      },
    },
    made: {
      ...{ url: 'mqtt://localhost', name: 'Sensors', username: 'ada', has_password: true },
      options: { topic: 'sensors/#' },
    },
  },
  amqp: {
    label: 'AMQP',
    filled: {
      groups: ['Request'],
      text: { URL: 'localhost/shop', Name: 'Orders', Topic: 'health', Publish: 'ready' },
    },
    made: { url: 'amqp://localhost/shop', name: 'Orders', options: { topic: 'health', publish: 'ready' } },
  },
  nats: {
    label: 'NATS',
    filled: { groups: ['Request'], text: { URL: 'tls://localhost', Name: 'Bus', Topic: 'health.>' } },
    made: { url: 'tls://localhost', name: 'Bus', options: { topic: 'health.>' } },
  },
  kafka: {
    label: 'Kafka',
    filled: {
      groups: ['Request', 'Connection'],
      text: { URL: 'localhost:9092', Name: 'Events', Topic: 'health', Publish: 'ready' },
      choice: { Encryption: 'implicit' },
    },
    made: {
      ...{ url: 'kafka://localhost:9092', name: 'Events' },
      options: { topic: 'health', publish: 'ready', security: 'implicit' },
    },
  },
  ssh: {
    label: 'SSH',
    filled: { text: { URL: 'localhost:2222', Name: 'Bastion' } },
    made: { url: 'ssh://localhost:2222', name: 'Bastion' },
  },
  websocket: {
    label: 'WebSocket',
    filled: {
      groups: ['Request'],
      text: {
        ...{ URL: 'localhost:8080/live', Name: 'Live', Subprotocol: 'chat' },
        ...{ Send: 'hello', 'Request headers: name 1': 'Origin' },
        'Request headers: value 1': 'https://shop.example',
      },
    },
    made: {
      ...{ url: 'wss://localhost:8080/live', name: 'Live' },
      request_headers: { Origin: 'https://shop.example' },
      options: { subprotocol: 'chat', send: 'hello' },
    },
  },
  domain: {
    label: 'Domain',
    filled: {
      groups: ['Expectations'],
      text: {
        Host: 'example.com',
        Name: 'Ours',
        'Timeout in seconds': '12',
        'Warn before the registration ends': '45',
      },
      choice: { 'Check every': '6 h' },
    },
    made: {
      url: 'domain://example.com',
      name: 'Ours',
      request_timeout_seconds: 12,
      check_interval_seconds: 21_600,
      options: { warning_days: 45 },
    },
  },
  manual: {
    label: 'Manual',
    filled: { text: { Name: 'Telephone line' } },
    made: { url: null, name: 'Telephone line', check_interval_minutes: 60 },
  },
  heartbeat: {
    label: 'Heartbeat',
    // Expected daily, where nothing else is chosen.
    filled: {
      groups: ['Times of the job', 'Expectations'],
      text: {
        Name: 'Backup',
        'Job schedule': '0 3 * * 1-5',
        'Time zone of the schedule': 'Europe/Berlin',
        Grace: '600',
        'Longest run': '1800',
        'Exit statuses that count as done': '0, 3',
      },
    },
    made: {
      url: null,
      name: 'Backup',
      check_interval_seconds: 90_000,
      options: {
        schedule: '0 3 * * 1-5',
        timezone: 'Europe/Berlin',
        grace_seconds: 600,
        max_duration_seconds: 1_800,
        expect_exit: [0, 3],
      },
    },
  },
}

/** Input that is refused, with the body that means the same to the API, and the field it is about. */
const REFUSED: {
  type: keyof typeof TYPES
  text: Record<string, string>
  body: object
  at: string
  field: string
}[] = [
  { type: 'http', text: { Name: 'Shop' }, body: { url: null }, at: 'URL', field: 'url' },
  {
    type: 'http',
    text: { URL: 'ftp://localhost' },
    body: { url: 'ftp://localhost' },
    at: 'URL',
    field: 'url',
  },
  { type: 'icmp', text: { Host: 'not a host' }, body: { url: 'not a host' }, at: 'Host', field: 'url' },
  { type: 'tcp', text: { Host: 'tcp://localhost' }, body: { port: null }, at: 'Port', field: 'port' },
  {
    type: 'tcp',
    text: { Host: 'tcp://localhost', Port: '70000' },
    body: { port: 70_000 },
    at: 'Port',
    field: 'port',
  },
  {
    type: 'tcp',
    text: { Host: 'tcp://localhost', Port: 'ssh' },
    body: { port: 'ssh' },
    at: 'Port',
    field: 'port',
  },
  {
    type: 'keyword',
    text: { URL: 'http://localhost' },
    body: { url: 'http://localhost' },
    at: 'Text the page must contain',
    field: 'expected_keyword',
  },
  {
    type: 'heartbeat',
    text: { Name: 'x'.repeat(256) },
    body: { name: 'x'.repeat(256) },
    at: 'Name',
    field: 'name',
  },
  {
    type: 'http',
    text: { URL: 'http://localhost', 'Timeout in seconds': '61' },
    body: { request_timeout_seconds: 61 },
    at: 'Timeout in seconds',
    field: 'request_timeout_seconds',
  },
  {
    type: 'http',
    text: { URL: 'http://localhost', 'Attempts before a check fails': '11' },
    body: { options: { attempts: 11 } },
    at: 'Attempts before a check fails',
    field: 'options.attempts',
  },
  // Only the service knows what its policy refuses.
  {
    type: 'http',
    text: { URL: 'http://169.254.169.254/' },
    body: { url: 'http://169.254.169.254/' },
    at: 'URL',
    field: 'url',
  },
]

const EDITS: { what: string; edit: (page: Page) => Promise<void>; sent: object }[] = [
  {
    what: 'a name',
    edit: (page) => page.getByLabel('Name', { exact: true }).fill('Shop 2'),
    sent: { name: 'Shop 2' },
  },
  {
    what: 'another interval in minutes',
    edit: async (page) => void (await page.getByLabel('Check every').selectOption('15 min')),
    sent: { check_interval_minutes: 15, check_interval_seconds: null },
  },
  {
    what: 'nobody in particular to alert',
    edit: (page) => page.getByLabel('Ops').uncheck(),
    sent: { notification_contact_ids: null },
  },
  {
    what: 'headers, one of them taken away',
    edit: async (page) => {
      await page.getByText('More settings').click()
      await page.getByRole('button', { name: 'Remove X-One' }).click()
    },
    sent: { request_headers: { 'X-Two': '2' } },
  },
  {
    what: 'a new password and a longer time limit',
    edit: async (page) => {
      await page.getByText('More settings').click()
      await page.getByLabel('Password').fill('secret')
      await page.getByLabel('Timeout in seconds').fill('60')
    },
    sent: { request_timeout_seconds: 60, password: 'secret' },
  },
  {
    what: 'options, one of them taken away',
    edit: async (page) => {
      await page.getByText('Patience').click()
      await page.getByLabel('Attempts before a check fails').fill('')
      await page.getByLabel('Upside down').check()
    },
    sent: { options: { attempts: null, inverted: true } },
  },
  {
    what: 'nothing',
    edit: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Another')
      await page.getByLabel('Name', { exact: true }).fill('Shop')
    },
    sent: {},
  },
]

/* test/long/browser tries every type, refusal and edit. */
describe('the form of a monitor', () => {
  const scope = suiteScope()
  let service: BrowserService
  let browser: Browser
  let here: BrowserTeam
  let page: Page
  let ops: Contact

  before(async () => {
    service = await browserService()
    browser = await openChromium(scope)
    here = await openBrowserTeam(scope, service, browser)
    page = here.page
    ops = await here.team.data('POST', '/notification-contacts', {
      name: 'Ops',
      type: 'email',
      config: { email: 'ops@example.com' },
    })
  })

  it('is tried with another value than the default in every field', () => {
    const made = new Set(Object.values(TYPES).flatMap((type) => Object.keys(type.made)))
    // Unchecked for every type.
    const left = Object.keys(MONITOR_DEFAULTS).filter((name) => !made.has(name) && name !== 'is_active')
    assert.deepEqual(left, [])
  })

  for (const [type, { label, filled, made }] of Object.entries(TYPES)) {
    it(`makes a monitor of type ${type} with exactly what was typed`, async () => {
      await begin(label)
      for (const name of neededOptionsOf(type as MonitorType)) {
        const needed = page.getByText(optionOf(name as OptionName).label, { exact: true }).first()
        assert.equal(await needed.isVisible(), true, name)
        assert.equal(await page.locator('details').filter({ has: needed }).count(), 0, name)
      }
      await page.getByText('More settings').click()
      await page.getByText('Patience').click()
      for (const group of filled.groups ?? []) await page.getByText(group, { exact: true }).click()
      for (const name of filled.adds ?? []) await page.getByRole('button', { name }).click()
      if (filled.text?.['Request headers: name 1'])
        await page.getByRole('button', { name: 'Add request header' }).click()
      await fill(page, filled)
      if (type === 'tcp') await page.getByLabel('Exact interval').fill('1,5')
      await page.getByLabel('Ops').check()
      await page.getByLabel('Check now and at every interval').uncheck()
      // The notice about the previous monitor may cover the button.
      await add(page).click()
      const id = await idInAddress(page, 'monitors')
      const monitor = await here.team.data('GET', `/monitors/${id}`)
      const { notification_contacts, ...rest } = monitor
      assert.deepEqual(pick(rest, { ...DEFAULTS, ...made }), { ...DEFAULTS, ...made })
      assert.deepEqual(notification_contacts, [ops])
      assert.equal(monitor.type, type)
    })
  }

  for (const { type, text, body, at, field } of REFUSED) {
    it(`says what the API says of ${JSON.stringify(body).slice(0, 40)} for ${type}, at the field`, async () => {
      const whole = { type, name: 'Shop', check_interval_minutes: 1, url: 'http://localhost', ...body }
      const refused = await page.request.post(`/app/teams/${here.team.teamId}/monitors`, { data: whole })
      assert.equal(refused.status(), 422)
      const { faults } = await refused.json()
      await begin(TYPES[type].label)
      await page.getByText('More settings').click()
      await page.getByText('Patience').click()
      await fill(page, { text: { Name: 'Shop', ...text } })
      await add(page).click()
      const faulty = page.getByLabel(at, { exact: true })
      await faulty.and(page.locator('[aria-invalid]:focus')).waitFor()
      assert.equal(await saidOf(page, faulty), sayFaults(faults)[field]?.join('; '))
      for (const [label, typed] of Object.entries(text)) {
        assert.equal(await page.getByLabel(label, { exact: true }).inputValue(), typed)
      }
    })
  }

  for (const { what, edit, sent } of EDITS) {
    it(`sends of an edit only what was changed: ${what}`, async () => {
      const id = await paused()
      await here.open(`/monitors/${id}/edit`, 'Edit Shop')
      await edit(page)
      const [request] = await Promise.all([
        page.waitForRequest((asked) => asked.method() === 'PATCH'),
        page.getByRole('button', { name: 'Save changes' }).click(),
      ])
      assert.deepEqual(request.postDataJSON(), sent)
      await page.waitForURL(`**/monitors/${id}`)
      const { password: _never, notification_contact_ids: _ids, ...seen } = sent as Record<string, unknown>
      const { options, ...others } = seen
      const monitor = await here.team.data('GET', `/monitors/${id}`)
      assert.deepEqual(pick(monitor, others), others)
      // One that is null is not set any more.
      const set = Object.entries(options ?? { attempts: 2 }).filter(([, value]) => value !== null)
      assert.deepEqual(monitor.options, Object.fromEntries(set))
    })
  }

  it('folds the options by group, says what is set, and shows a type its own alone', async () => {
    await begin('HTTP')
    const patience = page.locator('details').filter({ hasText: 'Patience' })
    const summary = patience.locator('summary')
    assert.equal(await summary.innerText(), 'Patience')
    assert.equal(await page.getByLabel('Attempts before a check fails').isVisible(), false)
    await summary.click()
    await page.getByLabel('Attempts before a check fails').fill('3')
    await page.getByLabel('Upside down').check()
    assert.match(await summary.innerText(), /^Patience\s*Attempts before a check fails: 3 · Upside down$/)
    await expectAccessible(page, 'the form with options')
    assert.deepEqual(await groups(), ['Request', 'Expectations', 'Patience', 'Connection'])
    await begin('Heartbeat')
    assert.deepEqual(await groups(), ['Times of the job', 'Expectations', 'Patience'])
    await page.locator('summary').filter({ hasText: 'Patience' }).click()
    assert.equal(await page.getByLabel('Attempts before a check fails').count(), 0)
    assert.equal(await page.getByLabel('Upside down').isVisible(), true)
    const { id } = await here.team.monitor({ ...PAUSED, options: { attempts: 2, repeat_minutes: 30 } })
    await here.open(`/monitors/${id}/edit`, `Edit ${(await here.team.show(id)).name}`)
    assert.match(
      await page.locator('summary').filter({ hasText: 'Patience' }).innerText(),
      /Attempts before a check fails: 2 · Alert again after: 30 min$/,
    )
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByText('Attempts before a check fails: 2 · Alert again after: 30 min').waitFor()
  })

  it('shows what another member changed meanwhile, and overwrites it only when told to', async () => {
    const id = await paused()
    const name = page.getByLabel('Name', { exact: true })
    const collision = page.getByRole('alert', { name: 'Changed by someone else' })
    const change = (body: object) => here.team.data('PATCH', `/monitors/${id}`, body)
    await here.open(`/monitors/${id}/edit`, 'Edit Shop')
    await name.fill('Shop of mine')
    await change({ name: 'Shop of theirs', request_timeout_seconds: 45 })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await collision.getByText(/^Owner \d+ changed this while you were editing it$/).waitFor()
    await collision.getByText('Theirs: Shop of theirs').waitFor()
    await collision.getByText('Yours: Shop of mine').waitFor()
    await expectAccessible(page, 'a collision')
    assert.equal((await here.team.show(id)).name, 'Shop of theirs', 'nothing is lost silently')
    await collision.getByRole('button', { name: 'Take theirs' }).click()
    await collision.waitFor({ state: 'detached' })
    assert.equal(await name.inputValue(), 'Shop of theirs')

    await name.fill('Shop of mine')
    await change({ name: 'Shop of a third one' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await collision.getByText('Theirs: Shop of a third one').waitFor()
    await collision.getByRole('button', { name: 'Save yours' }).click()
    await page.waitForURL(`**/monitors/${id}`)
    const { request_timeout_seconds, ...saved } = await here.team.data('GET', `/monitors/${id}`)
    assert.deepEqual(
      [saved.name, request_timeout_seconds],
      ['Shop of mine', 45],
      'both have what they changed',
    )
  })

  it('asks before changes are left, and not without changes', async () => {
    const id = await paused()
    await here.open(`/monitors/${id}/edit`, 'Edit Shop')
    const leave = page.getByRole('dialog', { name: 'Leave without saving?' })
    await page.getByLabel('Name', { exact: true }).fill('Shop 3')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await leave.getByRole('button', { name: 'Cancel' }).click()
    await leave.waitFor({ state: 'hidden' })
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Shop 3')

    await page.getByRole('link', { name: 'Contacts' }).click()
    await leave.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    assert.equal((await here.team.show(id)).name, 'Shop')

    await here.open(`/monitors/${id}/edit`, 'Edit Shop')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Shop', exact: true }).waitFor()
  })

  it('asks before changes are lost with the page', async () => {
    await here.open(`/monitors/${await paused()}/edit`, 'Edit Shop')
    await page.getByLabel('Name', { exact: true }).click()
    await page.keyboard.type('!')
    const asked = page.waitForEvent('dialog').then(async (dialog) => {
      await dialog.accept()
      return dialog.type()
    })
    await page.reload()
    assert.equal(await asked, 'beforeunload')
  })

  it('keeps what was typed while the service is away, and sends it when it is back', async (test) => {
    // All other files go on asking it: away is it for this browser only.
    const way = await startTcpProxy(scope, Number(new URL(service.url).port))
    const { context, page, leave } = await openPage(browser, way.url)
    test.after(leave)
    await signInQuietly(context, here.person)
    await page.goto(`/teams/${here.team.teamId}/monitors/new`)
    await fill(page, { text: { URL: 'http://localhost/', Name: 'Patience' } })
    await page.getByText('More settings').click()
    await page.getByLabel('Check now and at every interval').uncheck()
    way.set('cut')
    await add(page).click()
    await page.getByRole('alert').filter({ hasText: 'Upbeat is not responding' }).waitFor()
    way.set('pass')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Patience')
    await add(page).click()
    const monitor = await here.team.data('GET', `/monitors/${await idInAddress(page, 'monitors')}`)
    assert.equal(monitor.name, 'Patience')
    assert.equal(monitor.is_active, false)
  })

  describe('of a team whose plan has limits', () => {
    let free: BrowserTeam

    before(async () => {
      free = await openBrowserTeam(scope, service, browser, 'free')
    })

    it('offers what the plan allows, and says at the field what it does not', async () => {
      await free.open('/monitors/new', 'Add a monitor')
      await fill(free.page, { text: { URL: 'http://localhost', Name: 'Shop' } })
      const offered = await free.page.getByLabel('Check every').locator('option').allInnerTexts()
      assert.deepEqual(offered, ['5 min', '15 min', '30 min', '1 h', 'Another interval…'])
      await free.page.getByLabel('Check every').selectOption('Another interval…')
      const exact = free.page.getByLabel('Exact interval')
      await exact.fill('4')
      await add(free.page).click()
      await exact.and(free.page.locator('[aria-invalid]')).waitFor()
      assert.equal(await saidOf(free.page, exact), 'Must be at least 300 on the free plan, not 240')
    })

    it('keeps what was typed when a colleague has taken the last place', async () => {
      await free.open('/monitors/new', 'Add a monitor')
      await fill(free.page, { text: { URL: 'http://localhost', Name: 'One too many' } })
      for (let count = 0; count < 10; count++) await free.team.monitor(PAUSED)
      await add(free.page).click()
      const { body } = await free.team.ask('POST', '/monitors', { ...PAUSED, type: 'http' })
      await free.page.getByRole('alert').filter({ hasText: body.detail }).waitFor()
      assert.equal(await free.page.getByLabel('Name', { exact: true }).inputValue(), 'One too many')
    })

    it('is not shown where there is no place for another monitor', async () => {
      await free.open('/monitors', 'Monitors')
      await free.open('/monitors/new', 'Add a monitor')
      await free.page.getByText('Monitor limit reached').waitFor()
      assert.equal(await add(free.page).count(), 0)
    })
  })

  it('makes the page complain about nothing', () => {
    assert.deepEqual(here.complaints(), [])
  })

  async function begin(type: string) {
    await here.open('/monitors/new', 'Add a monitor')
    await chooseType(page, type)
  }

  /** The groups of options that the form shows, in its order. */
  async function groups(): Promise<string[]> {
    const folded = await page.locator('summary').allInnerTexts()
    return folded.flatMap((text) => Object.values(OPTION_GROUPS).filter((group) => text.startsWith(group)))
  }

  /** A monitor to edit, which nobody checks. */
  async function paused(): Promise<number> {
    const { id } = await here.team.monitor({
      ...PAUSED,
      check_interval_seconds: 30,
      request_headers: { 'X-One': '1', 'X-Two': '2' },
      username: 'ada',
      options: { attempts: 2 },
      notification_contact_ids: [ops.id],
    })
    return id
  }
})

const PAUSED = {
  name: 'Shop',
  url: 'http://localhost/',
  is_active: false,
  check_interval_minutes: 5,
  check_interval_seconds: null,
}

async function fill(page: Page, { text = {}, choice = {} }: Filled): Promise<void> {
  // A checkbox may have the name of another monitor.
  const typedIn = page.locator('input:not([type=checkbox]), textarea')
  for (const [label, typed] of Object.entries(text))
    await page.getByLabel(label, { exact: true }).and(typedIn).fill(typed)
  for (const [label, option] of Object.entries(choice)) await page.getByLabel(label).selectOption(option)
}

function add(page: Page): Locator {
  return page.getByRole('button', { name: 'Add monitor' })
}

/** The fields of a record that are named by another. */
function pick(record: Record<string, unknown>, names: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, record[name]]))
}
