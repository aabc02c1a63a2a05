import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { fromPostman as read } from '../../src/imports/postman/postman.ts'
import { notesOn, type PrintedOutcome, printed, readExports, TERMS } from '../support/imports/read-exports.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** The import of a collection with these requests, folders and other members. */
function imported(item: unknown, more: object = {}): PrintedOutcome {
  return printed(read([{ info: { name: 'C', schema: SCHEMA }, item, ...more }], TERMS))
}

const asked = (url: unknown, more: object = {}) => ({ name: 'R', request: { method: 'GET', url, ...more } })

describe('a collection of Postman with its environment', () => {
  let outcome: PrintedOutcome
  before(async () => {
    outcome = await readExports('postman', 'postman.json', 'postman-environment.json')
  })

  const monitorOf = (name: string) => outcome.declaration.monitors.find((each) => each.name === name)

  it('becomes a monitor for each folder, and one for the requests beside them', () => {
    assert.deepEqual(
      outcome.declaration.monitors.map(({ name, type, url, is_active }) => [name, type, url, is_active]),
      [
        ['Shop API / Home', 'http', 'https://shop.example/v1/', true],
        ['Shop API / Checkout', 'steps', 'https://shop.example/', false],
        ['Shop API / Checkout / Reports / Sales', 'http', 'https://shop.example/v1/reports/sales', true],
      ],
    )
  })

  it('has its requests as steps, with secrets in the place of their values', () => {
    const { steps, secrets } = monitorOf('Shop API / Checkout')?.options ?? {}
    assert.deepEqual(steps, [
      {
        name: 'Sign in',
        method: 'POST',
        url: 'https://shop.example/v1/session',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'user=probe+%26+co&password={{secret.pass_word}}',
      },
      {
        name: 'Add to basket',
        method: 'POST',
        url: 'https://shop.example/v1/baskets/7/items?trace={{uuid}}',
        headers: {
          Authorization: 'Bearer {{secret.apiToken}}',
          'X-Sent-At': '{{now}}',
          'Content-Type': 'application/json',
        },
        body: '{"sku": "A-1"}',
      },
      {
        name: 'Sign in 2',
        method: 'DELETE',
        url: 'https://shop.example/v1/session',
        headers: { Authorization: 'Bearer {{secret.apiToken}}' },
      },
    ])
    assert.deepEqual(secrets, { pass_word: 's3cret-word', apiToken: 'not set yet' })
  })

  it('has a single request as it is, with its credentials as a header', () => {
    assert.deepEqual(monitorOf('Shop API / Checkout / Reports / Sales')?.request_headers, {
      Authorization: `Basic ${Buffer.from('probe:s3cret').toString('base64')}`,
    })
  })

  it('says what is left out, by name', () => {
    assert.deepEqual(
      outcome.skipped.map(({ what, reason }) => `${what}: ${reason}`),
      [
        'request Shop API / Checkout / Upload receipt: has a body of the mode formdata: raw and urlencoded come over',
        'request Shop API / Old / Lottery: uses {{$randomInt}}, a value that is not made here',
        'request Shop API / Old / Order: refers to {{orderId}}, which has no value in the file',
        'request Shop API / Old / Options: uses the method OPTIONS: checks here do not',
        'request Shop API / Old / Signed: signs in by oauth2: bearer, basic and apikey come over',
      ],
    )
    const others = (name: string) =>
      notesOn(outcome, name).filter((note) => !note.startsWith('has no contacts'))
    assert.deepEqual(others('Shop API / Checkout'), [
      'is checked without its header Host: the check sets it itself',
      'is paused: set its secrets apiToken, whose values the file does not hold, and resume it',
      'is without the scripts of Sign in: expectations and captures do here what they did',
    ])
    assert.deepEqual(others('Shop API'), [
      'is without the scripts of Shop API: expectations and captures do here what they did',
    ])
    assert.deepEqual(others('Shop API / Checkout / Reports / Sales'), [
      'is without the settings of Sales: its own options hold',
    ])
    assert.doesNotMatch(JSON.stringify([outcome.skipped, outcome.notes]), /s3cret/)
  })
})

describe('a collection of Postman', () => {
  it('has more than 20 requests in parts of even size', () => {
    const { declaration } = imported(Array.from({ length: 21 }, () => asked('https://a.example/')))
    const parts = declaration.monitors.map(({ name, options }) => [name, options?.steps?.length])
    assert.deepEqual(parts, [
      ['C 1/2', 11],
      ['C 2/2', 10],
    ])
  })

  const singles: [what: string, request: object, url: string, headers?: Record<string, string>][] = [
    [
      'a URL in parts',
      asked({
        protocol: 'https',
        host: ['a', 'example'],
        port: '8443',
        path: ['x', { value: 'y' }],
        query: [
          { key: 'q', value: '1' },
          { key: 'no', value: '1', disabled: true },
        ],
      }),
      'https://a.example:8443/x/y?q=1',
    ],
    ['a URL without a scheme', asked('a.example/x'), 'http://a.example/x'],
    [
      'a key in the query',
      asked('https://a.example/?x=1#top', {
        auth: {
          type: 'apikey',
          apikey: [
            { key: 'key', value: 'k' },
            { key: 'value', value: 'v' },
            { key: 'in', value: 'query' },
          ],
        },
      }),
      'https://a.example/?x=1&k=v',
    ],
    [
      'a key in a header, and headers as text',
      asked('https://a.example/', {
        header: 'Accept: text/html\nX: a:b',
        auth: { type: 'apikey', apikey: { key: 'K', value: 'v' } },
      }),
      'https://a.example/',
      { K: 'v', Accept: 'text/html', X: 'a:b' },
    ],
  ]
  for (const [what, request, url, headers] of singles)
    it(`with ${what}`, () => {
      const { declaration, skipped } = imported([request])
      const [monitor] = declaration.monitors
      assert.deepEqual([skipped, monitor?.url, monitor?.request_headers], [[], url, headers ?? null])
    })

  const secret = (value: string) => ({ variable: [{ key: 's', type: 'secret', value }] })
  const left: [what: string, item: unknown, more: object, reason: RegExp][] = [
    [
      'a secret in the URL of a single request',
      [asked('https://a.example/{{s}}')],
      secret('v'),
      /secret in its URL/,
    ],
    [
      'a secret without a value in a single request',
      [asked('https://a.example/', { header: [{ key: 'X', value: '{{s}}' }] })],
      secret(''),
      /\{\{s\}\}, which has no value/,
    ],
    [
      'a host that is secret',
      Array(2).fill(asked('{{s}}/x')),
      secret('https://a.example'),
      /only a secret says/,
    ],
    [
      'a host that is partly secret',
      Array(2).fill(asked('https://{{s}}.example/')),
      secret('a'),
      /only a secret says/,
    ],
    ['another protocol', [asked('wss://a.example/')], {}, /no request over HTTP/],
    ['no URL', [asked(null)], {}, /has no URL/],
    ['credentials in the URL', [asked('https://a:b@a.example/')], {}, /in the URL/],
    [
      'another host',
      [asked('https://a.example/', { header: [{ key: 'host', value: 'b.example' }] })],
      {},
      /header Host/,
    ],
    [
      'a circle of variables',
      [asked('https://a.example/{{a}}')],
      { variable: [{ key: 'a', value: '{{a}}' }] },
      /too deeply/,
    ],
    [
      'variables that grow',
      [asked('https://a.example/{{a0}}')],
      {
        variable: Array.from({ length: 10 }, (_, index) => ({
          key: `a${index}`,
          value: index === 9 ? 'x'.repeat(99) : `{{a${index + 1}}}`.repeat(50),
        })),
      },
      /too long/,
    ],
    [
      'a secret between braces',
      Array(2).fill(asked('https://a.example/?{{{s}}}')),
      secret('v'),
      /further braces/,
    ],
  ]
  for (const [what, item, more, reason] of left)
    it(`leaves out ${what}`, () => {
      const { declaration, skipped } = imported(item, more)
      assert.deepEqual(declaration.monitors, [])
      assert.match(skipped[0]?.reason ?? '', reason)
    })

  const ODD = [null, 1, 'x', [], [[]], {}, true, { type: 'bearer' }, [null, 1, { key: 1, value: {} }]]
  for (const odd of ODD)
    it(`is read with ${JSON.stringify(odd)} in every place`, () => {
      const request = { method: odd, url: odd, header: odd, body: odd, auth: odd }
      const bodies = ['raw', 'urlencoded'].map((mode) =>
        asked('https://a.example/', { method: 'POST', body: { mode, [mode]: odd, options: odd } }),
      )
      const items = [odd, { item: odd }, { request }, { request: odd, event: odd, variable: odd }, ...bodies]
      const { declaration } = imported(items, { variable: odd, auth: odd, event: odd })
      const again = imported(odd, { info: { name: odd, schema: SCHEMA } })
      assert.ok(declaration.monitors.length <= 2 && again.declaration.monitors.length === 0)
    })

  it('has folders up to a bound', () => {
    let item: unknown = [asked('https://a.example/')]
    for (let depth = 0; depth < 1_000; depth++) item = [{ name: 'f', item }]
    assert.match(imported(item).skipped[0]?.reason ?? '', /more than 20 folders deep/)
  })
})
