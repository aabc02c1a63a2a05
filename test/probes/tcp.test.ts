import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Assertion } from '../../src/core/expectations/assertion.ts'
import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import { resetSocket } from '../support/reset-socket.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort, startTcp, startTls } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'
import { turnClock } from '../support/time/turned-clock.ts'

describe('a tcp check', () => {
  test('is up when the port accepts, whatever the scheme and port of the URL', async (t) => {
    const target = await startTcp(t)
    const result = await check('tcp', { url: 'redis://localhost:1/0', port: target.port })
    assert.equal(result.status, 'up')
    assert.equal(result.errorMessage, null)
    assert.equal(result.httpStatusCode, null)
    assert.ok(Number.isInteger(result.responseTimeMs))
    await target.allClosed()
  })

  test('is up on IPv6', async (t) => {
    const target = await startTcp(t, () => {}, '::1')
    // Any scheme is taken, and says nothing about TLS.
    assert.equal((await check('tcp', { url: 'smtps://[::1]', port: target.port })).status, 'up')
    const result = await check('tcp', { url: 'tcp://[::1]', port: target.port })
    assert.equal(result.status, 'up')
  })

  test('reads every spelling of an address as browsers do', async (t) => {
    const target = await startTcp(t)
    for (const host of ['127.1', '0177.0.0.1', '2130706433', '[::ffff:127.0.0.1]']) {
      assert.equal((await check('tcp', { url: `tcp://${host}/`, port: target.port })).status, 'up', host)
      const network = testNetwork({ privateTargets: 'deny' })
      const denied = await check('tcp', { url: `tcp://${host}/`, port: target.port }, { network })
      assert.match(denied.errorMessage ?? '', /^address .* is not allowed$/, host)
    }
    await target.allClosed()
  })

  test('is down when the connection is refused, naming each address', async (t) => {
    const port = await closedPort(t)
    const one = await check('tcp', { url: 'tcp://[::1]', port })
    assert.equal(one.status, 'down')
    assert.equal(one.errorMessage, `connection refused by [::1]:${port}`)
    const both = await check('tcp', { url: 'tcp://localhost', port })
    assert.equal(both.errorMessage, `connection refused by [::1]:${port} and 127.0.0.1:${port}`)
  })
})

describe('a tcp check that judges an answer', () => {
  const authority = createAuthority('Answers')
  const certificate = authority.issue({ names: ['127.0.0.1'] })
  const network = testNetwork({ extraAuthorities: [authority.pem] })
  type Says = Parameters<typeof startTcp>[1]

  const expecting = (
    comparison: Assertion['comparison'],
    target?: Assertion['target'],
  ): MonitorOptions['assertions'] => [
    { source: 'answer', comparison, ...(target !== undefined && { target }), severity: 'down' },
  ]
  const ask = async (t: TestContext, says: Says, options: MonitorOptions, limit = {}) => {
    const target = await startTcp(t, says)
    const result = await check(
      'tcp',
      { url: 'tcp://127.0.0.1', port: target.port, options, ...limit },
      { network },
    )
    await target.allClosed()
    return { ...result, said: [result.status, result.errorMessage], port: target.port }
  }

  test('reads what comes unasked, and in pieces, until it is as expected', async (t) => {
    const greeting: Says = (socket) => {
      socket.write('+OK re')
      setImmediate(() => socket.write('ady\r\nmore'))
    }
    assert.deepEqual((await ask(t, greeting, { assertions: expecting('contains', 'ready') })).said, [
      'up',
      null,
    ])
  })

  test('sends text, or bytes, and reads until the connection ends', async (t) => {
    const echo: Says = (socket) => socket.once('data', (piece) => socket.end(`got ${piece}\r\n`))
    for (const send of ['PING\n', 'hex: 50 49 4e 47 0a']) {
      const result = await ask(t, echo, { send, assertions: expecting('equals', 'got PING') })
      assert.deepEqual(result.said, ['up', null], send)
      assert.notEqual(result.phases?.firstByteMs ?? null, null)
    }
    const other = await ask(t, echo, { send: 'PING', assertions: expecting('equals', 'PONG') })
    assert.deepEqual(other.said, ['down', 'answer is "got PING" (expected "PONG")'])
    assert.notEqual(other.responseTimeMs, null)
  })

  test('wants some answer where something is sent', async (t) => {
    assert.deepEqual((await ask(t, (socket) => socket.end('hi'), { send: 'x' })).said, ['up', null])
    const mute = await ask(t, (socket) => socket.end(), { send: 'x' })
    assert.deepEqual(mute.said, [
      'down',
      `TCP: 127.0.0.1:${mute.port} closed the connection before its answer`,
    ])
    const reset = await ask(t, (socket) => socket.once('data', () => resetSocket(socket)), { send: 'x' })
    assert.deepEqual(reset.said, ['down', `connection reset by 127.0.0.1:${reset.port}`])
  })

  test('speaks TLS where it is told to, and warns of the certificate', async (t) => {
    const soon = authority.issue({ names: ['127.0.0.1'], validForDays: 5.5 })
    for (const [shown, found] of [
      [certificate, ['up', null]],
      [soon, ['degraded', 'certificate expires in 5 days']],
    ] as const) {
      const target = await startTls(t, shown, (socket) => socket.end('hello'))
      const options: MonitorOptions = { security: 'implicit', assertions: expecting('equals', 'hello') }
      const result = await check('tcp', { url: 'tcp://127.0.0.1', port: target.port, options }, { network })
      assert.deepEqual([result.status, result.errorMessage], found)
    }
    const plain = await ask(t, (socket) => socket.end('hello'), { security: 'implicit' })
    assert.deepEqual(plain.said, ['down', 'TLS handshake failed: the answer is not TLS'])
  })

  test('does not repeat what it sends', async (t) => {
    const echo: Says = (socket) => socket.once('data', (piece) => socket.end(piece))
    const result = await ask(t, echo, { send: 'AUTH sesame-street', assertions: expecting('equals', 'OK') })
    assert.deepEqual(result.said, ['down', 'answer is "********" (expected "OK")'])
  })

  test('reads no more than 64 KiB of an answer without an end', async (t) => {
    const endless: Says = (socket) => {
      const write = () => {
        while (!socket.destroyed && socket.write('a'.repeat(16_384)));
        socket.once('drain', write)
      }
      write()
    }
    const result = await ask(t, endless, { assertions: expecting('contains', 'b') })
    assert.match(result.errorMessage ?? '', /^answer is "a+…" \(expected to contain "b"\)$/)
  })

  test('judges an answer that is over for some seconds, and fails at its limit without one', async (t) => {
    const clock = turnClock(t)
    const said = Promise.withResolvers<void>()
    const target = await startTcp(t, (socket) => {
      socket.write('half')
      said.resolve()
    })
    const options: MonitorOptions = { assertions: expecting('equals', 'whole') }
    const settings = { url: 'tcp://127.0.0.1', port: target.port, request_timeout_seconds: 30 }
    const checking = check('tcp', { ...settings, options }, { network })
    await said.promise
    const result = await clock.passUntil(checking)
    assert.deepEqual([result.status, result.errorMessage], ['down', 'answer is "half" (expected "whole")'])
    const silent = await startTcp(t)
    const waiting = check(
      'tcp',
      { ...settings, port: silent.port, options, request_timeout_seconds: 1 },
      { network },
    )
    const late = await clock.passLimit(1_000, waiting)
    assert.equal(late.errorMessage, 'no answer within 1 s (connected, waiting for the first byte)')
  })
})
