import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { readExport } from '../../src/imports/read-export.ts'
import { fromUptimeKuma, type KumaExport } from '../../src/imports/uptime-kuma.ts'
import { readKumaBackup } from '../../src/imports/uptime-kuma-backup.ts'
import { KUMA_CONTENT, writeKumaDatabase } from '../support/kuma-database.ts'
import { assertMonitor, LIMITS, notesOn } from '../support/read-exports.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function readDatabase(t: TestContext) {
  const file = join(temporaryFolder(t), 'kuma.db')
  writeKumaDatabase(file, KUMA_CONTENT)
  return await readExport('uptime-kuma', [file], LIMITS)
}

function draftOne(monitor: Record<string, unknown>) {
  const exported: KumaExport = {
    monitors: [{ id: 1, name: 'One', type: 'http', url: 'https://one.example/', interval: 60, ...monitor }],
    notifications: [],
    attached: [],
    baseUrl: '',
    warningDays: [],
    others: {},
  }
  return fromUptimeKuma(exported, LIMITS)
}

const NO_CONTACTS = 'has no contacts of its own: here, every contact of the team is alerted then'
const CODES =
  'accepted 200-299: here the registered ones of these codes are expected, since a monitor lists each'

describe('a kuma.db', () => {
  it('gives its monitors, with what they had', async (t) => {
    const outcome = await readDatabase(t)
    assertMonitor(outcome, 'Shop', {
      type: 'http',
      url: 'https://shop.example/',
      check_interval_minutes: 1,
      check_interval_seconds: null,
      request_timeout_seconds: 48,
      expected_status_codes: [200, 201, 202, 203, 204, 205, 206, 207, 208, 226],
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
    assertMonitor(outcome, 'Shop (2)', {
      url: 'https://shop.example/api',
      username: 'probe',
      password: 's3cret-password',
      ssl_expiry_warning_days: 1,
    })
  })

  it('pauses what stands in a paused group', async (t) => {
    assertMonitor(await readDatabase(t), 'In the cupboard', { is_active: false, check_interval_minutes: 60 })
  })

  it('says of each change what it is', async (t) => {
    const outcome = await readDatabase(t)
    assert.deepEqual(notesOn(outcome, 'Shop says welcome'), [
      'had its user name and password in the URL: they stand in fields of their own now',
      'is checked every 30 s, not 20 s: the least that the plan of the team allows',
      'is checked without its header Host: the check sets it itself',
    ])
    assert.deepEqual(notesOn(outcome, 'Shop (2)'), [
      'is called so here: the name "Shop" is taken',
      CODES,
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
        'Cupboard',
        'No error page',
        'Must be closed',
        'Orders',
        'Through',
        'status pages (1)',
        'tags (1)',
        'proxies (1)',
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
        active: monitor.active !== 0 && parent === undefined,
        accepted_statuscodes: codes ? JSON.parse(String(codes)) : ['200-299'],
        pushToken: push_token,
        invertKeyword: invert_keyword === 1,
        upsideDown: upside_down === 1,
        expiryNotification: monitor.expiry_notification !== 0,
        retryInterval: monitor.retry_interval,
        proxyId: monitor.proxy_id ?? null,
        notificationIDList: Object.fromEntries(attached.map(([, id]) => [id, true])),
      }
    })
    const backup = readKumaBackup({ version: '1.22.1', notificationList, monitorList })
    const fromBackup = fromUptimeKuma({ ...backup, warningDays: [7, 21] }, LIMITS)
    assert.deepEqual(fromBackup.declaration, (await readDatabase(t)).declaration)
  })
})

describe('what of an Uptime Kuma monitor cannot be expressed is skipped, never created otherwise', () => {
  const table: [string, Record<string, unknown>, RegExp][] = [
    ['upside-down mode', { upside_down: 1 }, /upside-down/],
    ['inverted keyword', { type: 'keyword', keyword: 'x', invert_keyword: 1 }, /inverted keyword/],
    ['a proxy', { proxy_id: 3 }, /proxy/],
    ['a request body', { method: 'POST', body: '{}' }, /body/],
    ['OPTIONS', { method: 'OPTIONS' }, /OPTIONS/],
    ['NTLM', { auth_method: 'ntlm' }, /NTLM/],
    ['a client certificate', { auth_method: 'mtls' }, /client certificate/],
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

describe('what of an Uptime Kuma monitor fits', () => {
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
    ['a body beside GET is not sent there either', { method: 'GET', body: 'x' }, { http_method: 'GET' }],
    [
      'an unset timeout is four fifths of the interval',
      { interval: 30, timeout: 0 },
      { request_timeout_seconds: 24 },
    ],
    [
      'an interval of two minutes is kept in seconds',
      { interval: 120 },
      { check_interval_minutes: 1, check_interval_seconds: 120 },
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
