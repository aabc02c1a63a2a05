import assert from 'node:assert/strict'
import net from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import type { NetworkOptions } from '../../src/net/network.ts'
import { type ProxyServer, startHttpProxy, startSocksProxy } from '../support/net/proxies.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { startDnsServer } from '../support/servers/dns-server.ts'
import {
  closedPort,
  startHttp,
  startHttps,
  startSaying,
  startTcp,
  startTls,
} from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'

const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]
const own = createAuthority('Authority of Ours')

/** Checks a URL through a proxy. */
const through = (proxy: string, url: string, around: Partial<NetworkOptions> = {}, options: object = {}) =>
  check('http', { url, options: { proxy, ...options } }, { network: testNetwork(around) })

describe('a proxy', () => {
  const PROXIES: [scheme: string, start: (t: TestContext) => Promise<ProxyServer>][] = [
    ['http', (t) => startHttpProxy(t)],
    ['socks5', (t) => startSocksProxy(t)],
  ]
  for (const [scheme, start] of PROXIES) {
    it(`of ${scheme} is given the address that was looked up, and the target the name`, async (t) => {
      const proxy = await start(t)
      const hosts: unknown[] = []
      const target = await startHttp(t, ({ headers }, response) => {
        hosts.push(headers.host)
        response.end()
      })
      const dns = await startDnsServer(t, { 'shop.example': ['127.0.0.1'] })
      const url = `http://shop.example:${target.port}/`
      const result = await through(`${scheme}://127.0.0.1:${proxy.port}`, url, { nameServers: [dns.address] })
      assert.deepEqual(said(result), ['up', null])
      assert.deepEqual(proxy.asked, [{ to: `127.0.0.1:${target.port}`, credentials: null }])
      assert.deepEqual(hosts, [`shop.example:${target.port}`])
      assert.ok(Number.isInteger(result.phases?.connectMs))
      // It is reached through the proxy alone.
      assert.equal(result.address, undefined)
    })

    it(`of ${scheme} carries TLS with the target, whose certificate counts`, async (t) => {
      const proxy = await start(t)
      const target = await startHttps(t, own.issue({}))
      const url = `https://localhost:${target.port}/`
      const at = `${scheme}://127.0.0.1:${proxy.port}`
      const result = await through(at, url, { extraAuthorities: [own.pem] }, { ip_version: 4 })
      assert.deepEqual(said(result), ['up', null])
      assert.match(result.certificate?.fingerprint ?? '', /^[0-9a-f]{64}$/)
      assert.equal((await through(at, url, {}, { ip_version: 4 })).status, 'down')
    })

    it(`of ${scheme} that reaches no target is told from the target`, async (t) => {
      const proxy = await start(t)
      const port = await closedPort(t)
      const { status, errorMessage } = await through(
        `${scheme}://127.0.0.1:${proxy.port}`,
        `http://127.0.0.1:${port}/`,
      )
      assert.equal(status, 'down')
      const why = scheme === 'http' ? 'the connection was closed' : 'connection refused'
      assert.equal(errorMessage, `proxy: ${why}, asked for 127.0.0.1:${port}`)
    })

    it(`of ${scheme} follows redirects, each judged by the policy of its place`, async (t) => {
      const proxy = await start(t)
      const target = await startHttp(t, ({ url }, response) =>
        url === '/' ? response.writeHead(302, { Location: '/b' }).end() : response.end(),
      )
      const result = await through(`${scheme}://127.0.0.1:${proxy.port}`, `http://127.0.0.1:${target.port}/`)
      assert.deepEqual(said(result), ['up', null])
      assert.equal(proxy.asked.length, 2)
    })
  }

  it('is signed in to, by HTTP and by SOCKS', async (t) => {
    const target = await startHttp(t, (_, response) => response.end())
    const url = `http://127.0.0.1:${target.port}/`
    const proxy = await startHttpProxy(t)
    await through(`http://u%40x:p%3Aw@127.0.0.1:${proxy.port}/`, url)
    assert.equal(proxy.asked[0]?.credentials, 'u@x:p:w')
    const socks = await startSocksProxy(t, 'ada:secret')
    const at = (user: string) => `socks5://${user}127.0.0.1:${socks.port}`
    assert.deepEqual(said(await through(at('ada:secret@'), url)), ['up', null])
    const asked = `asked for 127.0.0.1:${target.port}`
    assert.deepEqual(said(await through(at('ada:wrong@'), url)), [
      ...['down', `proxy: it refuses the user name or password, ${asked}`],
    ])
    assert.deepEqual(said(await through(at(''), url)), [
      'down',
      `proxy: it wants another way of signing in, ${asked}`,
    ])
  })

  it('can be reached by TLS itself', async (t) => {
    const opened: string[] = []
    const target = await startHttps(t, own.issue({}))
    const proxy = await startTls(t, own.issue({ names: ['proxy.example'] }), (socket) => {
      socket.on('error', () => {})
      socket.once('data', (head) => {
        opened.push(head.toString().split('\r\n')[0] ?? '')
        const inner = net.connect({ host: '127.0.0.1', port: target.port })
        inner.once('connect', () => {
          socket.write('HTTP/1.0 200 OK\r\nX: y\r\n\r\n')
          socket.pipe(inner).pipe(socket)
        })
        socket.once('close', () => inner.destroy())
      })
    })
    const dns = await startDnsServer(t, { 'proxy.example': ['127.0.0.1'] })
    const around = { nameServers: [dns.address], extraAuthorities: [own.pem] }
    const at = `https://proxy.example:${proxy.port}`
    const url = `https://localhost:${target.port}/`
    assert.deepEqual(said(await through(at, url, around, { ip_version: 4 })), ['up', null])
    assert.deepEqual(opened, [`CONNECT 127.0.0.1:${target.port} HTTP/1.1`])
    const untrusted = await through(at, url, { ...around, extraAuthorities: [] }, { ip_version: 4 })
    assert.match(untrusted.errorMessage ?? '', /^proxy: certificate/)
  })

  it('passes the policy as a target does, and so does the target behind it', async (t) => {
    const proxy = await startHttpProxy(t)
    const dns = await startDnsServer(t, { 'inside.example': ['10.0.0.7'], 'out.example': ['93.184.216.34'] })
    const around = { privateTargets: 'deny', nameServers: [dns.address] } as const
    const at = `http://127.0.0.1:${proxy.port}`
    assert.deepEqual(said(await through(at, 'http://out.example/', around)), [
      ...['down', 'proxy: address 127.0.0.1 is not allowed'],
    ])
    assert.deepEqual(said(await through(at, 'http://inside.example/', around)), [
      ...['down', 'address 10.0.0.7 is not allowed'],
    ])
    assert.deepEqual(said(await through(at, 'http://169.254.169.254/')), [
      ...['down', 'address 169.254.169.254 is not allowed'],
    ])
    assert.deepEqual(proxy.asked, [])
  })

  it('that is not there is named, with the address that failed', async (t) => {
    const port = await closedPort(t)
    const result = await through(`http://127.0.0.1:${port}`, 'http://127.0.0.1:9/')
    assert.deepEqual(said(result), ['down', `proxy: connection refused by 127.0.0.1:${port}`])
    assert.equal(result.address, '127.0.0.1')
  })

  const HOSTILE: [what: string, scheme: string, answer: string | Buffer, cause: string][] = [
    ['says no', 'http', 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', 'HTTP 407'],
    ['is no proxy', 'http', 'SSH-2.0-OpenSSH\r\n\r\n', 'its answer is not HTTP'],
    [
      'sends a head without end',
      'http',
      `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(9_000)}`,
      'its answer is not HTTP',
    ],
    ['hangs up', 'http', '', 'the connection was closed'],
    ['hangs up within its head', 'http', 'HTTP/1.1 200 OK\r\nX', 'the connection was closed'],
    ['speaks something else', 'socks5', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'it does not speak SOCKS 5'],
    ['hangs up', 'socks5', Buffer.from([5]), 'the connection was closed'],
    ['takes nobody', 'socks5', Buffer.from([5, 0xff]), 'it wants another way of signing in'],
    ['takes what was not offered', 'socks5', Buffer.from([5, 2]), 'it wants another way of signing in'],
    ['refuses', 'socks5', Buffer.from([5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0]), 'not allowed by its rules'],
    ['has an error that nobody knows', 'socks5', Buffer.from([5, 0, 5, 99, 0, 1]), 'error 99 of SOCKS'],
    ['binds to nothing known', 'socks5', Buffer.from([5, 0, 5, 0, 0, 9]), 'it does not speak SOCKS 5'],
    [
      'hangs up within its address',
      'socks5',
      Buffer.from([5, 0, 5, 0, 0, 3, 200, 1]),
      'the connection was closed',
    ],
  ]
  for (const [what, scheme, answer, cause] of HOSTILE)
    it(`of ${scheme} that ${what} is down in words`, async (t) => {
      const proxy = await startSaying(t, answer)
      const result = await through(`${scheme}://127.0.0.1:${proxy.port}`, 'http://127.0.0.1:9/')
      assert.deepEqual(said(result), ['down', `proxy: ${cause}, asked for 127.0.0.1:9`])
      await proxy.allClosed()
    })

  for (const scheme of ['http', 'socks5'])
    it(`of ${scheme} that resets the connection is down in words`, async (t) => {
      const proxy = await startTcp(t, (socket) => {
        socket.on('error', () => {})
        socket.once('data', () => socket.resetAndDestroy())
      })
      const result = await through(`${scheme}://127.0.0.1:${proxy.port}`, 'http://127.0.0.1:9/')
      assert.deepEqual(said(result), ['down', 'proxy: the connection was closed, asked for 127.0.0.1:9'])
    })

  it('that leads elsewhere is not followed', async (t) => {
    const proxy = await startSaying(t, 'HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\n\r\n')
    const result = await through(`http://127.0.0.1:${proxy.port}`, 'http://127.0.0.1:9/')
    assert.deepEqual(said(result), ['down', 'proxy: HTTP 302, asked for 127.0.0.1:9'])
  })

  it('that shows its password in place of the target shows nobody else', async (t) => {
    const proxy = await startTcp(t, (socket) => {
      socket.on('error', () => {})
      socket.once('data', (head) => {
        const [, basic = ''] = /Basic (.*)/.exec(head.toString()) ?? []
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        socket.once('data', () => {
          const body = `${Buffer.from(basic, 'base64')} ${basic}`
          socket.end(`HTTP/1.1 500 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
        })
      })
    })
    const result = await through(`http://ada:p%3Assword@127.0.0.1:${proxy.port}`, 'http://127.0.0.1:9/')
    assert.deepEqual(result.answer?.body, { kind: 'text', text: 'ada:******** ********', is_cut: false })
  })

  it('may say its words byte by byte, with the target’s right behind', async (t) => {
    const answer = 'HTTP/1.1 200 OK\r\nVia: drip\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'
    const proxy = await startTcp(t, (socket) => {
      socket.on('error', () => {})
      socket.once('data', () => drip(socket, [...answer]))
    })
    const result = await check('http', {
      ...{ url: 'http://127.0.0.1:9/', expected_status_codes: [204] },
      options: { proxy: `http://127.0.0.1:${proxy.port}` },
    })
    assert.deepEqual(said(result), ['up', null])
  })

  it('that is silent costs no more than the time of the check', async (t) => {
    const proxy = await startTcp(t, () => {})
    const result = await check('http', {
      ...{ url: 'http://127.0.0.1:9/', request_timeout_seconds: 1 },
      options: { proxy: `socks5://127.0.0.1:${proxy.port}` },
    })
    assert.deepEqual(said(result), ['down', 'no answer within 1 s (connecting)'])
    await proxy.allClosed()
  })
})

describe('a name server of the monitor', () => {
  const by = (resolver: string, host: string, port: number, around: Partial<NetworkOptions> = {}) =>
    check('http', { url: `http://${host}:${port}/`, options: { resolver } }, { network: testNetwork(around) })

  it('is asked in place of the machine’s', async (t) => {
    const target = await startHttp(t, (_, response) => response.end())
    const theirs = await startDnsServer(t, { 'shop.example': ['127.0.0.1'], 'gone.example': 'NXDOMAIN' })
    const ours = await startDnsServer(t, { 'shop.example': 'NXDOMAIN' })
    const around = { nameServers: [ours.address] }
    assert.deepEqual(said(await by(theirs.address, 'shop.example', target.port, around)), ['up', null])
    const gone = await by(theirs.address, 'gone.example', target.port, around)
    assert.deepEqual(said(gone), ['down', 'name not found: gone.example'])
    assert.equal(gone.name, undefined)
  })

  it('that fails or is silent is no trouble of ours', async (t) => {
    const sick = await startDnsServer(t, { 'a.example': 'SERVFAIL', '': 'SERVFAIL' })
    assert.deepEqual(said(await by(sick.address, 'a.example', 9)), [
      ...['down', 'name server failed for a.example (SERVFAIL)'],
    ])
    const port = await closedPort(t)
    assert.deepEqual(said(await by(`127.0.0.1:${port}`, 'a.example', 9)), [
      ...['down', 'name server did not answer for a.example'],
    ])
  })

  it('that is silent is where the check failed: if all others there are silent too, it is no fault of the target', async (t) => {
    const dns = await startDnsServer(t, { 'a.example': 'silence' })
    const nameServerTimeouts = { queryMs: 10, rootMs: 10 }
    const silent = await by(dns.address, 'a.example', 9, { nameServerTimeouts })
    assert.deepEqual(said(silent), ['down', 'name server did not answer for a.example'])
    assert.equal(silent.address, '127.0.0.1')
  })

  it('leads to no address that is not allowed', async (t) => {
    const dns = await startDnsServer(t, { 'shop.example': ['169.254.169.254'] })
    assert.deepEqual(said(await by(dns.address, 'shop.example', 80)), [
      ...['down', 'address 169.254.169.254 is not allowed'],
    ])
  })

  it('passes the policy', async (t) => {
    const dns = await startDnsServer(t, { 'shop.example': ['203.0.113.7'] })
    const denied = await by(dns.address, 'shop.example', 80, { privateTargets: 'deny' })
    assert.deepEqual(said(denied), ['down', 'address 127.0.0.1 is not allowed'])
    for (const inside of [
      '169.254.169.254',
      '[::ffff:169.254.169.254]:53',
      '[fe80::1]:53',
      '255.255.255.255',
    ])
      assert.match(
        (await by(inside, 'shop.example', 80)).errorMessage ?? '',
        /^address .* is not allowed$|never answers/,
      )
  })
})

/** Writes one byte at a time, each once the one before is out. */
function drip(socket: net.Socket, bytes: string[]): void {
  const next = bytes.shift()
  if (next === undefined) return void socket.end()
  socket.write(next, 'latin1', () => setImmediate(drip, socket, bytes))
}
