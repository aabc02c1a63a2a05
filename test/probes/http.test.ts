import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { resetSocket } from '../support/reset-socket.ts'
import { closedPort, startHttp, startSaying, startTcp } from '../support/servers/targets.ts'
import { check } from '../support/servers/targets-settings.ts'
import { turnClock } from '../support/time/turned-clock.ts'

describe('an http check', () => {
  test('is up on an expected status, with times and no message', async (t) => {
    const target = await startHttp(t, (_, response) => response.end('fine'))
    const result = await check('http', { url: `http://127.0.0.1:${target.port}/` })
    assert.equal(result.status, 'up')
    assert.equal(result.httpStatusCode, 200)
    assert.equal(result.errorMessage, null)
    assert.equal(result.certificate, null)
    assert.ok(Number.isInteger(result.responseTimeMs))
    assert.ok(Number.isInteger(result.phases?.dnsMs) && Number.isInteger(result.phases?.connectMs))
    assert.ok(Number.isInteger(result.phases?.firstByteMs))
    assert.equal(result.phases?.tlsMs, null)
    assert.equal(result.phases?.transferMs, null)
    await target.allClosed()
  })

  test('does not wait for the body', async (t) => {
    const target = await startHttp(t, (_, response) => response.writeHead(200).flushHeaders())
    const result = await check('http', { url: `http://127.0.0.1:${target.port}/` })
    assert.equal(result.status, 'up')
    await target.allClosed()
  })

  test('uses a fresh connection every time', async (t) => {
    const target = await startHttp(t, (_, response) => response.end())
    for (let i = 0; i < 3; i++) await check('http', { url: `http://127.0.0.1:${target.port}/` })
    assert.equal(target.accepted(), 3)
    await target.allClosed()
  })

  test('sends the method, the headers and the credentials of the monitor, and no body', async (t) => {
    const seen: Record<string, unknown>[] = []
    const target = await startHttp(t, (request, response) => {
      seen.push({ method: request.method, path: request.url, ...request.headers })
      response.end()
    })
    const result = await check('http', {
      url: `http://127.0.0.1:${target.port}/a?b=c#d`,
      http_method: 'POST',
      request_headers: { 'X-Team': 'blüe' },
      username: 'ada',
      password: 'pässword',
    })
    assert.equal(result.status, 'up')
    const [request] = seen
    assert.equal(request?.method, 'POST')
    assert.equal(request?.path, '/a?b=c')
    assert.equal(request?.host, `127.0.0.1:${target.port}`)
    assert.equal(request?.connection, 'close')
    assert.equal(request?.accept, '*/*')
    assert.match(String(request?.['user-agent']), /^Upbeat\//)
    assert.equal(request?.['content-length'], '0')
    assert.equal(Buffer.from(String(request?.['x-team']), 'latin1').toString(), 'blüe')
    assert.equal(request?.authorization, `Basic ${Buffer.from('ada:pässword').toString('base64')}`)
  })

  test('sends the last of headers whose names differ in case alone', async (t) => {
    const lines: string[] = []
    const target = await startHttp(t, ({ rawHeaders }, response) => {
      lines.push(...rawHeaders.filter((_, at) => /^x-team$/i.test(rawHeaders[at - (at % 2)] ?? '')))
      response.end('OK')
    })
    await check('http', {
      url: `http://127.0.0.1:${target.port}/`,
      request_headers: { 'X-Team': 'a', 'x-team': 'b' },
    })
    assert.deepEqual(lines, ['x-team', 'b'])
  })

  test("lets the monitor's own User-Agent and Authorization win", async (t) => {
    const seen: unknown[] = []
    const target = await startHttp(t, (request, response) => {
      seen.push(request.headers['user-agent'], request.headers.authorization)
      response.end()
    })
    await check('http', {
      url: `http://127.0.0.1:${target.port}/`,
      request_headers: { 'user-agent': 'mine', authorization: 'Bearer x' },
      username: 'ada',
    })
    assert.deepEqual(seen, ['mine', 'Bearer x'])
  })

  test('takes the answer to HEAD without a body', async (t) => {
    const target = await startHttp(t, (_, response) => response.setHeader('Content-Length', 99).end())
    const result = await check('http', { url: `http://127.0.0.1:${target.port}/`, http_method: 'HEAD' })
    assert.equal(result.status, 'up')
  })

  test('takes an unrequested switch of protocols for the status that it is', async (t) => {
    const target = await startSaying(
      t,
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    )
    const url = `http://127.0.0.1:${target.port}/`
    assert.equal((await check('http', { url })).errorMessage, 'HTTP 101 (expected 200)')
    assert.equal((await check('http', { url, expected_status_codes: [101] })).status, 'up')
    await target.allClosed()
  })

  test('reads past interim answers', async (t) => {
    const target = await startSaying(
      t,
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    )
    assert.equal((await check('http', { url: `http://127.0.0.1:${target.port}/` })).httpStatusCode, 200)
  })
})

describe('an http check is down, and says why,', () => {
  const flood = `HTTP/1.1 200 OK\r\nX-Flood: ${'x'.repeat(70_000)}\r\n\r\n`
  const answers: [name: string, answer: string, cause: RegExp][] = [
    [
      'an unexpected status',
      'HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n',
      /^HTTP 503 \(expected 200, 204\)$/,
    ],
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', /^invalid HTTP answer: Expected HTTP/],
    ['a header flood', flood, /^invalid HTTP answer: headers above 64 KiB$/],
    ['a header without a colon', 'HTTP/1.1 200 OK\r\nbroken\r\n\r\n', /^invalid HTTP answer: /],
    [
      'two framings at once',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      /^invalid HTTP answer: /,
    ],
    [
      'half of the headers',
      'HTTP/1.1 200 OK\r\nX-A: b',
      /^connection closed before the answer was complete$/,
    ],
    ['nothing', '', /^connection closed before the answer was complete$/],
  ]
  for (const [name, answer, cause] of answers) {
    test(`when it gets ${name}`, async (t) => {
      const target = await startSaying(t, answer)
      const url = `http://127.0.0.1:${target.port}/`
      const result = await check('http', { url, expected_status_codes: [200, 204] })
      assert.equal(result.status, 'down')
      assert.match(result.errorMessage ?? '', cause)
      assert.equal(result.httpStatusCode, answer.includes(' 503 ') ? 503 : null)
      await target.allClosed()
    })
  }

  test('when the connection is refused', async (t) => {
    const port = await closedPort(t)
    const result = await check('http', { url: `http://127.0.0.1:${port}/` })
    assert.equal(result.status, 'down')
    assert.equal(result.errorMessage, `connection refused by 127.0.0.1:${port}`)
    assert.equal(result.responseTimeMs, null)
  })

  test('when the connection is reset', async (t) => {
    const target = await startTcp(t, (socket) => socket.once('data', () => resetSocket(socket)))
    const result = await check('http', { url: `http://127.0.0.1:${target.port}/` })
    assert.equal(result.status, 'down')
    assert.equal(result.errorMessage, `connection reset by 127.0.0.1:${target.port}`)
  })

  test('when the connection is reset as soon as it is accepted', async (t) => {
    const target = await startTcp(t, (socket) => resetSocket(socket))
    const result = await check('http', { url: `http://127.0.0.1:${target.port}/` })
    assert.equal(result.status, 'down')
    assert.equal(result.errorMessage, `connection reset by 127.0.0.1:${target.port}`)
  })

  test('when nothing comes within the time limit', async (t) => {
    const clock = turnClock(t)
    const asked = Promise.withResolvers<void>()
    const target = await startTcp(t, (socket) => socket.once('data', () => asked.resolve()))
    const checking = check('http', { url: `http://127.0.0.1:${target.port}/`, request_timeout_seconds: 1 })
    const result = await clock.passLimit(1_000, checking, asked.promise)
    assert.equal(result.status, 'down')
    assert.equal(result.errorMessage, 'no answer within 1 s (connected, waiting for the first byte)')
    assert.equal(result.responseTimeMs, null)
    await target.allClosed()
  })

  test('when headers drip in slower than the time limit', async (t) => {
    const clock = turnClock(t)
    const asked = Promise.withResolvers<void>()
    const target = await startTcp(t, (socket) => {
      socket.once('data', () => asked.resolve())
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('x: y\r\n'), 10)
      socket.once('close', () => clearInterval(drip))
    })
    const checking = check('http', { url: `http://127.0.0.1:${target.port}/`, request_timeout_seconds: 1 })
    const result = await clock.passLimit(1_000, checking, asked.promise)
    assert.equal(result.errorMessage, 'no answer within 1 s (connected, waiting for the first byte)')
    await target.allClosed()
  })

  test('when a header cannot be sent', async (t) => {
    const target = await startHttp(t, (_, response) => response.end())
    const url = `http://127.0.0.1:${target.port}/`
    const result = await check('http', { url, request_headers: { 'X-Bell': '\u0007' } })
    assert.equal(result.status, 'down')
    assert.match(result.errorMessage ?? '', /request headers contain characters/)
    await target.allClosed()
  })
})

describe('a check that is cancelled', () => {
  test('is pending and leaves no connection', async (t) => {
    const controller = new AbortController()
    const target = await startTcp(t, (socket) => socket.once('data', () => controller.abort()))
    const result = await check(
      'http',
      { url: `http://127.0.0.1:${target.port}/` },
      { signal: controller.signal },
    )
    assert.equal(result.status, 'pending')
    assert.equal(result.errorMessage, 'check was cancelled')
    await target.allClosed()
  })

  test('connects to nothing when it was cancelled before', async (t) => {
    const target = await startTcp(t)
    const result = await check(
      'http',
      { url: `http://127.0.0.1:${target.port}/` },
      { signal: AbortSignal.abort() },
    )
    assert.equal(result.errorMessage, 'check was cancelled')
    assert.equal(target.accepted(), 0)
  })
})
