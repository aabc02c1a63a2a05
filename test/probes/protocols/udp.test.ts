import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Assertion } from '../../../src/core/expectations/assertion.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import { startEcho } from '../../support/line-servers/echo.ts'
import { startDnsServer } from '../../support/servers/dns-server.ts'
import { closedPort } from '../../support/servers/targets.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'
import { turnClock } from '../../support/time/turned-clock.ts'

const equal = (target: string): Assertion[] => [
  { source: 'answer', comparison: 'equals', target, severity: 'down' },
]
const asked = (port: number, options: MonitorOptions, host = '127.0.0.1') => ({
  ...{ url: `udp://${host}`, port, options },
})

async function ask(t: TestContext, answer: Parameters<typeof startEcho>[1], options: MonitorOptions) {
  const server = await startEcho(t, answer)
  const result = await check('udp', asked(server.port, options))
  return { ...result, said: [result.status, result.errorMessage], heard: server.heard }
}

describe('a udp check', () => {
  it('is up with an answer as expected, to text or bytes', async (t) => {
    for (const send of ['ping', 'hex:70696e67']) {
      const { said, heard } = await ask(t, undefined, { send, assertions: equal('ping') })
      assert.deepEqual([said, heard], [['up', null], ['ping']])
    }
  })

  it('is down with another answer', async (t) => {
    const { said, responseTimeMs } = await ask(t, () => 'pang\r\n', {
      send: 'ping',
      assertions: equal('pong'),
    })
    assert.deepEqual(said, ['down', 'answer is "pang" (expected "pong")'])
    assert.notEqual(responseTimeMs, null)
  })

  it('sends again where a packet was lost', async (t) => {
    const answer = (packet: Buffer, count: number) => (count === 1 ? null : packet)
    const { said, heard } = await ask(t, answer, { send: 'ping', assertions: equal('ping') })
    assert.deepEqual([said, heard.length], [['up', null], 2])
  })

  it('tells a port at which nothing listens, and an address that is not allowed', async (t) => {
    const port = await closedPort(t)
    const closed = await check('udp', asked(port, { send: 'ping', assertions: equal('x') }))
    const cause = `connection refused by 127.0.0.1:${port}`
    assert.deepEqual([closed.status, closed.errorMessage, closed.address], ['down', cause, '127.0.0.1'])
    const network = testNetwork({ privateTargets: 'deny' })
    const server = await startEcho(t)
    const denied = await check('udp', asked(server.port, { send: 'ping', assertions: equal('ping') }), {
      network,
    })
    assert.deepEqual([denied.errorMessage, server.heard], ['address 127.0.0.1 is not allowed', []])
  })

  it('asks the next address where one refuses', async (t) => {
    const { port } = await startEcho(t)
    const { address } = await startDnsServer(t, { 'echo.example': ['127.0.0.2', '127.0.0.1'] })
    const options = { send: 'ping', assertions: equal('ping'), resolver: address }
    const { status, address: from } = await check('udp', asked(port, options, 'echo.example'))
    assert.deepEqual([status, from], ['up', '127.0.0.1'])
  })

  it('fails at its limit where the server is silent', async (t) => {
    const clock = turnClock(t)
    const heard = Promise.withResolvers<void>()
    const server = await startEcho(t, () => {
      heard.resolve()
      return null
    })
    const settings = asked(server.port, { send: 'ping', assertions: equal('ping') })
    const checking = check('udp', { ...settings, request_timeout_seconds: 1 })
    const result = await clock.passLimit(1_000, checking, heard.promise)
    assert.equal(result.errorMessage, 'no answer within 1 s (connected, waiting for the first byte)')
    assert.equal(result.address, '127.0.0.1')
  })
})
