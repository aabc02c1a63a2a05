import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import type { LookedArea } from '../../../src/core/sites/area.ts'
import { judgeHomePage } from '../../../src/core/sites/home-page.ts'
import { createLook } from '../../../src/engine/sites/looks.ts'
import type { Network } from '../../../src/net/network.ts'
import { createProbes, probeBy } from '../../../src/probes/run.ts'
import { createChainProbe } from '../../../src/probes/sites/certificate.ts'
import { createAuthority, selfSigned } from '../../support/servers/certificates.ts'
import { closedPort, startHttp, startHttps } from '../../support/servers/targets.ts'
import { testNetwork } from '../../support/servers/targets-settings.ts'

const NEVER = new AbortController().signal

/** Looks as the role `probe` wires them, without the guard of our own network. */
function lookOver(network: Network, area: LookedArea, url: string) {
  const probes = createProbes({
    network,
    now: () => new Date(),
    icmp: () => Promise.reject(new Error('no echoes here')),
    instead: { ssl: createChainProbe(network) },
    onBug: (error) => {
      throw error
    },
  })
  const look = createLook({
    probe: (settings, signal) => probeBy(probes, settings, signal),
    lookAtDns: async () => ({ kind: 'unknown', reason: 'not here' }),
    lookAtDomain: async () => ({ domain: null, registration: { kind: 'none', reason: 'not here' } }),
    services: async () => ({ publication: '2026-01-01T00:00:00Z', services: [] }),
  })
  const due = { siteId: 1, teamId: 1, revision: 0, homeIntervalSeconds: 60, area, url }
  return look(due, NEVER)
}

describe('a look at a home page', () => {
  const statuses = async (port: number) => {
    const found = await lookOver(testNetwork(), 'home_page', `http://127.0.0.1:${port}/`)
    return found.area === 'home_page' ? found.looks.map(({ status }) => status) : []
  }

  test('is made once if it answers, and again at once if not', async (t) => {
    let asked = 0
    const codes = [503, 200, 204, 500, 500, 500]
    const target = await startHttp(t, (_, response) => {
      response.statusCode = codes[asked++] ?? 500
      response.end()
    })
    assert.deepEqual(await statuses(target.port), ['down', 'up'])
    assert.deepEqual(await statuses(target.port), ['up'])
    assert.deepEqual(await statuses(target.port), ['down', 'down', 'down'])
    assert.deepEqual(await statuses(await closedPort(t)), ['down', 'down', 'down'])
  })
})

test('a home page says in a short sentence why it fails, whatever fails', async (t) => {
  const cause = async (answer: (response: ServerResponse) => void) => {
    const target = await startHttp(t, (_, response) => answer(response))
    const found = await lookOver(testNetwork(), 'home_page', `http://127.0.0.1:${target.port}/`)
    const looks = found.area === 'home_page' ? found.looks : []
    return judgeHomePage(looks, {}).cause
  }
  const withStatus = (code: number, headers: Record<string, string> = {}) =>
    cause((response) => response.writeHead(code, headers).end())
  assert.equal(await withStatus(500), 'HTTP 500 (expected 2xx)')
  assert.equal(await withStatus(404), 'HTTP 404 (expected 2xx)')
  assert.equal(await withStatus(304), 'HTTP 304 (expected 2xx)')
  assert.equal(await withStatus(301), 'HTTP 301 (expected 2xx)')
  assert.equal(await withStatus(302, { location: '/' }), 'more than 5 redirects')
  assert.equal(
    await withStatus(302, { location: 'ftp://example.com/' }),
    'redirect to an address that cannot be followed: ftp://example.com/',
  )
  assert.match((await cause((response) => response.destroy())) ?? '', /^connection (closed|reset).{0,60}$/)
})

describe('a look at a certificate', () => {
  const authority = createAuthority('Shop Authority')
  const network = testNetwork({ extraAuthorities: [authority.pem] })
  const look = async (url: string) => {
    const found = await lookOver(network, 'certificate', url)
    assert.ok(found.area === 'certificate')
    return found.look
  }

  test('keeps the chain, the leaf first', async (t) => {
    const target = await startHttps(t, authority.issue({ commonName: 'shop', validForDays: 60 }))
    const found = await look(`https://127.0.0.1:${target.port}/`)
    assert.ok(found.kind === 'valid')
    const [leaf, above] = found.chain
    assert.deepEqual(
      [leaf?.subject, leaf?.issuer, leaf?.names],
      ['shop', 'Shop Authority', ['localhost', '127.0.0.1']],
    )
    assert.match(leaf?.fingerprint ?? '', /^[\da-f]{64}$/)
    assert.equal(above?.subject ?? 'Shop Authority', 'Shop Authority')
  })

  test('that browsers refuse says why; without a handshake nothing is known', async (t) => {
    const stranger = await startHttps(t, selfSigned({}))
    const refused = await look(`https://127.0.0.1:${stranger.port}/`)
    assert.ok(refused.kind === 'refused')
    assert.match(refused.reason, /self-signed/)
    assert.equal((await look(`https://127.0.0.1:${await closedPort(t)}/`)).kind, 'unknown')
    assert.equal((await look('http://127.0.0.1/')).kind, 'none')
  })
})
