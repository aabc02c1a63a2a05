import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createNetwork } from '../../../src/net/network.ts'
import { lookAtDomain } from '../../../src/probes/sites/domain.ts'
import { atPublicAddress, reachPublicHere } from '../../support/net/public-here.ts'
import type { Reply } from '../../support/servers/dns-server.ts'
import { testNetwork } from '../../support/servers/targets-settings.ts'
import {
  DATED as ANSWER,
  type Rdap,
  startRegistries as startWorld,
  WHOIS,
} from '../../support/sites/registries.ts'

reachPublicHere()

const NEVER = new AbortController().signal
type World = Awaited<ReturnType<typeof startWorld>>
const look = ({ options, services }: World, host = 'www.shop.com') =>
  lookAtDomain(testNetwork(options), services, host, NEVER)
const day = async (found: ReturnType<typeof look>) => {
  const { registration } = await found
  return registration.kind === 'dated' ? registration.expiresAt.toISOString().slice(0, 10) : registration.kind
}

describe('a look at the registration of a domain', () => {
  test('asks the registry over RDAP, and nobody else if it says a date', async (t) => {
    const world = await startWorld(t, { '/domain/shop.com': { status: 200, body: ANSWER } })
    assert.deepEqual(await look(world), {
      domain: 'shop.com',
      registration: {
        kind: 'dated',
        expiresAt: new Date('2027-03-01T00:00:00Z'),
        statuses: ['client transfer prohibited'],
      },
    })
    assert.deepEqual(world.server.questions, [])
  })

  test('follows a registry that passes the question on, a few times and over HTTP alone', async (t) => {
    const moved = (location: string) => ({ status: 302, location })
    const world = await startWorld(t, {
      '/domain/shop.com': moved('/elsewhere'),
      '/elsewhere': { status: 200, body: ANSWER },
    })
    assert.equal(await day(look(world)), '2027-03-01')
    const answers: Record<string, Rdap> = { '/elsewhere': { status: 200, body: ANSWER } }
    const named = await startWorld(t, answers)
    const elsewhere = named.registry.url.replace('//', '//name:word@')
    answers['/domain/shop.com'] = moved(atPublicAddress(`${elsewhere}/elsewhere`))
    assert.equal(await day(look(named)), '2027-03-01')
    assert.ok(named.registry.requests.every(({ headers }) => headers.authorization === undefined))
    const loop = await startWorld(t, { '/domain/shop.com': moved('/domain/shop.com') }, {})
    assert.equal(await day(look(loop)), 'unknown')
    assert.equal(loop.registry.requests.length, 5)
    const file = await startWorld(t, { '/domain/shop.com': moved('file:///etc/passwd') }, {})
    assert.equal(await day(look(file)), 'unknown')
  })

  test('asks over WHOIS where RDAP says no date, and takes a domain for free only if no source knows it', async (t) => {
    const undated = { status: 200, body: { ldhName: 'shop.com' } }
    const cases: [string, Rdap, Record<string, string>, expected: string][] = [
      ['RDAP has no date', undated, WHOIS, '2027-05-01'],
      ['RDAP fails', { status: 503 }, WHOIS, '2027-05-01'],
      ['RDAP says too much', { status: 200, body: `"${'x'.repeat(300_000)}"` }, WHOIS, '2027-05-01'],
      ['only WHOIS knows it', { status: 404 }, WHOIS, '2027-05-01'],
      [
        'no source knows it',
        { status: 404 },
        { ...WHOIS, 'shop.com': 'No match for "SHOP.COM".' },
        'unregistered',
      ],
      ['WHOIS is silent', { status: 404 }, {}, 'unregistered'],
      ['neither has a date', undated, { ...WHOIS, 'shop.com': 'Domain: shop.com\n' }, 'undated'],
      ['neither can be asked', { status: 429 }, {}, 'unknown'],
    ]
    for (const [what, rdap, whois, expected] of cases)
      assert.equal(await day(look(await startWorld(t, { '/domain/shop.com': rdap }, whois))), expected, what)
  })

  test('never takes a domain for free whose name servers answer, nor one of which nothing is heard', async (t) => {
    const free = { ...WHOIS, 'shop.com': 'No match for "SHOP.COM".' }
    const cases: [string, Record<string, string>, Reply, expected: string][] = [
      ['its name servers answer', free, { ns: ['ns1.shop.com'] }, 'its name servers answer'],
      ['WHOIS is silent, its name servers answer', {}, { ns: ['ns1.shop.com'] }, 'its name servers answer'],
      ['our name servers are silent', free, 'silence', 'our name servers do not answer about it'],
      ['its name servers fail', free, 'SERVFAIL', 'unregistered'],
      ['it has no name servers', free, [], 'unregistered'],
      ['its name is none', free, 'NXDOMAIN', 'unregistered'],
    ]
    for (const [what, whois, names, expected] of cases) {
      const world = await startWorld(t, { '/domain/shop.com': { status: 404 } }, whois, names)
      const { registration } = await look(world)
      const said = registration.kind === 'unknown' ? registration.reason : registration.kind
      assert.equal(
        said,
        expected === 'unregistered' ? expected : `the registry does not know shop.com, but ${expected}`,
        what,
      )
    }
  })

  test('asks nobody about a name that has no registration', async (t) => {
    const world = await startWorld(t, {})
    for (const host of ['192.0.2.1', 'printer.local', 'localhost', 'co.uk'])
      assert.equal(await day(look(world, host)), 'none', host)
    assert.deepEqual([world.registry.requests, world.server.questions], [[], []])
  })

  test('connects to no registry in a private network, whatever members may name', async (t) => {
    const rdap = { '/domain/shop.com': { status: 200, body: ANSWER } }
    const world = await startWorld(t, rdap, WHOIS, 'NXDOMAIN', (text) => text)
    for (const privateTargets of ['deny', 'allow'] as const) {
      const network = createNetwork({ privateTargets, ...world.options })
      const { registration } = await lookAtDomain(network, world.services, 'shop.com', NEVER)
      assert.equal(registration.kind, 'unknown')
      assert.match(registration.kind === 'unknown' ? registration.reason : '', /not allowed/)
    }
    assert.deepEqual([world.registry.requests, world.server.questions], [[], []])
  })
})
