import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { secondsOfGoDuration } from '../../../src/imports/gatus/go-duration.ts'
import { askedBy } from '../../support/imports/as-imported.ts'
import { assertMonitor, fromGatus, notesOn, readExports, TERMS } from '../../support/imports/read-exports.ts'

const read = () => readExports('gatus', 'gatus.yaml')

describe('a configuration of Gatus', () => {
  it('gives its endpoints, anchors and groups resolved', async () => {
    const outcome = await read()
    assertMonitor(outcome, 'core/front-end', {
      type: 'keyword',
      url: 'https://shop.example/health',
      expected_status_codes: [200, 204],
      expected_keyword: 'all is well',
      check_interval_minutes: 5,
      request_timeout_seconds: 15,
      ssl_expiry_warning_days: 2,
      contacts: ['slack, core'],
    })
    assertMonitor(outcome, 'api', {
      type: 'http',
      http_method: 'HEAD',
      request_headers: { 'X-Probe': 'gatus' },
      check_interval_seconds: 90,
      request_timeout_seconds: 10,
      contacts: ['email, oncall@shop.example', 'email, lead@shop.example'],
    })
    assertMonitor(outcome, 'database', { type: 'tcp', port: 5_432, contacts: ['custom, down only'] })
    assertMonitor(outcome, 'gateway', { type: 'icmp', url: 'icmp://192.0.2.1', is_active: false })
    assertMonitor(outcome, 'certificate', {
      type: 'ssl',
      url: 'https://mail.shop.example:993',
      check_interval_minutes: 60,
      ssl_expiry_warning_days: 10,
    })
    assertMonitor(outcome, 'jobs/Import of prices', {
      type: 'heartbeat',
      check_interval_minutes: 30,
      contacts: ['slack'],
    })
  })

  it('gives monitors the tags that their groups and labels are', async () => {
    const outcome = await read()
    assertMonitor(outcome, 'core/front-end', { tags: ['group:core'] })
    assertMonitor(outcome, 'api', { tags: ['env:production'] })
    assertMonitor(outcome, 'jobs/Import of prices', { tags: ['group:jobs'] })
    assert.ok(!('tags' in (outcome.declaration.monitors.find(({ name }) => name === 'database') ?? {})))
  })

  it('tells contacts of a recovery where Gatus did', async () => {
    const { contacts } = (await read()).declaration
    const told = contacts.map(({ name, notify_on_recovery }) => [name, notify_on_recovery])
    assert.deepEqual(told, [
      ['slack, core', true],
      ['email, oncall@shop.example', true],
      ['email, lead@shop.example', true],
      ['custom, down only', false],
      ['slack', true],
    ])
  })

  it('gives its conditions as assertions, and says which are not checked', async () => {
    const outcome = await read()
    const of = (name: string) => outcome.declaration.monitors.find((monitor) => monitor.name === name)
    const [api, frontEnd] = [of('api') ?? assert.fail(), of('core/front-end') ?? assert.fail()]
    assert.deepEqual(askedBy(frontEnd), [
      'expected_status_codes 200, 204',
      'expected_keyword "all is well"',
      'response_time_ms less_than 2500',
      'certificate_days at_least 2',
    ])
    assert.deepEqual(askedBy(api), [
      'status_code at_most 299',
      'json $.status equals "UP"',
      'response_time_ms less_than 300',
    ])
    assert.deepEqual(notesOn(outcome, 'api'), [
      'its condition [IP] == 192.0.2.7 is not checked here: there are no assertions about addresses',
    ])
  })

  it('gives a suite as a monitor of several requests', async () => {
    const outcome = await read()
    const any = [{ source: 'status_code', comparison: 'at_least', target: 100, severity: 'down' }]
    const order = outcome.declaration.monitors.find(({ name }) => name === 'core/order') ?? assert.fail()
    const [signIn, basket, leave] = order.options?.steps ?? []
    assert.deepEqual(
      [order.type, order.url, order.check_interval_minutes, order.request_timeout_seconds],
      ['steps', 'https://shop.example/', 15, 40],
    )
    assert.deepEqual(
      [signIn?.method, signIn?.body, signIn?.captures],
      [
        'POST',
        '{"user": "probe"}',
        {
          token: { source: 'json', property: '$.token' },
          next: { source: 'header', property: 'Location' },
        },
      ],
    )
    assert.deepEqual(basket, {
      ...{ name: 'basket', method: 'GET', url: 'https://shop.example/basket?next={{{next}}}' },
      headers: { Authorization: 'Bearer {{{token}}}' },
      assertions: any,
      timeout_seconds: 5,
    })
    assert.deepEqual([leave?.name, leave?.always, leave?.assertions], ['basket 2', true, any])
    assert.match(notesOn(outcome, 'core/order').join(), /CONTEXT.* is not checked here/)
  })

  it('lists what has no counterpart', async () => {
    const { skipped, pings } = await read()
    assert.deepEqual(
      skipped.map(({ what }) => what),
      [
        'alerting opsgenie',
        'alerting discord',
        'resolver',
        'secret',
        'pushed',
        'suite checkout',
        'maintenance window Maintenance at 05:00',
        'maintenance window Maintenance at 06:00',
      ],
    )
    assert.deepEqual(pings, [
      { monitor: 'jobs/Import of prices', address: '/api/v1/endpoints/jobs_import-of-prices/external' },
    ])
  })

  it('says nothing secret in what it says', async () => {
    const { skipped, notes } = await read()
    assert.doesNotMatch(JSON.stringify({ skipped, notes }), /s3cret/)
  })
})

describe('the request of an endpoint of Gatus', () => {
  const table: [what: string, endpoint: Record<string, unknown>, expected: object][] = [
    [
      'its body',
      { method: 'POST', body: 'a=1' },
      { options: { request_body: 'a=1' }, request_headers: null },
    ],
    [
      'a query of GraphQL is wrapped in JSON',
      { method: 'POST', graphql: true, body: '{ users { id } }' },
      {
        options: { request_body: '{"query":"{ users { id } }"}' },
        request_headers: { 'Content-Type': 'application/json' },
      },
    ],
    [
      'redirects that are ignored',
      { client: { 'ignore-redirect': true } },
      { options: { follow_redirects: 0 } },
    ],
    [
      'OAuth 2',
      {
        client: {
          oauth2: {
            ...{ 'token-url': 'https://t.example/', 'client-id': 'me', 'client-secret': 'x' },
            scopes: ['a', 'b'],
          },
        },
      },
      {
        options: {
          auth: {
            ...{ type: 'oauth2', token_url: 'https://t.example/', client_id: 'me', client_secret: 'x' },
            scope: 'a b',
          },
        },
      },
    ],
    [
      'a proxy and a name server',
      { client: { 'proxy-url': 'http://proxy.example:3128', 'dns-resolver': 'udp://192.0.2.53:53' } },
      { options: { proxy: 'http://proxy.example:3128', resolver: '192.0.2.53:53' } },
    ],
    ['any certificate', { client: { insecure: true } }, { options: { tls: { verify: false } } }],
    [
      'any certificate of a monitor of certificates',
      {
        url: 'tls://one.example:443',
        conditions: ['[CERTIFICATE_EXPIRATION] > 48h'],
        client: { insecure: true },
      },
      { type: 'ssl', options: { tls: { verify: false } } },
    ],
    ['one version of IP', { client: { network: 'ip6' } }, { options: { ip_version: 6 } }],
  ]
  for (const [what, endpoint, expected] of table)
    it(what, () => {
      const one = { name: 'One', url: 'https://one.example/', conditions: ['[STATUS] == 200'], ...endpoint }
      assertMonitor(fromGatus([{ endpoints: [one] }], TERMS), 'One', expected)
    })
})

describe('an endpoint of Gatus that would be something else here is skipped', () => {
  const table: [string, Record<string, unknown>, RegExp][] = [
    ['it goes through a tunnel', { client: { tunnel: 'jump' } }, /tunnel/],
    ['it has a client certificate in files', { client: { tls: { 'certificate-file': 'a' } } }, /in files/],
    [
      'it is up while its target is unreachable, and more is asked',
      { conditions: ['[CONNECTED] == false', '[RESPONSE_TIME] < 2s'] },
      /while its target is unreachable/,
    ],
    [
      'its header holds a variable',
      { headers: { Authorization: 'Bearer $TOKEN' } },
      /variable of the environment/,
    ],
    ['it speaks SCTP', { url: 'sctp://one.example:50051' }, /SCTP/],
    [
      'it judges more of TLS than the certificate',
      { url: 'tls://one.example:443', conditions: ['[BODY] == x'] },
      /certificate/,
    ],
  ]
  for (const [what, endpoint, reason] of table) {
    it(what, () => {
      const one = { name: 'One', url: 'https://one.example/', conditions: ['[STATUS] == 200'], ...endpoint }
      const { declaration, skipped } = fromGatus([{ endpoints: [one] }], TERMS)
      assert.deepEqual(declaration.monitors, [])
      assert.match(skipped[0]?.reason ?? '', reason)
    })
  }

  it('but two dollar signs are one, not a variable', () => {
    const one = { name: 'One', url: 'https://one.example/$$path', conditions: ['[STATUS] == 200'] }
    assertMonitor(fromGatus([{ endpoints: [one] }], TERMS), 'One', { url: 'https://one.example/$path' })
  })
})

describe('durations of Go', () => {
  const table: [string, number | null][] = [
    ['30s', 30],
    ['1h30m', 5_400],
    ['1.5h', 5_400],
    ['500ms', 0.5],
    ['0', 0],
    ['90', null],
    ['1 h', null],
    ['soon', null],
  ]
  for (const [text, seconds] of table) it(text, () => assert.equal(secondsOfGoDuration(text), seconds))
})
