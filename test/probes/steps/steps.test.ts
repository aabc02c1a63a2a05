import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { CheckResult } from '../../../src/core/monitors/check.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import { RequestSteps } from '../../../src/core/monitors/options/protocols/steps.ts'
import { createStepsProbe } from '../../../src/probes/steps/steps.ts'
import { startHttp, startTcp } from '../../support/servers/targets.ts'
import { check, settingsFor, testNetwork } from '../../support/servers/targets-settings.ts'

type Asked = { request: string; headers: IncomingMessage['headers']; body: string }
type Reply = (response: ServerResponse) => unknown

/** A shop that keeps what it is asked, and answers what a route says; `200` and nothing elsewhere. */
async function startShop(t: TestContext, routes: Record<string, Reply> = {}) {
  const asked: Asked[] = []
  const { port } = await startHttp(t, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, url = '', headers } = request
    asked.push({ request: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString() })
    const reply = routes[new URL(url, 'http://x').pathname] ?? ((answer) => answer.end())
    reply(response)
  })
  const url = `http://127.0.0.1:${port}`
  const run = (steps: object[], options: MonitorOptions = {}, changes: object = {}) =>
    check('steps', {
      url: `${url}/shop/`,
      options: { ...options, steps: RequestSteps.parse(steps) },
      ...changes,
    })
  return { asked, url, run, requests: () => asked.map(({ request }) => request) }
}

const json =
  (value: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value))
const status =
  (code: number): Reply =>
  (response) =>
    response.writeHead(code).end('token of theirs: secret-token-1')

const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]
const wentAs = ({ steps = [] }: CheckResult) =>
  steps.map(({ name, status, http_status_code }) => [name, status, http_status_code])
const ofJson = (property: string) => ({ source: 'json', property })

const TWO = [
  { name: 'one', url: 'one' },
  { name: 'two', url: 'two' },
]

describe('a check of several steps', () => {
  it('is up when each is answered with 2xx, and keeps how each went', async (t) => {
    const shop = await startShop(t, { '/shop/two': status(204) })
    const result = await shop.run(TWO)
    assert.deepEqual(said(result), ['up', null])
    assert.deepEqual(shop.requests(), ['GET /shop/one', 'GET /shop/two'])
    assert.deepEqual(wentAs(result), [
      ['one', 'up', 200],
      ['two', 'up', 204],
    ])
    const [one, two] = result.steps ?? []
    assert.ok((two?.start_ms ?? 0) >= (one?.start_ms ?? 0) + (one?.duration_ms ?? 0))
    assert.equal(result.httpStatusCode, 204)
  })

  it('resolves relative addresses against the step before', async (t) => {
    const shop = await startShop(t)
    await shop.run([
      { name: 'a', url: '/a/b/c' },
      { name: 'b', url: '../d' },
      { name: 'c', url: '?e=1' },
    ])
    assert.deepEqual(shop.requests(), ['GET /a/b/c', 'GET /a/d', 'GET /a/d?e=1'])
  })

  const failing: [what: string, step: object, routes: Record<string, Reply>, cause: string][] = [
    ['a status', { url: 'two' }, { '/shop/two': status(500) }, 'HTTP 500 (expected 2xx)'],
    [
      'an assertion about the status, in place of 2xx',
      { url: 'two', assertions: [{ source: 'status_code', comparison: 'equals', target: 404 }] },
      {},
      'HTTP 200 (expected 404)',
    ],
    [
      'an assertion',
      {
        url: 'two',
        assertions: [{ source: 'json', property: '$.items', comparison: 'count_greater_than', target: 2 }],
      },
      { '/shop/two': json({ items: [1] }) },
      '$.items has 1 element (expected more than 2)',
    ],
    [
      'nothing to capture',
      { url: 'two', captures: { id: ofJson('$.id') } },
      { '/shop/two': json({}) },
      'nothing to capture as "id"',
    ],
    [
      'too much to capture',
      { url: 'two', captures: { id: ofJson('$.id') } },
      { '/shop/two': json({ id: 'x'.repeat(8_193) }) },
      'what is to be captured as "id" is longer than 8,192 characters',
    ],
    ['no answer', { url: 'http://127.0.0.1:1/' }, {}, 'connection refused by 127.0.0.1:1'],
  ]
  for (const [what, step, routes, cause] of failing)
    it(`fails by ${what}, in the name of the step`, async (t) => {
      const shop = await startShop(t, routes)
      const [one, , three] = [...TWO, { name: 'three', url: 'three' }]
      const result = await shop.run([one as object, { name: 'two', ...step }, three as object])
      assert.deepEqual(said(result), ['down', `step 2 "two": ${cause}`])
      assert.deepEqual(
        wentAs(result).map(([, status]) => status),
        ['up', 'down', 'skipped'],
      )
    })

  it('warns by the first step that does', async (t) => {
    const shop = await startShop(t)
    const assertions = [
      { source: 'header', property: 'x-a', comparison: 'exists', severity: 'degraded' } as const,
    ]
    const result = await shop.run([{ ...TWO[0], assertions }, TWO[1] as object])
    assert.deepEqual(said(result), ['degraded', 'step 1 "one": header x-a is missing'])
    assert.equal(result.unmetAt, undefined)
  })

  it('is judged as a whole, too', async (t) => {
    const shop = await startShop(t)
    const assertions: MonitorOptions['assertions'] = [
      { source: 'response_time_ms', comparison: 'less_than', target: -1, severity: 'down' },
    ]
    const { status: found, errorMessage } = await shop.run(TWO, { assertions })
    assert.equal(found, 'down')
    assert.match(errorMessage ?? '', /^response took [\d,]+ ms \(expected less than -1\)$/)
  })

  it('ends at the time-out of a step, and says which one', async (t) => {
    const { port } = await startTcp(t)
    const shop = await startShop(t)
    const silent = { name: 'two', url: `http://127.0.0.1:${port}/`, timeout_seconds: 1 }
    assert.deepEqual(said(await shop.run([TWO[0] as object, silent])), [
      'down',
      'step 2 "two": no answer within 1 s (connected, waiting for the first byte)',
    ])
  })

  it('ends at the time-out of the whole, and cleans up all the same', async (t) => {
    const { port } = await startTcp(t)
    const shop = await startShop(t)
    const result = await shop.run(
      [
        TWO[0] as object,
        { name: 'silent', url: `http://127.0.0.1:${port}/` },
        { name: 'clean up', url: `${shop.url}/clean-up`, always: true },
      ],
      {},
      { request_timeout_seconds: 1 },
    )
    assert.deepEqual(said(result), [
      'down',
      'step 2 "silent": no answer within 1 s (connected, waiting for the first byte)',
    ])
    assert.deepEqual(shop.requests(), ['GET /shop/one', 'GET /clean-up'])
  })
})

describe('steps that clean up, all of them silent', () => {
  it('end together, soon after the check', async (t) => {
    let asked = 0
    const { port } = await startHttp(t, (request) => {
      if (request.url === '/clean-up') asked++
    })
    const silent = (name: string) => ({ name, url: `http://127.0.0.1:${port}/` })
    const steps = RequestSteps.parse([
      ...['one', 'two'].map(silent),
      ...Array.from({ length: 18 }, (_, index) => ({
        ...{ name: `clean ${index}`, url: `http://127.0.0.1:${port}/clean-up`, always: true },
      })),
    ]).map((step) => ({ ...step, timeout_seconds: 0.05 }))
    const network = testNetwork()
    const probe = createStepsProbe(network, network.now, 0.2)
    const settings = settingsFor('steps', {
      ...{ url: `http://127.0.0.1:${port}/`, options: { steps }, request_timeout_seconds: 0.1 },
    })
    const { status, steps: timings = [] } = await probe(settings, new AbortController().signal)
    assert.equal(status, 'down')
    // A machine that stalls may give each some more time, at most twice: without a bound of their own all would be asked.
    assert.ok(asked >= 1 && asked < 18, String(asked))
    assert.equal(timings.at(-1)?.status, 'skipped')
  })
})

describe('what a step leaves to those after it', () => {
  it('are values of JSON, headers and bodies, each written as its place wants it', async (t) => {
    const odd = 'a "b"&c=d/ü'
    const shop = await startShop(t, {
      '/shop/one': json({ token: odd, id: 7 }, { 'X-Next': 'n-1' }),
      '/shop/page': (response) => response.end('<input name=csrf value="c s&f">'),
    })
    const result = await shop.run([
      {
        ...{ name: 'one', url: 'one' },
        captures: {
          token: ofJson('$.token'),
          id: ofJson('$.id'),
          next: { source: 'header', property: 'x-next' },
        },
      },
      { name: 'page', url: 'page', captures: { csrf: { source: 'body', property: 'value="([^"]*)"' } } },
      {
        ...{ name: 'json', method: 'POST', url: 'json/{{token}}/{{{next}}}?id={{id}}' },
        headers: { 'X-Id': '{{id}}', 'Content-Type': 'application/json' },
        body: '{"token": "{{token}}", "id": {{id}}}',
      },
      {
        ...{ name: 'form', method: 'POST', url: 'form' },
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'csrf={{csrf}}&raw={{{id}}}',
      },
      { name: 'text', method: 'PUT', url: 'text', body: 'raw {{csrf}}' },
    ])
    assert.deepEqual(said(result), ['up', null])
    const [, , asJson, asForm, asText] = shop.asked
    assert.equal(asJson?.request, `POST /shop/json/${encodeURIComponent(odd)}/n-1?id=7`)
    assert.equal(asJson?.headers['x-id'], '7')
    assert.deepEqual(JSON.parse(asJson?.body ?? ''), { token: odd, id: 7 })
    assert.equal(asForm?.body, 'csrf=c+s%26f&raw=7')
    assert.equal(asText?.body, 'raw c s&f')
  })

  it('are cookies, also those of redirects and answers that are judged', async (t) => {
    const shop = await startShop(t, {
      '/shop/one': (response) =>
        response.writeHead(302, { Location: '/shop/in', 'Set-Cookie': 'way=1; Path=/' }).end(),
      '/shop/in': (response) => response.writeHead(200, { 'Set-Cookie': 'session=abc; Path=/shop' }).end(),
    })
    await shop.run([TWO[0] as object, TWO[1] as object, { name: 'three', url: '/elsewhere' }])
    assert.deepEqual(
      shop.asked.map(({ headers }) => headers.cookie ?? null),
      [null, 'way=1', 'session=abc; way=1', 'way=1'],
    )
  })

  it('is one UUID for all, the time, and secrets of the monitor', async (t) => {
    const shop = await startShop(t)
    const headers = { 'X-Secret': '{{secret.KEY}}', 'X-At': '{{now}}' }
    await shop.run(
      [
        { name: 'one', url: '{{uuid}}', headers },
        { name: 'two', url: '{{ uuid }}' },
      ],
      { secrets: { KEY: 'sesame-7' } },
    )
    const [one, two] = shop.asked
    assert.equal(one?.request, two?.request)
    assert.match(one?.request ?? '', /^GET \/shop\/[0-9a-f-]{36}$/)
    assert.equal(one?.headers['x-secret'], 'sesame-7')
    assert.match(String(one?.headers['x-at']), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  })

  it('never stands in causes or kept answers', async (t) => {
    const shop = await startShop(t, {
      '/shop/one': json({ token: 'captured-value' }),
      '/shop/two': json({ said: 'captured-value and sesame-7' }),
      '/shop/three': (response) => response.writeHead(500).end('sesame-7 captured-value'),
    })
    const token = { token: ofJson('$.token') }
    const equals = (property: string) => [
      { source: 'json', property, comparison: 'equals', target: 'x' } as const,
    ]
    const secrets = { KEY: 'sesame-7' }
    const given = { ...TWO[0], captures: token, headers: { 'X-Key': '{{secret.KEY}}' } }
    const results = [
      // Captured values are known before the same answer is judged.
      await shop.run([{ ...given, assertions: equals('$.token') }, TWO[1] as object], { secrets }),
      await shop.run([given, { ...TWO[1], assertions: equals('$.said') }], { secrets }),
      await shop.run([given, { name: 'three', url: 'three?t={{token}}' }], { secrets }),
    ]
    for (const result of results) {
      assert.equal(result.status, 'down')
      assert.doesNotMatch(JSON.stringify(result), /captured-value|sesame-7/)
    }
    assert.deepEqual(said(results[0] as CheckResult), [
      'down',
      'step 1 "one": $.token is "********" (expected "x")',
    ])
  })
})

const captured = { captures: { token: ofJson('$.token') } }
const leaks: [what: string, one: object, two: object, location?: string][] = [
  ['a captured value as a host', captured, { url: 'http://{{token}}.invalid/' }],
  ['a secret as a host', {}, { url: 'http://{{secret.KEY}}.invalid/' }],
  ['an origin of a redirect', captured, { method: 'POST' }, 'http://captured-value.example/'],
  ['a cookie', {}, {}],
  ['a header of an earlier step', { headers: { Authorization: 'Bearer of-a-header' } }, {}],
  ['a body of an earlier step', { method: 'POST', body: '{"password":"of-a-body"}' }, {}],
  ['a query of an earlier step', { url: 'one?token=of-a-query7' }, {}],
]
describe('what a cause or a kept answer of a later step never repeats', () => {
  for (const [what, one, two, location] of leaks)
    it(`is ${what}`, async (t) => {
      const shop = await startShop(t, {
        '/shop/one': json({ token: 'captured-value' }, { 'Set-Cookie': 'sid=of-a-cookie' }),
        '/shop/two': (response) =>
          response
            .writeHead(location ? 307 : 500, location ? { Location: location } : {})
            .end('of-a-header of-a-body of-a-query7 of-a-cookie captured-value sesame-7'),
      })
      const result = await shop.run(
        [
          { ...TWO[0], ...one },
          { ...TWO[1], ...two },
        ],
        {
          secrets: { KEY: 'sesame-7' },
        },
      )
      assert.equal(result.status, 'down')
      const sent = JSON.stringify({ one, two }).match(/of-a-\w+/g) ?? []
      const words = JSON.stringify(result)
      for (const secret of [
        ...sent,
        'of-a-cookie',
        'sesame-7',
        ...('captures' in one ? ['captured-value'] : []),
      ])
        assert.ok(!words.includes(secret), `${secret} in ${words}`)
    })
})

describe('a step that always runs', () => {
  const order = { name: 'order', url: 'order', captures: { id: ofJson('$.id') } }
  const cancel = { name: 'cancel', method: 'DELETE', url: 'order/{{id}}', always: true }

  it('sees what was captured before something failed, and does not change the cause', async (t) => {
    const shop = await startShop(t, {
      '/shop/order': json({ id: 42 }),
      '/shop/pay': status(402),
      '/shop/order/42': status(500),
    })
    const result = await shop.run([order, { name: 'pay', url: 'pay' }, TWO[1] as object, cancel])
    assert.deepEqual(said(result), ['down', 'step 2 "pay": HTTP 402 (expected 2xx)'])
    assert.deepEqual(shop.requests(), ['GET /shop/order', 'GET /shop/pay', 'DELETE /shop/order/42'])
    assert.deepEqual(
      wentAs(result).map(([, status]) => status),
      ['up', 'down', 'skipped', 'down'],
    )
  })

  it('fails the check where nothing else did', async (t) => {
    const shop = await startShop(t, { '/shop/order': json({ id: 42 }), '/shop/order/42': status(500) })
    assert.deepEqual(said(await shop.run([order, cancel])), [
      'down',
      'step 2 "cancel": HTTP 500 (expected 2xx)',
    ])
  })

  it('is left out where there is nothing to clean up', async (t) => {
    const shop = await startShop(t, { '/shop/order': status(503) })
    const result = await shop.run([order, cancel])
    assert.deepEqual(shop.requests(), ['GET /shop/order'])
    assert.deepEqual(wentAs(result), [
      ['order', 'down', 503],
      ['cancel', 'skipped', null],
    ])
  })
})

describe('values that an answer chose', () => {
  const odd: [what: string, value: unknown, url: string, cause: string][] = [
    [
      'make no URL',
      'ftp://x',
      '{{{next}}}',
      'with the values of earlier steps its URL is none of http or https',
    ],
    [
      'bring credentials',
      'http://a:b@127.0.0.1/',
      '{{{next}}}',
      'with the values of earlier steps its URL is none of http or https',
    ],
    [
      'make it too long',
      'x'.repeat(8_000),
      'a?{{next}}{{next}}{{next}}',
      'with the values of earlier steps the request is too long',
    ],
  ]
  for (const [what, value, url, cause] of odd)
    it(`fail the step where they ${what}`, async (t) => {
      const shop = await startShop(t, { '/shop/one': json({ next: value }) })
      const captures = { next: ofJson('$.next') }
      const result = await shop.run([
        { ...TWO[0], captures },
        { name: 'two', url },
      ])
      assert.deepEqual(said(result), ['down', `step 2 "two": ${cause}`])
    })

  it('cannot add a header', async (t) => {
    const shop = await startShop(t, { '/shop/one': json({ next: 'a\r\nX-Evil: 1' }) })
    const result = await shop.run([
      { ...TWO[0], captures: { next: ofJson('$.next') } },
      { ...TWO[1], headers: { 'X-Next': '{{next}}' } },
    ])
    assert.equal(result.status, 'down')
    assert.deepEqual(shop.requests(), ['GET /shop/one'])
  })
})
