import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import type { MonitorAuth } from '../../src/core/monitors/options/auth.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import { challengeIn, digestFor } from '../../src/probes/signing-in/digest.ts'
import { startHttp, startSaying, startTcp } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'

const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('a bearer token', () => {
  const auth: MonitorAuth = { type: 'bearer', token: 'tok-en/ü=' }

  it('is sent within the origin, and to no other', async (t) => {
    const seen: unknown[] = []
    const other = await startHttp(t, ({ headers }, response) => {
      seen.push(headers.authorization ?? null)
      response.end()
    })
    const { port } = await startHttp(t, ({ headers, url }, response) => {
      seen.push(Buffer.from(headers.authorization ?? '', 'latin1').toString())
      const to = url === '/' ? '/next' : `http://127.0.0.1:${other.port}/`
      response.writeHead(302, { Location: to }).end()
    })
    assert.deepEqual(said(await check('http', { url: `http://127.0.0.1:${port}/`, options: { auth } })), [
      'up',
      null,
    ])
    assert.deepEqual(seen, ['Bearer tok-en/ü=', 'Bearer tok-en/ü=', null])
  })

  it('gives way to a header that is set, and is masked where an answer repeats it', async (t) => {
    const { port } = await startHttp(t, ({ headers }, response) =>
      response.writeHead(500).end(headers.authorization),
    )
    const url = `http://127.0.0.1:${port}/`
    const options = { auth: { type: 'bearer', token: 'sesame-street-7' } as const }
    assert.deepEqual((await check('http', { url, options })).answer?.body, {
      ...{ kind: 'text', text: 'Bearer ********', is_cut: false },
    })
    const request_headers = { authorization: 'Basic eA' }
    assert.deepEqual((await check('http', { url, options, request_headers })).answer?.body, {
      ...{ kind: 'text', text: '********', is_cut: false },
    })
  })

  it('that is refused is judged at once', async (t) => {
    const { port, accepted } = await startHttp(t, (_, response) => response.writeHead(401).end())
    const result = await check('http', { url: `http://127.0.0.1:${port}/`, options: { auth } })
    assert.deepEqual(said(result), ['down', 'HTTP 401 (expected 200)'])
    assert.equal(accepted(), 1)
  })
})

describe('Digest', () => {
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const settings = { username: 'ada', password: 'pass:word', options: { auth: { type: 'digest' } as const } }

  /** A server that asks by these challenges in turn, and takes what `takes` says of the parameters of an answer. */
  async function startAsking(
    t: TestContext,
    challenges: (string | string[])[],
    takes: (given: Record<string, string>, request: IncomingMessage, body: string) => boolean,
  ) {
    const given: Record<string, string>[] = []
    const answer: RequestListener = async (request, response) => {
      const body = await textOf(request)
      const { authorization = '' } = request.headers
      const parameters = Object.fromEntries(
        [...authorization.matchAll(/([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)].map(
          ([, name, quoted, plain]) => [name, quoted ?? plain],
        ),
      )
      given.push(parameters)
      if (authorization.startsWith('Digest ') && takes(parameters, request, body))
        return void response.end('OK')
      response
        .writeHead(401, { 'WWW-Authenticate': challenges.shift() ?? 'Digest realm="none", nonce="none"' })
        .end()
    }
    const { port } = await startHttp(t, answer)
    return { url: `http://127.0.0.1:${port}/in/here?a=1`, given }
  }

  it('answers what the server asks, over again for each request', async (t) => {
    const takes = (
      { nc, cnonce, response, uri, opaque }: Record<string, string>,
      { method }: IncomingMessage,
    ) => {
      const of = md5(`${method}:${uri}`)
      const expected = md5(`${md5('ada:The "Realm":pass:word')}:n0nce:${nc}:${cnonce}:auth:${of}`)
      return uri === '/in/here?a=1' && opaque === 'o' && response === expected
    }
    const challenge = 'Digest realm="The \\"Realm\\"", nonce="n0nce", qop="auth,auth-int", opaque="o"'
    const { url, given } = await startAsking(t, [['Basic realm="x"', challenge]], takes)
    assert.deepEqual(said(await check('http', { url, ...settings })), ['up', null])
    assert.deepEqual([given.length, given[0]], [2, {}])
    assert.equal(given[1]?.username, 'ada')
  })

  it('takes the better algorithm, sends the body twice and covers it where that is asked', async (t) => {
    const sha = (text: string) => createHash('sha256').update(text).digest('hex')
    const takes = (
      { nc, cnonce, response, uri, algorithm }: Record<string, string>,
      _: unknown,
      body: string,
    ) => {
      const secret = sha(`${sha('ada:r:pass:word')}:n:${cnonce}`)
      const of = sha(`POST:${uri}:${sha('the body')}`)
      return (
        algorithm === 'SHA-256-sess' &&
        body === 'the body' &&
        response === sha(`${secret}:n:${nc}:${cnonce}:auth-int:${of}`)
      )
    }
    const both =
      'Digest realm="r", nonce="n", qop="auth-int", algorithm=MD5, Digest realm="r", nonce="n", qop="auth-int", algorithm=SHA-256-sess'
    const { url } = await startAsking(t, [both], takes)
    const options = { ...settings.options, request_body: 'the body' }
    assert.deepEqual(said(await check('http', { url, ...settings, http_method: 'POST', options })), [
      'up',
      null,
    ])
  })

  it('replaces a nonce that is stale once, and no password that is wrong', async (t) => {
    const stale = (nonce: string) => `Digest realm="r", nonce="${nonce}", stale=true`
    const fresh = await startAsking(t, [stale('1'), stale('2')], ({ nonce }) => nonce === '2')
    assert.deepEqual(said(await check('http', { url: fresh.url, ...settings })), ['up', null])
    assert.equal(fresh.given.length, 3)
    const endless = await startAsking(t, [], () => false)
    assert.deepEqual(said(await check('http', { url: endless.url, ...settings })), [
      'down',
      'HTTP 401 (expected 200)',
    ])
    assert.equal(endless.given.length, 2)
    const always = await startAsking(
      t,
      Array.from({ length: 9 }, (_, n) => stale(String(n))),
      () => false,
    )
    assert.equal((await check('http', { url: always.url, ...settings })).status, 'down')
    assert.equal(always.given.length, 3)
  })

  it('answers for each address that a redirect within the origin leads to', async (t) => {
    const seen: string[] = []
    const { port } = await startHttp(t, ({ url = '', headers }, response) => {
      const uri = /uri="([^"]*)"/.exec(headers.authorization ?? '')?.[1] ?? null
      seen.push(`${url} ${uri}`)
      if (uri !== url)
        return response.writeHead(401, { 'WWW-Authenticate': 'Digest realm="r", nonce="n"' }).end()
      return url === '/' ? response.writeHead(302, { Location: '/b' }).end() : response.end()
    })
    assert.deepEqual(said(await check('http', { url: `http://127.0.0.1:${port}/`, ...settings })), [
      'up',
      null,
    ])
    assert.deepEqual(seen, ['/ null', '/ /', '/b null', '/b /b'])
  })

  it('matches the examples of RFC 7616, section 3.9', () => {
    const hop = { url: new URL('http://www.example.org/dir/index.html'), method: 'GET', headers: {} } as const
    const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'
    const nonce = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v'
    for (const [algorithm, response] of [
      ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
      ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
    ]) {
      const header = `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="${nonce}", opaque="x"`
      const found = challengeIn(header)
      assert.ok(found)
      const value = digestFor(found.challenge, hop, {
        username: 'Mufasa',
        password: 'Circle of Life',
        cnonce,
      })
      assert.ok(value.includes(`response="${response}"`), value)
    }
  })

  it('keeps what a password could be guessed by out of what is shown', async (t) => {
    const { port } = await startHttp(t, ({ headers }, response) => {
      const [, hash = ''] = /response="(\w+)"/.exec(headers.authorization ?? '') ?? []
      response.writeHead(401, { 'WWW-Authenticate': 'Digest realm="r", nonce="n"' }).end(`got ${hash}`)
    })
    const { answer } = await check('http', { url: `http://127.0.0.1:${port}/`, ...settings })
    assert.deepEqual(answer?.body, { kind: 'text', text: 'got ********', is_cut: false })
  })

  for (const [what, header] of [
    ['no challenge', ''],
    ['another scheme', 'Basic realm="r"'],
    ['an algorithm that nobody knows', 'Digest realm="r", nonce="n", algorithm=MD6'],
    ['no nonce', 'Digest realm="r"'],
    ['a quote that never ends', `Digest realm="${'a\\'.repeat(8_000)}`],
    ['a quality that nobody knows', 'Digest realm="r", nonce="n", qop="auth-conf"'],
  ] as const)
    it(`has no answer to ${what}, and is judged by its status`, async (t) => {
      assert.equal(challengeIn(header), null)
      const { url } = await startAsking(t, [header || []], () => true)
      assert.deepEqual(said(await check('http', { url, ...settings })), ['down', 'HTTP 401 (expected 200)'])
    })
})

describe('OAuth 2 client credentials', () => {
  type Answer = { status?: number; body: unknown }
  const SECRET = 'very-secret-thing-7'

  /** A provider that gives its answers in turn, the last one for ever, and a target that takes some tokens. */
  async function startBoth(
    t: TestContext,
    answers: Answer[],
    taken: (token: string) => boolean | Promise<boolean>,
  ) {
    const asked: { form: Record<string, string>; authorization: string | null }[] = []
    const seen: string[] = []
    const provider = await startHttp(t, async (request, response) => {
      const form = Object.fromEntries(new URLSearchParams(await textOf(request)))
      asked.push({ form, authorization: request.headers.authorization ?? null })
      const { status = 200, body } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { body: null }
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
    const target = await startHttp(t, async ({ headers }, response) => {
      const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
      seen.push(token)
      if (await taken(token)) return void response.end('OK')
      response.writeHead(401).end(`no: ${token}`)
    })
    const network = testNetwork()
    const auth = { type: 'oauth2', client_id: 'a b', client_secret: SECRET } as const
    const token_url = `http://127.0.0.1:${provider.port}/token`
    const checked = (more: object = {}, changes: Partial<ProbeSettings> = {}) =>
      check(
        'http',
        {
          url: `http://127.0.0.1:${target.port}/`,
          options: { auth: { ...auth, token_url, ...more } },
          ...changes,
        },
        { network },
      )
    return { asked, seen, checked, provider }
  }
  const given = (token: string, more: object = {}): Answer => ({
    body: { access_token: token, token_type: 'Bearer', expires_in: 3600, ...more },
  })

  it('get a token once, and keep it', async (t) => {
    const { asked, seen, checked } = await startBoth(t, [given('one'), given('two')], () => true)
    for (let n = 0; n < 3; n++)
      assert.deepEqual(said(await checked({ scope: 'x y', audience: 'z' })), ['up', null])
    assert.deepEqual(seen, ['one', 'one', 'one'])
    assert.deepEqual(asked, [
      {
        form: { grant_type: 'client_credentials', scope: 'x y', audience: 'z' },
        authorization: `Basic ${Buffer.from(`a+b:${SECRET}`).toString('base64')}`,
      },
    ])
  })

  it('can stand in the body', async (t) => {
    const { asked, checked } = await startBoth(t, [given('one')], () => true)
    await checked({ auth_style: 'body' })
    assert.deepEqual(asked, [
      {
        form: { grant_type: 'client_credentials', client_id: 'a b', client_secret: SECRET },
        authorization: null,
      },
    ])
  })

  it('get another token once the target refuses the one that is kept, once a check', async (t) => {
    const { asked, seen, checked } = await startBoth(
      t,
      [given('one'), given('two'), given('three')],
      (token) => (seen.length === 1 ? token === 'one' : token === 'two'),
    )
    assert.deepEqual(said(await checked()), ['up', null])
    assert.deepEqual(said(await checked()), ['up', null])
    assert.deepEqual(seen, ['one', 'one', 'two'])
    assert.equal(asked.length, 2)
    const never = await startBoth(t, [given('one'), given('two'), given('three')], () => false)
    const refused = await never.checked()
    assert.deepEqual(said(refused), ['down', 'HTTP 401 (expected 200)'])
    assert.equal(never.asked.length, 2)
    assert.doesNotMatch(JSON.stringify(refused.answer), /two/)
  })

  it('take over the token that another check has got meanwhile', async (t) => {
    let isOld = false
    let refused = 0
    let first: Promise<unknown> = Promise.resolve()
    const { asked, seen, checked } = await startBoth(
      t,
      [given('one'), given('two'), given('three')],
      // The second one of two checks is refused once the first one is over.
      async (token) => {
        if (!isOld || token !== 'one') return true
        if (refused++ > 0) await first
        return false
      },
    )
    await checked()
    isOld = true
    first = checked()
    const results = [await checked(), await first]
    assert.deepEqual((results as CheckResult[]).map(said), [
      ['up', null],
      ['up', null],
    ])
    assert.deepEqual(seen, ['one', 'one', 'one', 'two', 'two'])
    assert.equal(asked.length, 2)
  })

  it('get one token for checks that need it at once, at first and once it is refused', async (t) => {
    let old = ''
    let refused = 0
    const bothRefused = Promise.withResolvers<void>()
    const { asked, seen, checked } = await startBoth(
      t,
      [given('one'), given('two'), given('three')],
      async (token) => {
        if (token !== old) return true
        if (++refused === 2) bothRefused.resolve()
        await bothRefused.promise
        return false
      },
    )
    const both = async () => (await Promise.all([checked(), checked()])).map(said)
    const up = ['up', null]
    assert.deepEqual(await both(), [up, up])
    assert.equal(asked.length, 1)
    old = 'one'
    assert.deepEqual(await both(), [up, up])
    assert.deepEqual(seen, ['one', 'one', 'one', 'one', 'two', 'two'])
    assert.equal(asked.length, 2)
  })

  it('are asked for again by a check whose time is not up when that of another is', async (t) => {
    let requests = 0
    const first = Promise.withResolvers<void>()
    const provider = await startHttp(t, (_, response) => {
      first.resolve()
      // The first request gets no answer.
      if (++requests > 1) response.end(JSON.stringify(given('one').body))
    })
    const { checked } = await startBoth(t, [], () => true)
    const token_url = `http://127.0.0.1:${provider.port}/`
    const hasty = checked({ token_url }, { request_timeout_seconds: 1 })
    await first.promise
    const patient = checked({ token_url }, { request_timeout_seconds: 30 })
    assert.deepEqual(said(await hasty), ['down', 'no answer within 1 s (getting an access token)'])
    assert.deepEqual(said(await patient), ['up', null])
    assert.equal(requests, 2)
  })

  it('say the same of a provider that refuses it to checks at once', async (t) => {
    const { checked } = await startBoth(t, [{ status: 400, body: { error: 'invalid_client' } }], () => true)
    const results = (await Promise.all([checked(), checked(), checked()])).map(said)
    assert.deepEqual(
      new Set(results.map(String)),
      new Set(['down,no access token: HTTP 400 (invalid_client)']),
    )
  })

  it('get another token when it expires', async (t) => {
    const { seen, checked } = await startBoth(
      t,
      [given('one', { expires_in: 1 }), given('two', { expires_in: '60' })],
      () => true,
    )
    for (let n = 0; n < 3; n++) await checked()
    assert.deepEqual(seen, ['one', 'two', 'two'])
  })

  for (const [what, answer, cause] of [
    [
      'refuses',
      { status: 400, body: { error: 'invalid_client', error_description: SECRET } },
      'HTTP 400 (invalid_client)',
    ],
    ['repeats the secret for an error', { status: 401, body: { error: `no ${SECRET}` } }, 'HTTP 401'],
    ['fails', { status: 500, body: '<html>' }, 'HTTP 500'],
    ['says nothing', { body: '' }, 'the answer holds none'],
    ['redirects', { status: 302, body: '' }, 'HTTP 302'],
    ['answers with no JSON', { body: 'token=1' }, 'the answer holds none'],
    ['answers with a list', { body: [] }, 'the answer holds none'],
    ['answers with a number', { body: { access_token: 7 } }, 'the answer holds none'],
    ['gives one that splits a header', { body: { access_token: 'a\r\nX-Evil: 1' } }, 'it cannot be sent'],
    ['gives a huge one', { body: { access_token: 'a'.repeat(20_000) } }, 'it cannot be sent'],
    [
      'gives one of another type',
      { body: { access_token: 'a', token_type: 'mac' } },
      'it is of another type',
    ],
  ] as const)
    it(`are down where the provider ${what}`, async (t) => {
      const { seen, checked } = await startBoth(t, [answer], () => true)
      const result = await checked()
      assert.deepEqual(said(result), ['down', `no access token: ${cause}`])
      assert.doesNotMatch(JSON.stringify(result), new RegExp(SECRET))
      assert.deepEqual(seen, [])
    })

  it('stay secret where the provider gives them for the name of an error', async (t) => {
    const { checked } = await startBoth(t, [{ status: 400, body: { error: 'sesame_street' } }], () => true)
    assert.deepEqual(said(await checked({ client_secret: 'sesame_street' })), [
      ...['down', 'no access token: HTTP 400 (********)'],
    ])
  })

  it('stay secret where the target leads to a place with the token in its name', async (t) => {
    const provider = await startHttp(t, (_, response) =>
      response.end(JSON.stringify({ access_token: 'token-number-one' })),
    )
    const target = await startHttp(t, ({ headers }, response) =>
      response.writeHead(302, { Location: `javascript:${headers.authorization}` }).end(),
    )
    const token_url = `http://127.0.0.1:${provider.port}/`
    const auth = { type: 'oauth2', client_id: 'a', client_secret: SECRET, token_url } as const
    const result = await check('http', { url: `http://127.0.0.1:${target.port}/`, options: { auth } })
    assert.equal(result.status, 'down')
    assert.match(result.errorMessage ?? '', /Bearer \*{8}/)
    assert.doesNotMatch(JSON.stringify(result), /token-number-one/)
  })

  it('are down where the provider never ends, or never begins', async (t) => {
    const { checked } = await startBoth(t, [given('one')], () => true)
    const endless = await startTcp(t, (socket) => {
      socket.on('error', () => {})
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const pour = () => void (socket.writable && socket.write('{'.repeat(8_192), pour))
      socket.once('data', pour)
    })
    const at = (port: number) =>
      checked({ token_url: `http://127.0.0.1:${port}/` }, { request_timeout_seconds: 1 })
    assert.deepEqual(said(await at(endless.port)), ['down', 'no access token: the answer holds none'])
    await endless.allClosed()
    const mute = await startTcp(t, () => {})
    const silent = await at(mute.port)
    assert.deepEqual(said(silent), ['down', 'no answer within 1 s (getting an access token)'])
    // The way from here ended there: if others there are silent too, the target is not to blame.
    assert.equal(silent.address, '127.0.0.1')
    await mute.allClosed()
  })

  it('are down where the provider hangs up, or is none', async (t) => {
    const { checked } = await startBoth(t, [given('one')], () => true)
    const mute = await startSaying(t, '')
    const result = await checked({ token_url: `http://127.0.0.1:${mute.port}/` })
    assert.deepEqual(said(result), [
      'down',
      'no access token: connection closed before the answer was complete',
    ])
    const network = testNetwork({ privateTargets: 'deny' })
    const auth = {
      type: 'oauth2',
      client_id: 'a',
      client_secret: SECRET,
      token_url: 'http://127.0.0.1:1/',
    } as const
    const denied = await check('http', { url: 'http://127.0.0.1:1/', options: { auth } }, { network })
    assert.deepEqual(said(denied), ['down', 'no access token: address 127.0.0.1 is not allowed'])
  })
})
