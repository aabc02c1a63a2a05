import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type AddressRequest, MAX_PAGE_BYTES, type SeenOfHost } from '../../../src/core/sites/crawl/asking.ts'
import type { Network } from '../../../src/net/network.ts'
import { openAsking } from '../../../src/probes/pages/ask-page.ts'
import { atPublicAddress, reachPublicHere } from '../../support/net/public-here.ts'
import { startDnsServer } from '../../support/servers/dns-server.ts'
import { startHttp } from '../../support/servers/targets.ts'
import { testNetwork } from '../../support/servers/targets-settings.ts'

reachPublicHere()

const never = new AbortController().signal

describe('the question for one address', () => {
  /** Asks over a network that allows private addresses, unless told otherwise; notes turns as they are given back. */
  async function ask(
    address: string,
    changes: Partial<AddressRequest> = {},
    privateTargets: 'allow' | 'deny' = 'allow',
  ) {
    const turns: [string, SeenOfHost][] = []
    const turn = async (host: string) => async (seen: SeenOfHost) => void turns.push([host, seen])
    const settings = { network: testNetwork({ privateTargets }), userAgent: 'UpbeatBot' }
    const request = { address, method: 'GET', maxBytes: MAX_PAGE_BYTES, ...changes } as const
    return { ...(await openAsking(settings, new URL(address))(request, turn, never)), turns }
  }
  const serve = async (t: TestContext, onRequest: Parameters<typeof startHttp>[1]) => {
    const { port } = await startHttp(t, onRequest)
    return `http://127.0.0.1:${port}`
  }

  it('follows redirects in a turn each, without cookies or credentials', async (t) => {
    const seen: unknown[] = []
    const origin = await serve(t, ({ url, headers }, response) => {
      seen.push([url, headers.cookie, headers.authorization, headers.referer, headers['user-agent']])
      const to = { Location: `http://ada:secret@${headers.host}/b#top`, 'Set-Cookie': 'a=1' }
      if (url === '/a') response.writeHead(301, to).end()
      else
        response.writeHead(200, { 'Content-Type': 'text/html; charset=iso-8859-1' }).end(Buffer.from([0xe9]))
    })
    const { asked, text, turns } = await ask(`${origin}/a`)
    assert.ok(asked.kind === 'answered')
    assert.deepEqual([asked.redirects, asked.finalAddress, text()], [[301], `${origin}/b`, 'é'])
    assert.deepEqual(
      seen,
      ['/a', '/b'].map((path) => [path, undefined, undefined, undefined, 'UpbeatBot']),
    )
    assert.equal(turns.length, 2)
  })

  for (const address of [
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2130706433/',
    'http://0x7f.1/',
  ]) {
    it(`is never sent to ${address} where private addresses are denied`, async () => {
      const { asked } = await ask(address, {}, 'deny')
      assert.ok(['private_address', 'no_such_host'].includes(asked.kind), asked.kind)
    })
  }

  /** The kinds of what comes of each address that a crawl of `home` asks for, one after the other. */
  async function crawl(network: Network, home: string, ...addresses: string[]) {
    const openTurn = async () => async () => {}
    const ask = openAsking({ network, userAgent: 'UpbeatBot' }, new URL(home))
    const kinds: string[] = []
    for (const address of addresses)
      kinds.push((await ask({ address, method: 'GET', maxBytes: 1_000 }, openTurn, never)).asked.kind)
    return kinds
  }
  const [fine, refused] = ['answered', 'private_address']

  it('stays at the host that the member named, where that is in a private network', async (t) => {
    const asked: string[] = []
    const note = (place: string) => (request: IncomingMessage, response: ServerResponse) => {
      asked.push(place)
      const elsewhere = request.url === '/away'
      response.writeHead(elsewhere ? 302 : 200, elsewhere ? { location: other } : {}).end()
    }
    const other = await serve(t, note('other'))
    const own = await serve(t, note('own'))
    const { port } = new URL(own)
    const { address } = await startDnsServer(t, {
      'wiki.example': ['127.0.0.1'],
      'www.wiki.example': ['127.0.0.1'],
    })
    const network = testNetwork({ nameServers: [address] })
    assert.deepEqual(await crawl(network, own, own, `${own}/a`, other, `${own}/away`, `${own}/b`), [
      fine,
      fine,
      refused,
      refused,
      fine,
    ])
    const wiki = `http://wiki.example:${port}/`
    const inside = [wiki, `http://www.wiki.example:${port}/`, own, wiki]
    assert.deepEqual(await crawl(network, wiki, ...inside), [fine, fine, refused, fine])
    assert.deepEqual(asked, Array(7).fill('own'))
    const strict = testNetwork({ nameServers: [address], privateTargets: 'deny' })
    assert.deepEqual(await crawl(strict, wiki, wiki), [refused])
  })

  it('never follows a public site into a private network, not even by the name of its own host', async (t) => {
    const asked: string[] = []
    const own = await serve(t, ({ url }, response) => {
      asked.push(`${url}`)
      response.end()
    })
    const { port } = new URL(own)
    const replies: Record<string, string[]> = { 'site.example': [atPublicAddress('127.0.0.1')] }
    const { address } = await startDnsServer(t, replies)
    const home = `http://site.example:${port}/`
    const ask = openAsking(
      { network: testNetwork({ nameServers: [address] }), userAgent: 'UpbeatBot' },
      new URL(home),
    )
    const look = async (path: string) =>
      (
        await ask(
          { address: `${home}${path}`, method: 'GET', maxBytes: 0 },
          async () => async () => {},
          never,
        )
      ).asked.kind
    assert.equal(await look('public'), fine)
    replies['site.example'] = ['127.0.0.1']
    assert.equal(await look('rebound'), refused)
    replies['site.example'] = ['127.0.0.1', atPublicAddress('127.0.0.1')]
    assert.equal(await look('both'), fine, 'by its public address')
    assert.deepEqual(asked, ['/public', '/both'])
    assert.deepEqual(
      await crawl(testNetwork({ nameServers: [address] }), home, `http://127.0.0.1:${port}/`),
      [refused],
    )
  })

  it('reads no more of a body than it is asked to, packed or endless', async (t) => {
    const origin = await serve(t, ({ url }, response) => {
      if (url === '/bomb') {
        const bomb = gzipSync(Buffer.alloc(64 * MAX_PAGE_BYTES))
        return response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb)
      }
      const more = () => {
        while (!response.destroyed && response.write('more'.repeat(10_000)));
      }
      response.on('drain', more)
      return more()
    })
    const bomb = await ask(`${origin}/bomb`)
    assert.deepEqual([bomb.body.length, bomb.cut], [MAX_PAGE_BYTES, 'large'])
    const endless = await ask(`${origin}/endless`, { maxBytes: 5_000 })
    assert.deepEqual([endless.body.length, endless.cut], [5_000, 'large'])
    assert.equal((await ask(`${origin}/endless`, { isWanted: () => false })).body.length, 0)
  })

  it('says that a body ends before its end, or cannot be unpacked', async (t) => {
    const text = 'words '.repeat(10_000)
    const packed = gzipSync(text)
    const origin = await serve(t, ({ url }, response) => {
      const encoding = { 'Content-Encoding': 'gzip' }
      if (url === '/whole') response.writeHead(200, encoding).end(packed)
      else if (url === '/exact') response.end('x'.repeat(5_000))
      else if (url === '/half') response.writeHead(200, encoding).end(packed.subarray(0, packed.length / 2))
      else if (url === '/none') response.writeHead(200, encoding).end('no gzip')
      else if (url === '/unknown') response.writeHead(200, { 'Content-Encoding': 'x-own' }).end('packed')
      else {
        response.writeHead(200, { 'Content-Length': '100' })
        response.write('short', () => response.destroy())
      }
    })
    const cut = async (path: string) => (await ask(`${origin}${path}`, { maxBytes: 100_000 })).cut
    assert.equal(await cut('/whole'), null)
    assert.equal((await ask(`${origin}/exact`, { maxBytes: 5_000 })).cut, null)
    // Browsers take what they do not know as it is.
    assert.equal(await cut('/unknown'), null)
    for (const path of ['/half', '/none', '/short']) assert.equal(await cut(path), 'broken_off', path)
  })

  it('notes whether redirects that lead nowhere set cookies', async (t) => {
    const origin = await serve(t, ({ url }, response) => {
      const cookie = url?.startsWith('/cookie') ? { 'Set-Cookie': 'a=1' } : {}
      const next = url?.endsWith('more') ? `${url}more` : url
      response.writeHead(302, { Location: next, ...cookie }).end()
    })
    for (const [path, kind, setsCookies] of [
      ['/cookie', 'loop', true],
      ['/plain', 'loop', false],
      ['/cookie-more', 'too_many_redirects', true],
      ['/plain-more', 'too_many_redirects', false],
    ] as const) {
      const { asked } = await ask(`${origin}${path}`)
      assert.ok(asked.kind === 'loop' || asked.kind === 'too_many_redirects')
      assert.deepEqual([asked.kind, asked.setsCookies], [kind, setsCookies])
    }
  })

  it('says how long a host wants to be left alone', async (t) => {
    const origin = await serve(t, (_, response) => response.writeHead(429, { 'Retry-After': '7' }).end())
    const { turns } = await ask(origin)
    assert.equal(turns[0]?.[1].retryAfterMs, 7_000)
    assert.ok((turns[0]?.[1].answeredAgoMs ?? -1) >= 0)
  })
})
