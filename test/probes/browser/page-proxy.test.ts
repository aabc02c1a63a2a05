import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type net from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import type { AddressKind } from '../../../src/net/address-policy.ts'
import { openPageProxy } from '../../../src/net/proxy/page-proxy.ts'
import { startDnsServer } from '../../support/servers/dns-server.ts'
import { closedPort, startHttp } from '../../support/servers/targets.ts'
import { testNetwork } from '../../support/servers/targets-settings.ts'

async function openProxy(t: TestContext, kind: AddressKind = 'check', replies = {}, maxBytes?: number) {
  const dns = await startDnsServer(t, replies)
  const reached: string[] = []
  const network = testNetwork({ nameServers: [dns.address] })
  const proxy = await openPageProxy(
    network,
    { kindOf: () => kind, reached: (one) => reached.push(one) },
    maxBytes,
  )
  t.after(() => proxy.close())
  const { port } = new URL(proxy.server)
  const authorization = `Basic ${Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')}`
  const ask = async (
    url: string,
    headers: Record<string, string> = { 'proxy-authorization': authorization },
  ) => {
    const asked = http.request({ port, path: url, headers: { ...headers, host: 'x' }, agent: false }).end()
    return once(asked, 'response').then(
      async ([answer]) => [answer.statusCode, await text(answer)],
      () => 'cut off',
    )
  }
  const tunnel = async (
    place: string,
    headers: Record<string, string> = { 'proxy-authorization': authorization },
  ) => {
    const asked = http.request({ port, method: 'CONNECT', path: place, headers, agent: false }).end()
    const [answer, socket] = (await once(asked, 'connect')) as [http.IncomingMessage, net.Socket]
    t.after(() => socket.destroy())
    return { status: answer.statusCode, socket }
  }
  return { proxy, reached, ask, tunnel }
}

describe('the proxy of a browser', () => {
  it('hands requests on, to names that it resolves itself', async (t) => {
    const target = await startHttp(t, (request, response) =>
      response.end(`${request.headers['proxy-authorization']} ${request.url}`),
    )
    const { ask, reached } = await openProxy(t, 'check', { 'shop.example': ['127.0.0.1'] })
    assert.deepEqual(await ask(`http://shop.example:${target.port}/a?b`), [200, 'undefined /a?b'])
    assert.deepEqual(reached, ['127.0.0.1'])
  })

  it('opens tunnels', async (t) => {
    const target = await startHttp(t, (_, response) => response.end('inside'))
    const { tunnel } = await openProxy(t)
    const { status, socket } = await tunnel(`127.0.0.1:${target.port}`)
    socket.write('GET / HTTP/1.0\r\n\r\n')
    assert.equal(status, 200)
    assert.match(await text(socket), /inside$/)
  })

  it('is of use to none without its password', async (t) => {
    const target = await startHttp(t, () => assert.fail('nothing comes here'))
    const { ask, tunnel } = await openProxy(t)
    for (const headers of [{}, { 'proxy-authorization': 'Basic Y2hlY2s6eA==' }]) {
      assert.deepEqual((await ask(`http://127.0.0.1:${target.port}/`, headers))[0], 407)
      assert.equal((await tunnel(`127.0.0.1:${target.port}`, headers)).status, 407)
    }
  })

  it('dials no address that the kind of the place forbids, and keeps why', async (t) => {
    const target = await startHttp(t, () => assert.fail('nothing comes here'))
    const inside = { 'inside.example': ['127.0.0.1'], 'cloud.example': ['169.254.169.254'] }
    const { proxy, ask, tunnel } = await openProxy(t, 'redirect of a check', inside)
    const places = [
      `127.0.0.1:${target.port}`,
      `inside.example:${target.port}`,
      'cloud.example:80',
      '[::1]:80',
    ]
    for (const place of places) {
      assert.equal(await ask(`http://${place}/`), 'cut off')
      assert.equal((await tunnel(place)).status, 502)
    }
    assert.deepEqual(
      [...proxy.failures.values()].map((failed) => 'isRefused' in failed || /private/.test(failed.reason)),
      places.map(() => true),
    )
  })

  it('cuts everything off once a check has got as much as it may', async (t) => {
    const target = await startHttp(t, (_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(10_000)));
      }
      response.on('drain', write)
      write()
    })
    const { proxy, ask, tunnel } = await openProxy(t, 'check', {}, 100_000)
    await assert.rejects(async () => ask(`http://127.0.0.1:${target.port}/`))
    assert.equal(proxy.isOverBound, true)
    assert.equal(await ask(`http://127.0.0.1:${target.port}/`), 'cut off')
    assert.equal((await tunnel(`127.0.0.1:${target.port}`)).status, 502)
  })

  it('asks for nothing but http and tunnels', async (t) => {
    const { ask } = await openProxy(t)
    for (const url of ['file:///etc/passwd', '/', 'ftp://127.0.0.1/'])
      assert.deepEqual(await ask(url), [400, ''], url)
  })

  it('cuts a request off that nobody answers, and says why', async (t) => {
    const port = await closedPort(t)
    const { proxy, ask } = await openProxy(t)
    assert.equal(await ask(`http://127.0.0.1:${port}/`), 'cut off')
    assert.equal(proxy.failures.get(`127.0.0.1:${port}`)?.reason, `connection refused by 127.0.0.1:${port}`)
  })
})
