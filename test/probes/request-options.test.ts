import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import { startDnsServer } from '../support/servers/dns-server.ts'
import { startHttp, startTcp } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'

const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]

type Seen = { method: string; url: string; type: string | null; length: string | null; body: string }

async function seenIn(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method = '', url = '', headers } = request
  return {
    method,
    url,
    type: headers['content-type'] ?? null,
    length: headers['content-length'] ?? null,
    body: Buffer.concat(chunks).toString(),
  }
}

/** A server that keeps what it is asked, and redirects where a route says so. */
async function startKeeping(t: TestContext, routes: Record<string, [status: number, to: string]> = {}) {
  const seen: Seen[] = []
  const { port } = await startHttp(t, async (request, response) => {
    seen.push(await seenIn(request))
    const [status, to] = routes[request.url ?? ''] ?? [200, null]
    response.writeHead(status, to === null ? {} : { Location: to }).end()
  })
  return { seen, url: `http://127.0.0.1:${port}`, routes }
}

describe('the body of a request', () => {
  const sent = async (t: TestContext, changes: Partial<ProbeSettings>) => {
    const { seen, url } = await startKeeping(t)
    assert.deepEqual(said(await check('http', { url: `${url}/`, ...changes })), ['up', null])
    return seen[0] as Seen
  }

  for (const http_method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)
    it(`is sent by ${http_method}, as JSON where it is JSON`, async (t) => {
      const body = '{"query":"größe"}'
      const { type, length, ...request } = await sent(t, { http_method, options: { request_body: body } })
      assert.deepEqual(request, { method: http_method, url: '/', body })
      assert.deepEqual([type, length], ['application/json', '19'])
    })

  it('is text otherwise, and what a header says before all', async (t) => {
    const options = { request_body: 'a=1&b=2' }
    assert.equal((await sent(t, { options })).type, 'text/plain; charset=utf-8')
    const request_headers = { 'content-TYPE': 'application/x-www-form-urlencoded' }
    assert.equal((await sent(t, { options, request_headers })).type, 'application/x-www-form-urlencoded')
  })

  it('leaves a request without one as it was', async (t) => {
    assert.deepEqual(await sent(t, { http_method: 'GET' }), {
      ...{ method: 'GET', url: '/', type: null, length: null, body: '' },
    })
  })

  it('follows a redirect that keeps the method, and no other', async (t) => {
    const { seen, url } = await startKeeping(t, { '/': [307, '/kept'], '/kept': [303, '/dropped'] })
    const options = { request_body: 'hello there' }
    assert.equal((await check('http', { url: `${url}/`, http_method: 'PUT', options })).status, 'up')
    assert.deepEqual(
      seen.map(({ method, url, type, body }) => [method, url, type, body]),
      [
        ['PUT', '/', 'text/plain; charset=utf-8', 'hello there'],
        ['PUT', '/kept', 'text/plain; charset=utf-8', 'hello there'],
        ['GET', '/dropped', null, ''],
      ],
    )
  })

  it('never reaches another origin', async (t) => {
    const other = await startKeeping(t)
    const { url } = await startKeeping(t, { '/': [307, `${other.url}/there`] })
    assert.equal(
      (await check('http', { url: `${url}/`, options: { request_body: 'mine alone' } })).status,
      'up',
    )
    assert.deepEqual(other.seen, [{ method: 'GET', url: '/there', type: null, length: null, body: '' }])
  })

  it('is masked where an answer repeats it, or a part of it', async (t) => {
    const { port } = await startHttp(t, async (request, response) => {
      const { body } = await seenIn(request)
      response.writeHead(500).end(`${body}\nand sesame-street-7 it was`)
    })
    const request_body = JSON.stringify({ user: 'a', password: 'sesame-street-7' })
    const { answer } = await check('http', {
      ...{ url: `http://127.0.0.1:${port}/`, http_method: 'POST', options: { request_body } },
    })
    assert.deepEqual(answer?.body, { kind: 'text', text: '********\nand ******** it was', is_cut: false })
  })

  it('of 64 KiB that nobody reads is a failure of the target in words', async (t) => {
    const deaf = await startTcp(t, (socket) => socket.destroy())
    const options = { request_body: 'x'.repeat(65_536) }
    const { status, errorMessage } = await check('http', { url: `http://127.0.0.1:${deaf.port}/`, options })
    assert.equal(status, 'down')
    assert.match(errorMessage ?? '', /^connection (closed before|reset by)/)
  })
})

describe('the redirects that are followed', () => {
  const routes: Record<string, [number, string]> = Object.fromEntries(
    Array.from({ length: 22 }, (_, n) => [`/${n + 1}`, [302, `/${n}`]]),
  )
  const from = async (t: TestContext, path: string, follow_redirects: number, changes = {}) => {
    const { seen, url } = await startKeeping(t, routes)
    const options = { follow_redirects, ...changes }
    return { result: said(await check('http', { url: url + path, options })), asked: seen.length }
  }

  it('are as many as are wanted', async (t) => {
    assert.deepEqual(await from(t, '/1', 1), { result: ['up', null], asked: 2 })
    assert.deepEqual(await from(t, '/2', 1), { result: ['down', 'more than 1 redirect'], asked: 2 })
    assert.deepEqual(await from(t, '/20', 20), { result: ['up', null], asked: 21 })
    assert.deepEqual(await from(t, '/21', 20), { result: ['down', 'more than 20 redirects'], asked: 21 })
  })

  it('are none with 0: the first answer is judged', async (t) => {
    assert.deepEqual(await from(t, '/1', 0), { result: ['down', 'HTTP 302 (expected 200)'], asked: 1 })
    const assertion = { source: 'status_code', comparison: 'equals', target: 302, severity: 'down' } as const
    assert.deepEqual(await from(t, '/1', 0, { assertions: [assertion] }), { result: ['up', null], asked: 1 })
  })
})

it('a cache buster adds a new value to each check, behind what the URL asks for', async (t) => {
  const { seen, url } = await startKeeping(t, { '/next': [200, ''] })
  const options = { cache_buster: true }
  for (const path of ['/a?b=%20c', '/a?b=%20c', '/plain#part'])
    await check('http', { url: url + path, options })
  await check('http', { url: `${url}/plain`, options: { cache_buster: false } })
  const values = seen.map(({ url }) => /[?&]_upbeat=([\w-]{36})$/.exec(url)?.[1])
  assert.deepEqual(
    seen.map(({ url }) => url.replace(/_upbeat=.*/, '')),
    ['/a?b=%20c&', '/a?b=%20c&', '/plain?', '/plain'],
  )
  assert.equal(new Set(values.slice(0, 3)).size, 3)
})

describe('the version of IP', () => {
  it('leaves the addresses of the other out', async (t) => {
    const target = await startHttp(t, (_, response) => response.end())
    const dns = await startDnsServer(t, {
      'both.example': ['::1', '127.0.0.1'],
      'four.example': ['127.0.0.1'],
    })
    const network = testNetwork({ nameServers: [dns.address] })
    const over = (host: string, ip_version: 4 | 6) =>
      check('http', { url: `http://${host}:${target.port}/`, options: { ip_version } }, { network })
    assert.equal((await over('both.example', 4)).address, '127.0.0.1')
    const missing = await over('four.example', 6)
    assert.deepEqual(said(missing), ['down', 'no IPv6 address for four.example'])
    assert.equal(missing.phases?.dnsMs, null)
    assert.deepEqual(said(await over('localhost', 4)), ['up', null])
  })

  it('holds where a redirect leads', async (t) => {
    const target = await startHttp(t, (_, response) =>
      response.writeHead(302, { Location: 'http://[::1]:9/' }).end(),
    )
    const result = await check('http', {
      url: `http://127.0.0.1:${target.port}/`,
      options: { ip_version: 4 },
    })
    assert.deepEqual(said(result), ['down', 'no IPv4 address for ::1'])
  })
})
