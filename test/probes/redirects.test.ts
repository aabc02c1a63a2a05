import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import net from 'node:net'
import { describe, test } from 'node:test'
import { startHttp } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'

describe('a redirect', () => {
  test('is followed, and the final status judged', async (t) => {
    const target = await startHttp(t, redirecting({ '/a': '/b', '/b': '/c' }))
    const url = `http://127.0.0.1:${target.port}`
    const result = await check('http', { url: `${url}/a` })
    assert.equal(result.status, 'up')
    assert.equal(result.httpStatusCode, 200)
    assert.equal(target.accepted(), 3)
    await target.allClosed()
  })

  test('with an expected status is up at once', async (t) => {
    const target = await startHttp(t, redirecting({ '/a': '/b' }))
    const url = `http://127.0.0.1:${target.port}/a`
    const result = await check('http', { url, expected_status_codes: [302] })
    assert.equal(result.status, 'up')
    assert.equal(result.httpStatusCode, 302)
    assert.equal(target.accepted(), 1)
  })

  test('is followed five times and no more', async (t) => {
    const target = await startHttp(
      t,
      redirecting({ '/5': '/4', '/4': '/3', '/3': '/2', '/2': '/1', '/1': '/end', '/6': '/5' }),
    )
    const url = `http://127.0.0.1:${target.port}`
    assert.equal((await check('http', { url: `${url}/5` })).status, 'up')
    const result = await check('http', { url: `${url}/6` })
    assert.equal(result.status, 'down')
    assert.equal(result.errorMessage, 'more than 5 redirects')
    assert.equal(result.httpStatusCode, 302)
  })

  test('to itself ends', async (t) => {
    const target = await startHttp(t, redirecting({ '/': '/' }))
    const result = await check('http', { url: `http://127.0.0.1:${target.port}/` })
    assert.equal(result.errorMessage, 'more than 5 redirects')
    assert.equal(target.accepted(), 6)
    await target.allClosed()
  })

  test('without a Location is judged by its status', async (t) => {
    const target = await startHttp(t, (_, response) => response.writeHead(302).end())
    const result = await check('http', { url: `http://127.0.0.1:${target.port}/` })
    assert.equal(result.errorMessage, 'HTTP 302 (expected 200)')
  })

  test('away from the web is not followed', async (t) => {
    const target = await startHttp(t, redirecting({ '/': 'file:///etc/passwd' }))
    const result = await check('http', { url: `http://127.0.0.1:${target.port}/` })
    assert.equal(result.status, 'down')
    assert.equal(result.errorMessage, 'redirect to an address that cannot be followed: file:///etc/passwd')
  })

  test('keeps credentials and headers within the origin, and drops them for good beyond it', async (t) => {
    const seen: string[] = []
    const note: (name: string, onRequest: RequestListener) => RequestListener =
      (name, onRequest) => (request, response) => {
        const { authorization = 'none', 'x-key': key = 'none' } = request.headers
        seen.push(`${name}${request.url} ${authorization} ${key}`)
        onRequest(request, response)
      }
    const routes: Record<string, string> = { '/start': '/next' }
    const first = await startHttp(t, note('first', redirecting(routes)))
    const other = await startHttp(
      t,
      note('other', redirecting({ '/': `http://127.0.0.1:${first.port}/end` })),
    )
    routes['/next'] = `http://mallory:secret@127.0.0.1:${other.port}/`
    const result = await check('http', {
      url: `http://127.0.0.1:${first.port}/start`,
      username: 'ada',
      password: 'x',
      request_headers: { 'X-Key': 'k' },
    })
    assert.equal(result.status, 'up')
    const basic = `Basic ${Buffer.from('ada:x').toString('base64')}`
    assert.deepEqual(seen, [
      `first/start ${basic} k`,
      `first/next ${basic} k`,
      'other/ none none',
      'first/end none none',
    ])
  })

  test('to a metadata address never connects, under either policy', async (t) => {
    const addresses = [
      '169.254.169.254',
      '169.254.42.42',
      '100.100.100.200',
      '192.0.0.192',
      '168.63.129.16',
      '[::ffff:a9fe:a9fe]',
      '[fd00:42::42]',
      '[fd20:ce::254]',
      '[fe80::a9fe:a9fe]',
      '[64:ff9b:1::a9fe:a9fe]',
    ]
    const routes = addresses.map((address, index) => [`/${index}`, `http://${address}/latest/`])
    const target = await startHttp(t, redirecting(Object.fromEntries(routes)))
    const connect = t.mock.method(net, 'connect')
    for (const [index, host] of addresses.entries()) {
      const address = host.replace(/^\[(.*)\]$/, '$1')
      const result = await check('http', { url: `http://127.0.0.1:${target.port}/${index}` })
      assert.equal(result.status, 'down')
      assert.equal(result.errorMessage, `address ${address} is not allowed`)
      // The redirect is at fault: all else that is told is of the server that answered with it.
      assert.equal(result.address, '127.0.0.1')
      assert.equal(result.httpStatusCode, 302)
    }
    const dialed = connect.mock.calls.map(
      ({ arguments: [options] }) => (options as unknown as net.TcpNetConnectOpts).host,
    )
    assert.deepEqual([...new Set(dialed)], ['127.0.0.1'])
    await target.allClosed()
  })

  test('cannot be reached at all where private targets are denied', async (t) => {
    const target = await startHttp(t, (_, response) => response.end())
    const network = testNetwork({ privateTargets: 'deny' })
    const result = await check('http', { url: `http://127.0.0.1:${target.port}/` }, { network })
    assert.equal(result.errorMessage, 'address 127.0.0.1 is not allowed')
    assert.equal(target.accepted(), 0)
  })
})

function redirecting(routes: Record<string, string>): RequestListener {
  return (request, response) => {
    const location = routes[request.url ?? '']
    if (location) response.writeHead(302, { location })
    response.end()
  }
}
