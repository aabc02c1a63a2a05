import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PROVIDER_LOSSES } from '../../../src/imports/gatus/losses.ts'
import { assertMonitor, fromGatus, notesOn, TERMS } from '../../support/imports/read-exports.ts'

const SHOP = { name: 'shop', url: 'https://shop.example/', conditions: ['[STATUS] == 200'] }
const SLACK = 'https://hooks.slack.example/services/T0/B0/s3cret'
const HOOK = { 'webhook-url': SLACK }
const read = (...files: object[]) => fromGatus(files, TERMS)
/** An endpoint with one alert, which recovers and fails at once, as alerts do here. */
const alerted = (kind: string, alert: object = {}) => ({
  ...SHOP,
  alerts: [
    { type: kind, 'failure-threshold': 1, 'success-threshold': 1, 'send-on-resolved': true, ...alert },
  ],
})

describe('a dollar sign in a configuration of Gatus', () => {
  it('that stands twice is one, wherever it stands', () => {
    const endpoint = {
      ...SHOP,
      url: 'https://shop.example/?a$$b',
      headers: { Authorization: 'Bearer a$$b$$$$c' },
      conditions: ['[BODY] == pat(*costs $$5*)'],
      alerts: [{ type: 'slack' }],
    }
    const outcome = read({ endpoints: [endpoint], alerting: { slack: { 'webhook-url': `${SLACK}$$x` } } })
    assertMonitor(outcome, 'shop', {
      url: 'https://shop.example/?a$b',
      request_headers: { Authorization: 'Bearer a$b$$c' },
      expected_keyword: 'costs $5',
    })
    assert.deepEqual(outcome.declaration.contacts[0]?.config, { webhook_url: `${SLACK}$x` })
  })

  const filled: [where: string, changes: object][] = [
    ['its URL', { url: `https://\${HOST}/` }],
    ['a header', { headers: { Authorization: 'Bearer $TOKEN' } }],
    ['a condition', { conditions: [`[BODY] == pat(*\${WORD}*)`] }],
    ['its name', { name: 'shop $SHOP' }],
    ['its interval', { interval: `\${EVERY}` }],
    ['its method', { method: '$METHOD' }],
    ['settings of its client', { client: { timeout: '$WAIT' } }],
    ['a number, which is a name, too', { headers: { Cookie: 'price=$5' } }],
    ['three of them', { headers: { Cookie: 'price=$$$five' } }],
  ]
  for (const [where, changes] of filled) {
    it(`names a variable in ${where}, so that the endpoint is skipped`, () => {
      const { declaration, skipped } = read({
        endpoints: [
          { ...SHOP, ...changes },
          { ...SHOP, name: 'other' },
        ],
      })
      assert.deepEqual(
        declaration.monitors.map(({ name }) => name),
        ['other'],
      )
      assert.match(skipped[0]?.reason ?? '', /variable of the environment of Gatus/)
    })
  }

  it('names a variable in a provider, which is skipped once for all of its endpoints', () => {
    const endpoints = ['one', 'two', 'three'].map((name) => ({ ...alerted('slack'), name }))
    const { declaration, skipped } = read({ endpoints, alerting: { slack: { 'webhook-url': '$HOOK' } } })
    assert.equal(declaration.monitors.length, 3)
    assert.deepEqual(
      skipped.map(({ what }) => what),
      ['alerting slack'],
    )
  })

  it('names a variable in an alert of its own, which is told with its monitor', () => {
    const endpoint = alerted('slack', { 'provider-override': { 'webhook-url': `\${HOOK}` } })
    const outcome = read({ endpoints: [endpoint], alerting: { slack: HOOK } })
    assert.deepEqual(outcome.skipped, [])
    assert.match(
      notesOn(outcome, 'shop').at(-1) ?? '',
      /^is not alerted by slack: its own settings .* hold a variable/,
    )
  })

  it('names one in a token that is not imported', () => {
    const external = { name: 'job', token: `\${TOKEN}`, heartbeat: { interval: '30m' } }
    assertMonitor(read({ 'external-endpoints': [external] }), 'job', { type: 'heartbeat' })
  })
})

describe('several files of Gatus', () => {
  it('are merged deeply, and lists follow each other', () => {
    const outcome = read(
      {
        endpoints: [alerted('slack')],
        alerting: { slack: { 'default-alert': { 'send-on-resolved': true } } },
      },
      { endpoints: [{ ...SHOP, name: 'other' }], alerting: { slack: HOOK, discord: HOOK } },
    )
    assert.deepEqual(
      outcome.declaration.monitors.map(({ name, contacts }) => [name, contacts]),
      [
        ['shop', ['slack']],
        ['other', []],
      ],
    )
    assert.deepEqual(outcome.skipped, [])
  })

  it('in which a plain value stands twice are refused, as Gatus refuses them', () => {
    const file = { endpoints: [SHOP], alerting: { slack: HOOK } }
    assert.throws(() => read(file, file), {
      message: /^alerting\.slack\.webhook-url stands in more than one of the files/,
    })
  })
})

describe('what a provider or an alert of Gatus did and a contact does not', () => {
  const losses: [kind: string, config: object, said: RegExp[]][] = [
    ['email', { to: 'a@b.example', client: {} }, [/^its mail server is not imported/, /for the connection/]],
    ['slack', { ...HOOK, title: 'x' }, [/title/]],
    ['discord', { ...HOOK, title: 'x', 'message-content': '<@1>' }, [/title/, /mention/]],
    [
      'telegram',
      { token: '123456789:AAs3cret-telegram', id: '-1', 'topic-id': '7', client: {} },
      [/connection/],
    ],
    [
      'custom',
      { url: 'https://hook.example/', body: '{}', headers: { A: 'b' }, placeholders: {} },
      [
        /JSON of this service/,
        /sent by GET: here by POST/,
        /body of its own/,
        /without its headers/,
        /placeholders/,
      ],
    ],
    ['custom', { url: 'https://hook.example/', method: 'PUT' }, [/JSON/, /sent by PUT/]],
    ['custom', { url: 'https://hook.example/', method: 'POST' }, [/JSON/]],
    ['teams', { ...HOOK, title: 'x', client: {} }, [/title/, /connection/]],
    ['teams-workflows', { ...HOOK, title: 'x' }, [/title/]],
    ['googlechat', { ...HOOK, client: {} }, [/connection/]],
    ['mattermost', { ...HOOK, channel: 'x' }, [/channel/]],
    ['matrix', { 'access-token': 's3cret', 'internal-room-id': '!a:b.example' }, []],
    [
      'ntfy',
      {
        topic: 't',
        priority: 5,
        email: 'a@b.example',
        click: 'x',
        'disable-firebase': true,
        'disable-cache': true,
      },
      [/priority/, /e-mail/, /address of its own/, /Firebase/, /not kept/],
    ],
    ['pagerduty', { 'integration-key': 'a'.repeat(32) }, []],
    [
      'pushover',
      {
        'application-token': 'a'.repeat(30),
        'user-key': 'u'.repeat(30),
        title: 'x',
        priority: 1,
        'resolved-priority': 1,
        sound: 'x',
        ttl: 5,
        device: 'x',
      },
      [/title/, /priority/, /recoveries/, /sounds/, /vanished/, /one device/],
    ],
    [
      'gotify',
      { 'server-url': 'https://g.example', token: 's3cret', title: 'x', priority: 5 },
      [/title/, /priority/],
    ],
    [
      'twilio',
      {
        sid: `AC${'a'.repeat(32)}`,
        token: 'a'.repeat(32),
        from: '+15005550006',
        to: '+15005550009',
        'text-twilio-triggered': 'x',
        'text-twilio-resolved': 'x',
      },
      [/outages/, /recoveries/],
    ],
  ]
  for (const [kind, config, said] of losses) {
    it(`${kind} with ${Object.keys(config).join(', ')}`, () => {
      const outcome = read({ endpoints: [alerted(kind)], alerting: { [kind]: config } })
      assert.deepEqual(outcome.skipped, [])
      const notes = notesOn(outcome, outcome.declaration.contacts[0]?.name ?? '')
      assert.equal(notes.length, said.length, notes.join('\n'))
      for (const [index, pattern] of said.entries()) assert.match(notes[index] ?? '', pattern)
    })
  }

  it('is known for every provider that becomes a contact', () => {
    assert.deepEqual(
      [...new Set(losses.map(([kind]) => kind))].toSorted(),
      Object.keys(PROVIDER_LOSSES).toSorted(),
    )
  })

  const alerts: [alert: object, options: object | null, said: RegExp[]][] = [
    [{}, null, []],
    [{ 'failure-threshold': undefined }, { attempts: 3, retry_seconds: 60 }, []],
    [{ 'success-threshold': undefined }, { recovery_checks: 2 }, []],
    [{ 'success-threshold': 5, description: 'call Ann' }, { recovery_checks: 5 }, [/description/]],
    [{ 'minimum-reminder-interval': '1h' }, { repeat_minutes: 60 }, []],
    [
      { 'failure-threshold': 12 },
      { attempts: 10, retry_seconds: 60 },
      [/^is down after 10 failed attempts, not 12/],
    ],
    [{ 'success-threshold': 20 }, { recovery_checks: 10 }, [/^is up again after 10 passing checks, not 20/]],
  ]
  for (const [alert, options, said] of alerts) {
    it(`an alert with ${Object.entries(alert).join(', ') || 'nothing else'}`, () => {
      const outcome = read({ endpoints: [alerted('slack', alert)], alerting: { slack: HOOK } })
      assert.deepEqual(outcome.declaration.monitors[0]?.options, options)
      const notes = notesOn(outcome, 'shop')
      assert.equal(notes.length, said.length, notes.join('\n'))
      for (const [index, pattern] of said.entries()) assert.match(notes[index] ?? '', pattern)
    })
  }

  it('alerts with thresholds of their own: the earliest holds, which is said', () => {
    const [first] = alerted('slack', { 'failure-threshold': 5 }).alerts
    const [second] = alerted('slack', { 'failure-threshold': 2 }).alerts
    const outcome = read({ endpoints: [{ ...SHOP, alerts: [first, second] }], alerting: { slack: HOOK } })
    assert.deepEqual(outcome.declaration.monitors[0]?.options, { attempts: 2, retry_seconds: 60 })
    assert.match(notesOn(outcome, 'shop').join(), /had alerts with thresholds or reminders of their own/)
  })

  it('an endpoint that should be unreachable is upside down', () => {
    const outcome = read({ endpoints: [{ ...SHOP, conditions: ['[CONNECTED] == false'] }] })
    assert.equal(outcome.declaration.monitors[0]?.options?.inverted, true)
  })

  it('a webhook whose URL holds placeholders is skipped: nothing replaces them', () => {
    const alerting = { custom: { url: 'https://hook.example/[ENDPOINT_NAME]', method: 'POST' } }
    const { skipped } = read({ endpoints: [alerted('custom')], alerting })
    assert.match(skipped[0]?.reason ?? '', /placeholders/)
  })
})

describe('a header Host', () => {
  const headers: [host: string, url: string, isSame: boolean][] = [
    ['shop.example', 'https://shop.example/', true],
    ['SHOP.example', 'https://shop.example/', true],
    ['shop.example:443', 'https://shop.example/', true],
    ['shop.example:8080', 'http://shop.example:8080/', true],
    ['shop.example', 'http://shop.example:8080/', false],
    ['app.example', 'http://192.0.2.7/', false],
    ['', 'http://192.0.2.7/', false],
  ]
  for (const [host, url, isSame] of headers) {
    it(`${host || '(empty)'} to ${url} ${isSame ? 'goes without a word' : 'skips the monitor'}`, () => {
      const { declaration, notes, skipped } = read({
        endpoints: [{ ...SHOP, url, headers: { host, 'X-A': 'b' } }],
      })
      assert.equal(declaration.monitors.length, Number(isSame))
      if (isSame) assert.deepEqual(declaration.monitors[0]?.request_headers, { 'X-A': 'b' })
      else assert.match(skipped[0]?.reason ?? '', /header Host that is not the host of its URL/)
      assert.doesNotMatch(JSON.stringify(notes), /Host/)
    })
  }
})

describe('a reason names the real cause', () => {
  it('of a value that is there and cannot be taken, without the value', () => {
    const hook = 'http-not/s3cret'
    const { skipped } = read({ endpoints: [alerted('slack')], alerting: { slack: { 'webhook-url': hook } } })
    assert.match(
      skipped[0]?.reason ?? '',
      /^config\.webhook_url must .*: that is not what a slack contact takes$/,
    )
    assert.doesNotMatch(skipped[0]?.reason ?? '', /s3cret/)
  })

  it('of a value that is missing', () => {
    const { skipped } = read({ endpoints: [alerted('slack')], alerting: { slack: {} } })
    assert.equal(skipped[0]?.reason, 'config.webhook_url is missing in the export')
  })

  it('of status codes that do not exist', () => {
    const { skipped } = read({ endpoints: [{ ...SHOP, conditions: ['[STATUS] == 999'] }] })
    assert.match(
      skipped[0]?.reason ?? '',
      /^accepts no status code: checks here expect codes from 100 to 599$/,
    )
  })
})
