import assert from 'node:assert/strict'
import http from 'node:http'
import net from 'node:net'
import type { TestContext } from 'node:test'
import { describe, test } from 'node:test'
import { MAX_KEPT_BODY_BYTES, requestOnce } from '../../src/net/http-request.ts'
import { createNetwork } from '../../src/net/network.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { selfSigned } from '../support/servers/certificates.ts'
import { nextAnswerPart } from '../support/servers/client-events.ts'
import { listen, replyWith, startReceiver } from '../support/servers/receivers.ts'
import { closedPort } from '../support/servers/targets.ts'
import { CALM_LOOP } from '../support/servers/targets-settings.ts'
import { turnClock } from '../support/time/turned-clock.ts'

/** The limit of a POST that is answered. */
const LIMIT_MS = HANG_GUARD_MS
/** The limit of one that is not, on a clock that the test turns. */
const SHORT_LIMIT_MS = 500
const network = { ...createNetwork({ privateTargets: 'allow' }), loop: CALM_LOOP }
const never = new AbortController().signal

function post(url: string, limitMs = LIMIT_MS, signal = never) {
  return requestOnce(
    network,
    { kind: 'check', url, headers: { 'content-type': 'text/plain' }, body: 'Grüße' },
    limitMs,
    signal,
  )
}

/** A server that speaks in bytes, for answers that an HTTP server would not give. */
async function startRaw(t: TestContext, onConnection: (socket: net.Socket) => void): Promise<string> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${await listen(server)}/`
}

describe('one POST', () => {
  test('is answered also where the answer is not as it should be', async (t) => {
    const answer = 'HTTP/1.1 204 No\nX A : b\x01\nContent-Length: 0\nContent-Length: 0\n\n'
    const url = await startRaw(t, (socket) => socket.once('data', () => socket.end(answer)))
    const result = await post(url)
    assert.equal(result.kind === 'answered' && result.statusCode, 204)
  })

  test('sends headers and body whole and returns the answer', async (t) => {
    const receiver = await startReceiver(t, replyWith(202, 'thanks', { 'x-kind': 'test' }))
    const result = await post(`${receiver.url}/hook?a=b`)
    assert.ok(result.kind === 'answered')
    assert.equal(result.statusCode, 202)
    assert.equal(result.body, 'thanks')
    assert.equal(result.headers['x-kind'], 'test')
    const [received] = receiver.requests
    assert.ok(received)
    assert.equal(received.method, 'POST')
    assert.equal(received.path, '/hook?a=b')
    assert.equal(received.body, 'Grüße')
    assert.equal(received.headers.host, `127.0.0.1:${receiver.port}`)
    assert.equal(received.headers['content-type'], 'text/plain')
    assert.equal(received.headers['content-length'], '7')
  })

  test('a user name and password in the URL become basic authentication', async (t) => {
    const receiver = await startReceiver(t, replyWith(200))
    await post(`http://us%40er:p%3Ass@127.0.0.1:${receiver.port}/`)
    const expected = Buffer.from('us@er:p:ss').toString('base64')
    assert.equal(receiver.requests[0]?.headers.authorization, `Basic ${expected}`)
  })

  test('does not follow a redirect', async (t) => {
    const elsewhere = await startReceiver(t, replyWith(200))
    const receiver = await startReceiver(t, replyWith(307, '', { location: elsewhere.url }))
    const result = await post(receiver.url)
    assert.ok(result.kind === 'answered')
    assert.equal(result.statusCode, 307)
    assert.equal(elsewhere.requests.length, 0)
  })

  test('reaches a receiver on IPv6', async (t) => {
    const server = http.createServer((_, response) => response.end('six'))
    const port = await listen(server, '::1').catch(() => null)
    if (port === null) return t.diagnostic('this machine has no IPv6')
    t.after(() => server.close())
    const result = await post(`http://[::1]:${port}/`)
    assert.ok(result.kind === 'answered')
    assert.equal(result.body, 'six')
  })

  test('keeps 8 KiB of an endless body and hangs up', { timeout: HANG_GUARD_MS }, async (t) => {
    const hungUp = Promise.withResolvers<void>()
    const receiver = await startReceiver(t, (response) => {
      response.writeHead(200)
      response.once('close', () => hungUp.resolve())
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(1_000)));
      }
      response.on('drain', pour)
      pour()
    })
    const result = await post(receiver.url)
    assert.ok(result.kind === 'answered')
    assert.equal(result.body, 'x'.repeat(MAX_KEPT_BODY_BYTES))
    await hungUp.promise
  })

  test('a body that drips past the deadline is an answer all the same', async (t) => {
    const clock = turnClock(t)
    let drip: NodeJS.Timeout | undefined
    t.after(() => clearInterval(drip))
    const receiver = await startReceiver(t, (response) => {
      response.writeHead(200).write('.')
      drip = setInterval(() => response.write('.'), 20)
    })
    const dripped = nextAnswerPart()
    const result = await clock.passLimit(SHORT_LIMIT_MS, post(receiver.url, SHORT_LIMIT_MS), dripped)
    assert.ok(result.kind === 'answered')
    assert.equal(result.statusCode, 200)
    assert.match(result.body, /^\.+$/)
  })

  test('a body that breaks off is an answer all the same', async (t) => {
    const url = await startRaw(t, (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\nsorry'))
    })
    const result = await post(url)
    assert.ok(result.kind === 'answered')
    assert.equal(result.statusCode, 503)
    assert.equal(result.body, 'sorry')
  })
})

describe('a POST without an answer says why', () => {
  test('no server listens', async (t) => {
    const port = await closedPort(t)
    assert.deepEqual(await post(`http://127.0.0.1:${port}/`), {
      kind: 'failed',
      reason: `connection refused by 127.0.0.1:${port}`,
    })
  })

  test('the receiver is silent until the deadline', async (t) => {
    const clock = turnClock(t)
    const asked = Promise.withResolvers<void>()
    const url = await startRaw(t, (socket) => socket.once('data', () => asked.resolve()))
    assert.deepEqual(await clock.passLimit(SHORT_LIMIT_MS, post(url, SHORT_LIMIT_MS), asked.promise), {
      kind: 'failed',
      reason: 'no answer within 0.5 s (connected, waiting for the first byte)',
    })
  })

  test('the receiver hung up while this process stood still, so the reason is unknown', async (t) => {
    const frozenMs = 70_000
    const stalled = { ...network, loop: { start: () => () => frozenMs, stop: () => {} } }
    const url = await startRaw(t, (socket) => socket.end())
    assert.deepEqual(
      await requestOnce(stalled, { kind: 'check', url, headers: {}, body: '' }, 10_000, never),
      {
        kind: 'failed',
        reason: 'this machine was too busy to judge',
        isOurs: true,
      },
    )
  })

  test('the headers drip past the deadline', async (t) => {
    const clock = turnClock(t)
    const asked = Promise.withResolvers<void>()
    let drip: NodeJS.Timeout | undefined
    t.after(() => clearInterval(drip))
    const url = await startRaw(t, (socket) => {
      socket.once('data', () => asked.resolve())
      socket.write('HTTP/1.1 200 OK\r\n')
      drip = setInterval(() => socket.write('X-Drip: 1\r\n'), 20)
    })
    const result = await clock.passLimit(SHORT_LIMIT_MS, post(url, SHORT_LIMIT_MS), asked.promise)
    assert.deepEqual(result, {
      kind: 'failed',
      reason: 'no answer within 0.5 s (connected, waiting for the first byte)',
    })
  })

  test('the connection closes before the status line', async (t) => {
    const url = await startRaw(t, (socket) => socket.once('data', () => socket.end()))
    assert.deepEqual(await post(url), {
      kind: 'failed',
      reason: 'connection closed before the answer was complete',
    })
  })

  test('the answer is not HTTP', async (t) => {
    const url = await startRaw(t, (socket) => socket.once('data', () => socket.end('220 mail ready\r\n')))
    const result = await post(url)
    assert.ok(result.kind === 'failed')
    assert.match(result.reason, /^the answer is not HTTP \(HPE_/)
  })

  test('the caller loses interest', async (t) => {
    const controller = new AbortController()
    const url = await startRaw(t, (socket) => socket.once('data', () => controller.abort()))
    assert.deepEqual(await post(url, LIMIT_MS, controller.signal), {
      kind: 'failed',
      reason: 'interrupted',
      isOurs: true,
    })
  })

  test('the caller had lost interest before', async (t) => {
    const receiver = await startReceiver(t, replyWith(200))
    const result = await post(receiver.url, LIMIT_MS, AbortSignal.abort())
    assert.deepEqual(result, { kind: 'failed', reason: 'interrupted', isOurs: true })
    assert.equal(receiver.requests.length, 0)
  })

  test('policy refuses the address, written or behind a name, and nothing is sent', async (t) => {
    const strict = createNetwork({ privateTargets: 'deny' })
    const receiver = await startReceiver(t, replyWith(200))
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '[::ffff:127.0.0.1]']) {
      const request = {
        kind: 'check' as const,
        url: `http://${host}:${receiver.port}/`,
        headers: {},
        body: '',
      }
      const result = await requestOnce(strict, request, LIMIT_MS, never)
      assert.ok(result.kind === 'failed', host)
      assert.match(result.reason, /^address \S+ is not allowed$/)
    }
    assert.equal(receiver.requests.length, 0)
  })
})

describe('TLS', () => {
  const certificate = selfSigned({})
  const request = { kind: 'check' as const, headers: {}, body: 'hello' }

  test('a trusted certificate lets the request through', async (t) => {
    const trusting = createNetwork({ privateTargets: 'allow', extraAuthorities: [certificate.cert] })
    const receiver = await startReceiver(t, replyWith(200, 'ok'), certificate)
    const result = await requestOnce(trusting, { url: receiver.url, ...request }, LIMIT_MS, never)
    assert.ok(result.kind === 'answered')
    assert.equal(receiver.requests[0]?.body, 'hello')
    assert.equal(receiver.requests[0]?.headers.host, `localhost:${receiver.port}`)
  })

  test('a certificate of an unknown authority gets nothing', async (t) => {
    const receiver = await startReceiver(t, replyWith(200), certificate)
    const result = await requestOnce(network, { url: receiver.url, ...request }, LIMIT_MS, never)
    assert.ok(result.kind === 'failed')
    assert.match(result.reason, /certificate/)
    assert.equal(receiver.requests.length, 0)
  })

  test('a certificate for another name gets nothing', async (t) => {
    const trusting = createNetwork({ privateTargets: 'allow', extraAuthorities: [certificate.cert] })
    const receiver = await startReceiver(t, replyWith(200), certificate)
    const url = `https://other.localhost:${receiver.port}/`
    const result = await requestOnce(trusting, { url, ...request }, LIMIT_MS, never)
    assert.ok(result.kind === 'failed')
    assert.match(result.reason, /certificate/)
    assert.equal(receiver.requests.length, 0)
  })
})
