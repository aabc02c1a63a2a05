import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { type GrpcOptions, startGrpcServer } from '../../support/protocols/grpc-server.ts'
import type { Scope } from '../../support/scope.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'
import { until } from '../../support/until.ts'

const authority = createAuthority('gRPC')
const certificate = authority.issue({ names: ['127.0.0.1'] })
const network = testNetwork({ extraAuthorities: [authority.pem] })
const UP = ['up', null]

async function ask(
  scope: Scope,
  options: MonitorOptions = {},
  server: GrpcOptions = {},
  more: Partial<ProbeSettings<'grpc'>> = {},
) {
  const { port, heard, openSessions } = await startGrpcServer(scope, server)
  const scheme = server.certificate ? 'grpcs' : 'grpc'
  const found = await check('grpc', { url: `${scheme}://127.0.0.1:${port}`, options, ...more }, { network })
  await until('its connection to be closed', () => openSessions() === 0)
  return { ...found, said: [found.status, found.errorMessage], heard }
}

describe('a check of gRPC', () => {
  it('is up with SERVING, of the whole or of a service, with and without TLS', async (t) => {
    const healths = { '': 1, 'shop.Orders': 1 }
    for (const server of [{ healths }, { healths, certificate }])
      for (const options of [{}, { service: 'shop.Orders' }]) {
        const { said, heard, certificate: seen } = await ask(t, options, server)
        assert.deepEqual([said, heard.map(({ path }) => path)], [UP, ['/grpc.health.v1.Health/Check']])
        assert.equal(seen !== null, 'certificate' in server)
      }
  })

  it('is down with every other status', async (t) => {
    for (const [status, name] of [
      [0, 'UNKNOWN'],
      [2, 'NOT_SERVING'],
      [3, 'SERVICE_UNKNOWN'],
    ] as const) {
      const { said, responseTimeMs } = await ask(t, {}, { healths: { '': status } })
      assert.deepEqual(said, ['down', `gRPC status ${name}`])
      assert.notEqual(responseTimeMs, null)
    }
  })

  it('sends the headers of the monitor as metadata, but for those of HTTP/2', async (t) => {
    const request_headers = { 'X-Token': 'sesame-7', TE: 'gzip', 'Content-Type': 'text/plain' }
    const { said, heard } = await ask(t, {}, {}, { request_headers })
    assert.deepEqual([said, heard[0]?.token], [UP, 'sesame-7'])
  })

  it('masks in its cause what a server repeats', async (t) => {
    const instead: GrpcOptions['instead'] = (stream) =>
      stream.respond(
        {
          ...{ ':status': 200, 'content-type': 'application/grpc' },
          ...{ 'grpc-status': '16', 'grpc-message': 'no%20sesame-7' },
        },
        { endStream: true },
      )
    const { said } = await ask(t, {}, { instead }, { request_headers: { 'X-Token': 'sesame-7' } })
    assert.deepEqual(said, ['down', 'gRPC error 16 UNAUTHENTICATED ("no ********")'])
  })

  it('calls a method by reflection of either version, and judges its answer', async (t) => {
    for (const reflection of ['v1', 'v1alpha'] as const) {
      const options: MonitorOptions = {
        ...{ method: 'shop.Orders/Get', request: '{"id": 7}' },
        assertions: [
          { source: 'json', property: '$.id', comparison: 'equals', target: 7, severity: 'down' },
          { source: 'json', property: '$.state', comparison: 'equals', target: 'sent', severity: 'down' },
        ],
      }
      const { said, heard } = await ask(t, options, { reflection })
      assert.deepEqual([said, heard.at(-1)?.path], [UP, '/shop.Orders/Get'], reflection)
    }
  })

  it('tells what does not fit the method', async (t) => {
    const request = await ask(t, { method: 'shop.Orders/Get', request: '{"name": 7}' })
    assert.match(request.errorMessage ?? '', /^gRPC: the request is no shop\.GetOrder: .*name/)
    const stream = await ask(t, { method: 'shop.Orders/Watch' })
    assert.deepEqual(stream.said, [
      'down',
      'gRPC: shop.Orders/Watch streams: only a method with one answer can be called',
    ])
    const unknown = await ask(t, { method: 'shop.Carts/Get' })
    assert.deepEqual(unknown.said, ['down', 'gRPC: the server knows no service shop.Carts'])
  })

  it('judges the health as JSON, too', async (t) => {
    const assertions = [
      { source: 'json', property: '$.status', comparison: 'equals', target: 'SERVING', severity: 'down' },
    ] as const
    assert.deepEqual((await ask(t, { assertions: [...assertions] })).said, UP)
  })
})
