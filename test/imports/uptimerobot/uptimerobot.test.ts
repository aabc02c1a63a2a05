import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { askedBy, isUpFor } from '../../support/imports/as-imported.ts'
import {
  assertMonitor,
  fromUptimeRobot,
  notesOn,
  readExports,
  TERMS,
} from '../../support/imports/read-exports.ts'

function draftOne(monitor: Record<string, unknown>) {
  const one = {
    id: 1,
    friendly_name: 'One',
    type: 1,
    url: 'https://one.example/',
    interval: 300,
    status: 2,
    successHttpResponseCodes: ['200'],
    ...monitor,
  }
  return fromUptimeRobot([{ stat: 'ok', monitors: [one] }], TERMS)
}

describe('answers of the API v2', () => {
  const read = () => readExports('uptimerobot', 'uptimerobot-v2.json')

  it('give their monitors, and the contacts that these name', async () => {
    const outcome = await read()
    assertMonitor(outcome, 'Landing page', {
      type: 'http',
      url: 'https://landing.example/',
      username: 'robot',
      password: 's3cret-robot',
      request_headers: { 'X-From': 'robot' },
      expected_status_codes: [200],
      options: {
        assertions: [
          { source: 'status_code', comparison: 'at_least', target: 200, severity: 'down' },
          { source: 'status_code', comparison: 'at_most', target: 404, severity: 'down' },
          { source: 'status_code', comparison: 'not_one_of', target: [400, 401, 402, 403], severity: 'down' },
        ],
      },
      contacts: ['ops@landing.example', 'slack'],
    })
    assertMonitor(outcome, 'Has prices', { type: 'http', expected_keyword: null, is_active: false })
    assertMonitor(outcome, 'Office line', {
      type: 'icmp',
      url: 'icmp://203.0.113.9',
      check_interval_seconds: 30,
    })
    assertMonitor(outcome, 'Mail in', {
      type: 'tcp',
      url: 'tcp://mx.landing.example',
      port: 25,
      is_active: true,
    })
    assertMonitor(outcome, 'Invoices sent', { type: 'heartbeat', check_interval_seconds: 86_400 })
  })

  it('say what was different, and list what has no counterpart', async () => {
    const outcome = await read()
    assert.deepEqual(
      outcome.skipped.map(({ what }) => what),
      ['alert contact SMS'],
    )
    assert.doesNotMatch(JSON.stringify([outcome.skipped, outcome.notes]), /s3cret/)
  })
})

describe('answers of the API v3', () => {
  const read = () => readExports('uptimerobot', 'uptimerobot-v3.json', 'uptimerobot-v3-integrations.json')

  it('give monitors and integrations of several files', async () => {
    const outcome = await read()
    assertMonitor(outcome, 'Blog', {
      type: 'http',
      http_method: 'HEAD',
      request_timeout_seconds: 60,
      expected_status_codes: [200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 401],
      ssl_expiry_warning_days: 30,
      contacts: ['Blog Discord'],
    })
    assertMonitor(outcome, 'Comments', { type: 'keyword', expected_keyword: 'Reply', is_active: false })
    assertMonitor(outcome, 'Zone', { type: 'dns', url: 'dns://blog.example', options: null })
    assertMonitor(outcome, 'Newsletter job', { type: 'heartbeat', check_interval_seconds: 4_200 })
    const told = outcome.declaration.contacts.map((each) => [
      each.name,
      each.notify_on_down,
      each.notify_on_recovery,
    ])
    assert.deepEqual(told, [
      ['Blog Discord', true, false],
      ['Blog hook', false, false],
    ])
    assert.deepEqual(
      outcome.skipped.map(({ what }) => what),
      ['alert contact Blog Telegram'],
    )
    assert.doesNotMatch(JSON.stringify([outcome.skipped, outcome.notes]), /s3cret/)
  })
})

describe('the request of a monitor of UptimeRobot', () => {
  const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const table: [what: string, monitor: Record<string, unknown>, expected: object][] = [
    [
      'pairs are a form',
      { http_method: 3, post_type: 1, post_value: { a: '1 2', b: 'ü' } },
      { options: { request_body: 'a=1+2&b=%C3%BC' }, request_headers: FORM },
    ],
    [
      'raw ones JSON',
      { httpMethodType: 'POST', postValueType: 'RAW_JSON', postValueData: { a: 1 } },
      { options: { request_body: '{"a":1}' }, request_headers: null },
    ],
    ['text is sent as it is', { http_method: 3, post_value: '<a/>' }, { options: { request_body: '<a/>' } }],
    ['redirects are not followed', { followRedirections: false }, { options: { follow_redirects: 0 } }],
    [
      'Digest',
      { http_auth_type: 2, http_username: 'u', http_password: 'p' },
      { username: 'u', options: { auth: { type: 'digest' } } },
    ],
    ['nothing of it is nothing', { post_value: {} }, { options: null }],
  ]
  for (const [what, monitor, expected] of table)
    it(what, () => assertMonitor(draftOne(monitor), 'One', expected))
})

describe('the CSV', () => {
  it('gives its rows, commas and quotes in them included', async () => {
    const outcome = await readExports('uptimerobot', 'uptimerobot.csv')
    assertMonitor(outcome, 'Docs, all of them', { type: 'http', check_interval_minutes: 5 })
    assertMonitor(outcome, 'Docs search', { type: 'keyword', expected_keyword: 'say "hello"' })
    assertMonitor(outcome, 'Docs host', { type: 'icmp', url: 'icmp://198.51.100.7' })
    assertMonitor(outcome, 'Docs database', { type: 'tcp', port: 5_432 })
  })
})

describe('what an UptimeRobot monitor asked of the answer', () => {
  const table: [what: string, monitor: Record<string, unknown>, asked: string[], up: string, down: string][] =
    [
      ['a keyword', { keyword_type: 2, keyword_value: 'Hi' }, ['expected_keyword "Hi"'], 'Hi!', 'hi!'],
      [
        'in whatever case',
        { keywordType: 'ALERT_NOT_EXISTS', keywordValue: 'a.b', keywordCaseType: 'CaseInsensitive' },
        ['body matches "(?i)a\\\\.b"'],
        'A.B',
        'axb',
      ],
      [
        'that must be missing',
        { keyword_type: 1, keyword_value: 'Error' },
        ['body not_contains "Error"'],
        'error',
        'Error',
      ],
      [
        'that must be missing in whatever case',
        { keyword_type: 1, keyword_case_type: 1, keyword_value: 'Error' },
        ['body not_matches "(?i)Error"'],
        'fine',
        'error',
      ],
    ]
  for (const [what, monitor, asked, up, down] of table)
    it(what, () => {
      const [drafted] = draftOne({ type: 2, ...monitor }).declaration.monitors
      assert.ok(drafted)
      assert.deepEqual(askedBy(drafted), ['expected_status_codes 200', ...asked])
      assert.ok(isUpFor(drafted, { status: 200, body: up }))
      assert.ok(!isUpFor(drafted, { status: 200, body: down }))
    })

  it('the records of a name, one type of them', () => {
    const drafted = (dnsRecords: object, more: object = {}) =>
      draftOne({ type: 'DNS', url: 'a.example', config: { dnsRecords }, ...more })
    const mail = drafted({ MX: ['10 mx1.a.example.', 'mx2.a.example'] }, { responseTimeThreshold: 800 })
    const [monitor] = mail.declaration.monitors
    assert.ok(monitor)
    assert.deepEqual(
      [monitor.type, monitor.url, monitor.options?.record_type],
      ['dns', 'dns://a.example', 'MX'],
    )
    assert.deepEqual(askedBy(monitor), [
      'answer matches "(?m)^10 mx1\\\\.a\\\\.example$"',
      'answer matches "(?m)^\\\\d+ mx2\\\\.a\\\\.example$"',
      'response_time_ms at_most 800',
    ])
    const several = drafted({ SPF: ['x'], A: ['192.0.2.7'], TXT: ['y'] })
    assert.deepEqual(askedBy(several.declaration.monitors[0] as never), [
      'answer matches "(?m)^192\\\\.0\\\\.2\\\\.7$"',
    ])
    assert.match(notesOn(several, 'One').join(), /asked for records of several types/)
    const unknown = drafted({ DNSKEY: ['x'] })
    assert.deepEqual(unknown.declaration.monitors, [])
  })

  it('an answer in time, which is a warning', () => {
    const { declaration, notes } = draftOne({ responseTimeThreshold: 800 })
    const slow = { source: 'response_time_ms', comparison: 'at_most', target: 800, severity: 'degraded' }
    assert.deepEqual(declaration.monitors[0]?.options, { assertions: [slow] })
    assert.equal(
      notes.some(({ note }) => note.includes('slow')),
      false,
    )
    const ping = draftOne({ type: 3, url: 'a.example', responseTimeThreshold: 800 })
    assert.match(notesOn(ping, 'One').join(), /was slow above a threshold/)
  })
})

describe('an UptimeRobot monitor that cannot be expressed is skipped, never created otherwise', () => {
  const table: [string, Record<string, unknown>, RegExp][] = [
    ['a token', { authType: 'BEARER', http_username: 'u' }, /token/],
    ['OPTIONS', { http_method: 7 }, /OPTIONS/],
    ['an empty packet', { type: 'UDP', url: '192.0.2.9', port: 9 }, /empty packet/],
    [
      'a keyword that is too long',
      { type: 2, keyword_type: 2, keyword_value: 'x'.repeat(256) },
      /expected_keyword/,
    ],
    [
      'a port monitor without a port',
      { type: 4, url: 'a.example', sub_type: 99, port: '' },
      /^port is required/,
    ],
  ]
  for (const [what, monitor, reason] of table) {
    it(what, () => {
      const { declaration, skipped } = draftOne(monitor)
      assert.deepEqual(declaration.monitors, [])
      assert.match(skipped[0]?.reason ?? '', reason)
    })
  }
})
