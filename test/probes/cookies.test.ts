import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { describe, test } from 'node:test'
import { createCookieJar } from '../../src/probes/cookie-jar.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { startHttp, startHttps } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'

const NOW = new Date('2026-11-28T12:00:00Z')

/** Set by a page, with the header of a request that follows; null for none. */
const TABLE: [page: string, lines: string[], next: string, sent: string | null][] = [
  ['http://a.example/', ['x=1'], 'http://a.example/b', 'x=1'],
  ['http://a.example/', ['x=1', 'y=2; HttpOnly; SameSite=Lax'], 'http://a.example/', 'x=1; y=2'],
  ['http://a.example/', ['x=1', 'x=2'], 'http://a.example/', 'x=2'],
  ['http://a.example/', ['x = 1 ; Path = /'], 'http://a.example/', 'x=1'],
  ['http://a.example/', ['x="a b"'], 'http://a.example/', 'x="a b"'],
  ['http://a.example/', ['x='], 'http://a.example/', 'x='],
  ['http://a.example/', ['alone'], 'http://a.example/', 'alone'],
  ['http://a.example/', ['', '=', ';'], 'http://a.example/', null],
  ['http://a.example/', ['x=\u00c3\u00a9'], 'http://a.example/', 'x=é'],
  // Hosts and ports
  ['http://a.example/', ['x=1'], 'http://b.example/', null],
  ['http://a.example/', ['x=1'], 'http://sub.a.example/', null],
  ['http://A.example./', ['x=1'], 'http://a.EXAMPLE:8080/', 'x=1'],
  ['http://a.example/', ['x=1'], 'https://a.example/', 'x=1'],
  ['http://127.0.0.1/', ['x=1; Domain=127.0.0.1'], 'http://127.0.0.1:81/', 'x=1'],
  ['http://127.0.0.1/', ['x=1; Domain=0.0.1'], 'http://127.0.0.1/', null],
  ['http://[::1]/', ['x=1'], 'http://[::1]:81/', 'x=1'],
  // Domain
  ['http://a.shop.com/', ['x=1; Domain=shop.com'], 'http://b.shop.com/', 'x=1'],
  ['http://a.shop.com/', ['x=1; Domain=.Shop.com'], 'http://shop.com/', 'x=1'],
  ['http://shop.com/', ['x=1; Domain=shop.com'], 'http://a.shop.com/', 'x=1'],
  ['http://a.shop.com/', ['x=1; Domain=other.com'], 'http://a.shop.com/', null],
  ['http://a.shop.com/', ['x=1; Domain=op.com'], 'http://a.shop.com/', null],
  ['http://shop.com/', ['x=1; Domain=a.shop.com'], 'http://a.shop.com/', null],
  ['http://a.co.uk/', ['x=1; Domain=co.uk'], 'http://b.co.uk/', null],
  ['http://a.shop.com/', ['x=1; Domain=com'], 'http://a.shop.com/', null],
  ['http://localhost/', ['x=1; Domain=localhost'], 'http://localhost/', 'x=1'],
  ['http://a.shop.com/', ['x=1; Domain='], 'http://b.shop.com/', null],
  // Path
  ['http://a.example/in/page', ['x=1'], 'http://a.example/in/other', 'x=1'],
  ['http://a.example/in/page', ['x=1'], 'http://a.example/in', 'x=1'],
  ['http://a.example/in/page', ['x=1'], 'http://a.example/', null],
  ['http://a.example/in/page', ['x=1; Path=/'], 'http://a.example/out', 'x=1'],
  ['http://a.example/', ['x=1; Path=/in'], 'http://a.example/in/page', 'x=1'],
  ['http://a.example/', ['x=1; Path=/in'], 'http://a.example/inner', null],
  ['http://a.example/', ['x=1; Path=in'], 'http://a.example/', 'x=1'],
  ['http://a.example/', ['x=1; Path=/', 'x=2; Path=/in'], 'http://a.example/in', 'x=2; x=1'],
  // Secure
  ['https://a.example/', ['x=1; Secure'], 'https://a.example/', 'x=1'],
  ['https://a.example/', ['x=1; Secure'], 'http://a.example/', null],
  ['http://a.example/', ['x=1; Secure'], 'https://a.example/', null],
  // Names that promise something
  ['https://a.example/', ['__Secure-x=1; Secure'], 'https://a.example/', '__Secure-x=1'],
  ['https://a.example/', ['__Secure-x=1', '__secure-y=1'], 'https://a.example/', null],
  ['https://a.example/in/', ['__Host-x=1; Secure; Path=/'], 'https://a.example/', '__Host-x=1'],
  ['https://a.example/', ['__Host-x=1; Path=/', '__HOST-y=1; Secure'], 'https://a.example/', null],
  ['https://a.example/', ['__Host-x=1; Secure; Path=/in'], 'https://a.example/in', null],
  ['https://a.shop.com/', ['__Host-x=1; Secure; Path=/; Domain=shop.com'], 'https://a.shop.com/', null],
  ['https://a.shop.com/', ['__Host-x=1; Secure; Path=/; Domain=a.shop.com'], 'https://a.shop.com/', null],
  ['https://a.example/', ['=__Host-x; Secure; Path=/', '__secure-y=1'], 'https://a.example/', null],
  ['https://a.example/', ['x=__Host-1'], 'https://a.example/', 'x=__Host-1'],
  // Age
  ['http://a.example/', ['x=1; Max-Age=60'], 'http://a.example/', 'x=1'],
  ['http://a.example/', ['x=1', 'x=; Max-Age=0'], 'http://a.example/', null],
  ['http://a.example/', ['x=1', 'x=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'http://a.example/', null],
  ['http://a.example/', ['x=1; Expires=Thu, 01-Jan-70 00:00:00 GMT; Max-Age=9'], 'http://a.example/', 'x=1'],
  ['http://a.example/', ['x=1; Expires=someday'], 'http://a.example/', 'x=1'],
  // Too much
  ['http://a.example/', [`x=${'1'.repeat(4_100)}`, 'y=2'], 'http://a.example/', 'y=2'],
]

describe('cookies of one check', () => {
  for (const [page, lines, next, sent] of TABLE) {
    const shown = lines.join(' | ').slice(0, 80)
    test(`${shown} of ${page} at ${next}: ${sent ?? 'nothing'}`, () => {
      const jar = createCookieJar()
      jar.keep(new URL(page), lines, NOW)
      assert.equal(jar.headerFor(new URL(next), null), sent)
    })
  }

  const SECURE = ['https://a.shop.com/in/', 'x=1; Secure; Path=/in; Domain=shop.com'] as const
  const CLEAR: [page: string, line: string, sent: string][] = [
    ['http://a.shop.com/', 'x=2; Path=/in; Domain=shop.com', 'x=1'],
    ['http://a.shop.com/', 'x=2; Path=/in', 'x=1'],
    ['http://shop.com/', 'x=2; Path=/in/page; Domain=shop.com', 'x=1'],
    ['http://a.shop.com/', 'x=; Path=/in; Domain=shop.com; Max-Age=0', 'x=1'],
    ['https://a.shop.com/', 'x=2; Path=/in; Domain=shop.com', 'x=2'],
    // Others, and one for more than the secure one is for
    ['http://a.shop.com/', 'y=2; Path=/in', 'x=1; y=2'],
    ['http://a.shop.com/', 'x=2; Path=/', 'x=1; x=2'],
  ]
  for (const [page, line, sent] of CLEAR)
    test(`over TLS, then ${line} of ${page}: ${sent}`, () => {
      const jar = createCookieJar()
      jar.keep(new URL(SECURE[0]), [SECURE[1]], NOW)
      jar.keep(new URL(page), [line], NOW)
      assert.equal(jar.headerFor(new URL('https://a.shop.com/in/page'), null), sent)
    })

  test('are bounded in number and in length', () => {
    const jar = createCookieJar()
    const url = new URL('http://a.example/')
    for (let round = 0; round < 10; round++) {
      const lines = Array.from({ length: 100 }, (_, index) => `c${round}-${index}=${'x'.repeat(1_000)}`)
      jar.keep(url, lines, NOW)
    }
    const header = jar.headerFor(url, null) ?? ''
    assert.ok(header.length < 17_000)
    assert.ok(header.split('; ').every((pair) => pair.startsWith('c9-')))
  })

  test('stand beside those of the monitor, and replace those of their names', () => {
    const jar = createCookieJar()
    const url = new URL('http://a.example/')
    assert.equal(jar.headerFor(url, 'own=1'), 'own=1')
    jar.keep(url, ['x=2'], NOW)
    assert.equal(jar.headerFor(url, 'own=1; x=1'), 'own=1; x=2')
  })
})

describe('a redirect that sets a cookie and needs it', () => {
  /** Sends whoever has no cookie to fetch one, as sign-ins and consent pages do. */
  const wantsCookie: RequestListener = (request, response) => {
    if (/(^|; )seen=1(;|$)/.test(request.headers.cookie ?? '')) return response.end('OK')
    return response.writeHead(302, { Location: request.url, 'Set-Cookie': 'seen=1; Path=/' }).end()
  }

  test('is up, for http and keyword; the next attempt begins anew', async (t) => {
    const seen: (string | undefined)[] = []
    const target = await startHttp(t, (request, response) => {
      seen.push(request.headers.cookie)
      wantsCookie(request, response)
    })
    const url = `http://127.0.0.1:${target.port}/in/page`
    for (const type of ['http', 'keyword'] as const) assert.equal((await check(type, { url })).status, 'up')
    const own = { url, request_headers: { cookie: 'own=a' } }
    assert.equal((await check('http', own)).status, 'up')
    assert.deepEqual(seen, [undefined, 'seen=1', undefined, 'seen=1', 'own=a', 'own=a; seen=1'])
  })

  test('keeps it from other hosts, and from http when it is secure', async (t) => {
    const authority = createAuthority('Upbeat Test Root')
    const network = testNetwork({ extraAuthorities: [authority.pem] })
    const seen: (string | undefined)[] = []
    const last = await startHttp(t, (request, response) => {
      seen.push(request.headers.cookie)
      response.end()
    })
    const middle = await startHttps(t, authority.issue({ names: ['a.localhost'] }), (request, response) => {
      seen.push(request.headers.cookie)
      const next =
        request.url === '/1' ? `http://a.localhost:${last.port}/` : `http://b.localhost:${last.port}/`
      response.writeHead(302, { Location: next, 'Set-Cookie': ['s=1; Secure', 'p=2'] }).end()
    })
    const first = await startHttp(t, (request, response) =>
      response
        .writeHead(302, { Location: `https://a.localhost:${middle.port}${request.url}`, 'Set-Cookie': 'f=0' })
        .end(),
    )
    for (const path of ['/1', '/2']) {
      const result = await check('http', { url: `http://a.localhost:${first.port}${path}` }, { network })
      assert.equal(result.status, 'up', result.errorMessage ?? '')
    }
    assert.deepEqual(seen, ['f=0', 'f=0; p=2', 'f=0', undefined])
  })
})
