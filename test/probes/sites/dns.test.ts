import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { createNetwork } from '../../../src/net/network.ts'
import { lookAtDns } from '../../../src/probes/sites/dns.ts'
import { atPublicAddress, reachPublicHere } from '../../support/net/public-here.ts'
import { type DnsServer, type Reply, startDnsServer, type Zone } from '../../support/servers/dns-server.ts'
import { testNetwork } from '../../support/servers/targets-settings.ts'

reachPublicHere()

const NEVER = new AbortController().signal
const APEX: Zone = {
  ns: ['ns1.shop.com', 'ns2.shop.com'],
  mx: ['mail.shop.com'],
  caa: ['authority.org'],
  texts: ['v=spf1 -all', 'something else'],
  addresses: ['198.51.100.1'],
}
const DMARC = { texts: ['v=DMARC1; p=reject'] }
const ZONE: Record<string, Reply> = {
  'shop.com': APEX,
  '_dmarc.shop.com': DMARC,
  'www.shop.com': { addresses: ['198.51.100.2', '2001:db8::2'] },
}
const OF_SERVERS = {
  'ns1.shop.com': [atPublicAddress('127.0.0.1')],
  'ns2.shop.com': [atPublicAddress('127.0.0.2')],
}

const IN_PRIVATE_NETWORK = { 'ns1.shop.com': ['127.0.0.1'], 'ns2.shop.com': ['127.0.0.2'] }

type World = {
  one: DnsServer
  two: DnsServer
  resolver: DnsServer
  options: Parameters<typeof testNetwork>[0]
}

/** Two authoritative servers on one port, and a resolver that knows all names. */
async function startWorld(
  t: TestContext,
  first: Record<string, Reply>,
  second: Record<string, Reply> = first,
  resolved: Record<string, Reply> = { ...first, ...OF_SERVERS },
): Promise<World> {
  const one = await startDnsServer(t, first)
  const port = Number(one.address.split(':')[1])
  const two = await startDnsServer(t, second, { address: '127.0.0.2', port })
  const resolver = await startDnsServer(t, resolved)
  return { one, two, resolver, options: { nameServers: [resolver.address], ports: { dns: port, whois: 1 } } }
}
const look = ({ options }: World, host: string) => lookAtDns(testNetwork(options), host, NEVER)

describe('a look at the DNS of a host', () => {
  test('reads every set at the servers of its zone, in one form', async (t) => {
    const world = await startWorld(t, ZONE)
    assert.deepEqual(await look(world, 'www.shop.com'), {
      kind: 'answered',
      sets: {
        ns: ['ns1.shop.com', 'ns2.shop.com'],
        mx: ['10 mail.shop.com'],
        caa: ['0 issue "authority.org"'],
        spf: ['v=spf1 -all'],
        dmarc: ['v=DMARC1; p=reject'],
        a: ['198.51.100.2'],
        aaaa: ['2001:db8::2'],
      },
      disagreeing: [],
      silent: [],
      alias: null,
    })
    assert.ok(world.one.questions.includes('shop.com MX') && world.two.questions.includes('shop.com MX'))
    assert.ok(!world.resolver.questions.includes('shop.com MX'))
  })

  test('says which server answers otherwise than the others, and which does not answer', async (t) => {
    const older = await startWorld(t, ZONE, { ...ZONE, 'shop.com': { ...APEX, mx: ['old.shop.com'] } })
    const found = await look(older, 'shop.com')
    assert.ok(found.kind === 'answered')
    assert.deepEqual(
      [found.disagreeing, found.silent, found.sets.mx],
      [['ns2.shop.com'], [], ['10 mail.shop.com']],
    )
    const refusing = Object.fromEntries(Object.keys(ZONE).map((name) => [name, 'REFUSED' as const]))
    const lame = await look(await startWorld(t, ZONE, refusing), 'shop.com')
    assert.ok(lame.kind === 'answered')
    assert.deepEqual([lame.disagreeing, lame.silent], [[], ['ns2.shop.com']])
  })

  test('follows an alias: its zone says where it leads, and the resolver with which addresses', async (t) => {
    const zone = { ...ZONE, 'www.shop.com': { cname: 'shop.cdn.net' } }
    const world = await startWorld(t, zone, zone, {
      ...zone,
      ...OF_SERVERS,
      'www.shop.com': { cname: 'shop.cdn.net' },
    })
    const found = await look(world, 'www.shop.com')
    assert.ok(found.kind === 'answered')
    assert.deepEqual([found.alias, found.sets.ns], ['shop.cdn.net', APEX.ns])
    assert.ok(world.resolver.questions.includes('www.shop.com A'))
  })

  test('tells a name that does not exist from servers that do not say', async (t) => {
    assert.deepEqual(await look(await startWorld(t, ZONE), 'gone.shop.com'), { kind: 'no_such_name' })
    assert.deepEqual(await look(await startWorld(t, ZONE), 'www.unknown.com'), { kind: 'no_such_name' })
    const broken = await startWorld(t, ZONE, ZONE, { 'shop.com': 'SERVFAIL' })
    assert.equal((await look(broken, 'shop.com')).kind, 'unknown')
    for (const host of ['192.0.2.1', 'router.local', 'localhost'])
      assert.equal((await look(broken, host)).kind, 'none', host)
  })

  test('asks no server of a private network, whatever members may name: what the resolver knows holds then', async (t) => {
    const world = await startWorld(t, ZONE, ZONE, { ...ZONE, ...IN_PRIVATE_NETWORK })
    for (const privateTargets of ['deny', 'allow'] as const) {
      const network = createNetwork({ privateTargets, hostsFile: '/nowhere', ...world.options })
      const found = await lookAtDns(network, 'shop.com', NEVER)
      assert.ok(found.kind === 'answered')
      assert.deepEqual([found.sets.mx, found.silent], [['10 mail.shop.com'], []])
    }
    assert.deepEqual([world.one.questions, world.two.questions], [[], []])
  })
})
