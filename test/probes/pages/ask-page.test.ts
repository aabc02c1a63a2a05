import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type AddressRequest, MAX_PAGE_BYTES, type SeenOfHost } from '../../../src/core/sites/crawl/asking.ts'
import { askPage } from '../../../src/probes/pages/ask-page.ts'
import { startHttp } from '../../support/servers/targets.ts'
import { testNetwork } from '../../support/servers/targets-settings.ts'

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
    const settings = { network: testNetwork({ privateTargets }), turn, userAgent: 'UpbeatBot' }
    const request = { address, method: 'GET', maxBytes: MAX_PAGE_BYTES, ...changes } as const
    return { ...(await askPage(settings, request, never)), turns }
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
    assert.equal((await ask(`${origin}/bomb`)).body.length, MAX_PAGE_BYTES)
    assert.equal((await ask(`${origin}/endless`, { maxBytes: 5_000 })).body.length, 5_000)
    assert.equal((await ask(`${origin}/endless`, { isWanted: () => false })).body.length, 0)
  })

  it('says how long a host wants to be left alone', async (t) => {
    const origin = await serve(t, (_, response) => response.writeHead(429, { 'Retry-After': '7' }).end())
    const { turns } = await ask(origin)
    assert.equal(turns[0]?.[1].retryAfterMs, 7_000)
    assert.ok((turns[0]?.[1].answeredAgoMs ?? -1) >= 0)
  })
})
