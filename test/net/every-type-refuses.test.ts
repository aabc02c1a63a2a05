import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import net from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import type { Assertion } from '../../src/core/expectations/assertion.ts'
import type { ProbedType } from '../../src/core/monitors/monitor-types.ts'
import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import type { RequestSteps } from '../../src/core/monitors/options/protocols/steps.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import { keysOf } from '../../src/core/shape.ts'
import type { Network } from '../../src/net/network.ts'
import { openEchoSockets } from '../../src/probes/icmp/echo.ts'
import { createIcmpProbe, resolveForEcho } from '../../src/probes/icmp.ts'
import { createProbes, probeBy } from '../../src/probes/run.ts'
import { sample } from '../support/at-length.ts'
import { REFUSED } from '../support/net/address-matrix.ts'
import { literalHostOf, namesOf, REACHED, watchDials } from '../support/net/dialed.ts'
import { fakeSocket } from '../support/probing/fake-echo.ts'
import { startDnsServer } from '../support/servers/dns-server.ts'
import { CALM_LOOP, settingsFor, testNetwork } from '../support/servers/targets-settings.ts'

/** Settings with which a check dials a host (an address as URLs write it, or a name), one for each way that leads there. */
type Ways = Record<string, (host: string) => Partial<ProbeSettings>>

const PUBLIC = `http://${REACHED}:1/`
const ofWeb = (scheme: string, target: string): Ways => ({
  url: (host) => ({ url: `${scheme}://${host}:9/` }),
  'url over TLS': (host) => ({ url: `${scheme}s://${host}/` }),
  proxy: (host) => ({ url: target, options: { proxy: `socks5://${host}:1080` } }),
  'a proxy over TLS': (host) => ({ url: target, options: { proxy: `https://${host}` } }),
  'token URL': (host) => {
    const token_url = `https://${host}/token`
    return {
      url: target,
      options: { auth: { type: 'oauth2', token_url, client_id: 'a', client_secret: 'b' } },
    }
  },
})
/** Addresses alone: a name is refused where it is set. */
const ofResolver = (url: string, options: MonitorOptions = {}): Ways => ({
  resolver: (host) => ({ url, options: { ...options, resolver: `${host}:53` } }),
})

const ofLines = (scheme: string): Ways => ({
  url: (host) => ({ url: `${scheme}://${host}` }),
  proxy: (host) => ({ url: `${scheme}://${REACHED}`, options: { proxy: `socks5://${host}:1080` } }),
  ...ofResolver(`${scheme}://shop.example`),
})

const ofPackets = (scheme: string, options: MonitorOptions = {}): Ways => ({
  url: (host) => ({ url: `${scheme}://${host}`, options }),
  resolver: (host) => ({ url: `${scheme}://shop.example`, options: { ...options, resolver: `${host}:53` } }),
})

const ofDocker = (way: string, options: (host: string) => MonitorOptions): Ways => ({
  [way]: (host) => ({ url: 'docker://web', options: options(host) }),
})

const ANY = [{ source: 'answer', comparison: 'exists', severity: 'down' }] as const satisfies Assertion[]

const TWO_STEPS: RequestSteps = [
  { name: 'one', method: 'GET', url: '/' },
  { name: 'two', method: 'GET', url: '/' },
]

/** All that a type dials must stand here. The compiler asks for a new type; `test/net/dialling-places.test.ts` for a new place. */
const DIALLED = {
  http: { ...ofWeb('http', PUBLIC), ...ofResolver('http://shop.example/') },
  keyword: { ...ofWeb('http', PUBLIC), ...ofResolver('http://shop.example/') },
  steps: {
    ...ofResolver('http://shop.example/', { steps: TWO_STEPS }),
    url: (host) => ({ url: `http://${host}/`, options: { steps: TWO_STEPS } }),
    'url of the first step': (host) => ({
      ...{ url: 'http://shop.example/' },
      options: { steps: [{ name: 'one', method: 'GET', url: `http://${host}/` }, ...TWO_STEPS.slice(1)] },
    }),
    proxy: (host) => ({ url: PUBLIC, options: { steps: TWO_STEPS, proxy: `socks5://${host}:1080` } }),
  },
  // Places that a page names: test/probes/browser/page-proxy.test.ts.
  browser: {
    url: (host) => ({ url: `http://${host}:9/` }),
    'url over TLS': (host) => ({ url: `https://${host}/` }),
  },
  ssl: { url: (host) => ({ url: `https://${host}/` }) },
  tcp: { url: (host) => ({ url: `tcp://${host}`, port: 9 }) },
  icmp: { url: (host) => ({ url: `icmp://${host}` }) },
  dns: {
    ...ofResolver('dns://shop.example'),
    'resolver over TCP': (host) => ({
      ...{ url: 'dns://shop.example', options: { transport: 'tcp', resolver: `${host}:53` } },
    }),
    'resolver over TLS': (host) => ({
      ...{ url: 'dns://shop.example', options: { transport: 'tls', resolver: host } },
    }),
    'resolver over HTTPS': (host) => ({
      url: 'dns://shop.example',
      options: { transport: 'https', resolver: `https://${host}/dns-query` },
    }),
  },
  // Registries are dialled by the mechanism of sites: test/probes/sites/refused-addresses.test.ts.
  domain: {},
  smtp: ofLines('smtp'),
  imap: ofLines('imap'),
  pop3: ofLines('pop3'),
  ssh: ofLines('ssh'),
  ftp: ofLines('ftp'),
  mqtt: ofLines('mqtt'),
  amqp: ofLines('amqp'),
  nats: ofLines('nats'),
  // Other brokers, which one names: test/probes/protocols/kafka.test.ts.
  kafka: ofLines('kafka'),
  udp: {
    url: (host) => ({ url: `udp://${host}`, port: 9, options: { send: 'x', assertions: ANY } }),
    resolver: (host) => ({
      ...{ url: 'udp://shop.example', port: 9 },
      options: { send: 'x', assertions: ANY, resolver: `${host}:53` },
    }),
  },
  ntp: ofPackets('ntp'),
  snmp: ofPackets('snmp', { oid: '1.3' }),
  radius: ofPackets('radius', { shared_secret: 'x' }),
  sip: {
    ...ofPackets('sip'),
    'url over TCP': (host) => ({ url: `sip://${host}`, options: { transport: 'tcp' } }),
    'url over TLS': (host) => ({ url: `sips://${host}` }),
  },
  game: {
    ...ofPackets('game', { game: 'css' }),
    'url of Minecraft': (host) => ({ url: `game://${host}`, options: { game: 'minecraft' } }),
  },
  grpc: { ...ofLines('grpc'), 'url over TLS': (host) => ({ url: `grpcs://${host}` }) },
  ldap: { ...ofLines('ldap'), 'url over TLS': (host) => ({ url: `ldaps://${host}` }) },
  docker: {
    ...ofDocker('docker host', (host) => ({ docker_host: `http://${host}:2375` })),
    ...ofDocker('docker host over TLS', (host) => ({ docker_host: `https://${host}` })),
    ...ofDocker('proxy', (host) => ({
      ...{ docker_host: `http://${REACHED}:2375`, proxy: `socks5://${host}:1080` },
    })),
    ...ofDocker('resolver', (host) => ({ docker_host: 'http://shop.example', resolver: `${host}:53` })),
  },
  websocket: { ...ofWeb('ws', `ws://${REACHED}:1/`), ...ofResolver('ws://shop.example/') },
  postgresql: ofLines('postgresql'),
  mysql: ofLines('mysql'),
  redis: ofLines('redis'),
  sqlserver: ofLines('sqlserver'),
  // Other members, and those of SRV records: `test/probes/protocols/mongodb.test.ts`.
  mongodb: {
    ...ofLines('mongodb'),
    'url of several': (host) => ({ url: `mongodb://${host},${host}:9` }),
    'resolver of services': (host) => ({
      url: 'mongodb+srv://shop.example',
      options: { resolver: `${host}:53` },
    }),
  },
} satisfies Record<ProbedType, Ways>

/** A name of a name server is no setting, but over HTTPS. */
const takesNames = (way: string) => !way.startsWith('resolver') || way.endsWith('HTTPS')

/** Every address that a packet is sent to, or a connection begins to, but for sockets that are open already. */
function watchAll(t: TestContext): Set<string> {
  const dialled = watchDials(t)
  const create = dgram.createSocket
  t.mock.method(dgram, 'createSocket', (type: dgram.SocketType) => {
    const note = (_: unknown, __: unknown, address?: unknown) => dialled.add(String(address))
    return Object.assign(create(type), {
      connect: (port: number, address: string) => note(null, port, address),
      send: note,
    })
  })
  return dialled
}

const SAMPLE = 8
const STRIDE = 11

/** In an order in which the first ones are of all parts of the list. */
function spread(hosts: readonly string[]): string[] {
  return Array.from({ length: STRIDE }, (_, start) =>
    hosts.filter((_, index) => index % STRIDE === start),
  ).flat()
}

async function checkEach(t: TestContext, type: ProbedType, privateTargets: 'allow' | 'deny') {
  const names = namesOf(REFUSED[privateTargets])
  const answers = Object.fromEntries(names.map(({ name, address }) => [name, [address]]))
  const dns = await startDnsServer(t, answers)
  const network: Network = testNetwork({ privateTargets, nameServers: [dns.address] })
  const sockets = openEchoSockets(fakeSocket(() => assert.fail('an echo that must not be')))
  t.after(() => sockets.close())
  const now = () => new Date()
  const icmp = createIcmpProbe({ resolve: resolveForEcho(network), sockets, now, loop: CALM_LOOP })
  const probes = createProbes({ network, now, icmp, onBug: (bug) => assert.fail(String(bug)) })
  const dialled = watchAll(t)
  const literals = REFUSED[privateTargets].flatMap((address) => literalHostOf(address) ?? [])
  // One address of each kind is enough to see that a way is judged; the policy itself has a test of all.
  const some = (hosts: string[]) => sample(spread(hosts), SAMPLE)
  for (const [way, lead] of Object.entries(DIALLED[type] as Ways)) {
    const named = takesNames(way) ? names.map(({ name }) => name) : []
    const hosts = [...some(literals), ...some(named)]
    for (const host of hosts) {
      const { status, errorMessage } = await probeBy(
        probes,
        settingsFor(type, lead(host)),
        new AbortController().signal,
      )
      assert.equal(status, 'down', `${way} ${host}: ${errorMessage}`)
      assert.match(errorMessage ?? '', /address \S+ (is not allowed|never answers)/, `${way} ${host}`)
      assert.deepEqual([...dialled], [], `${way} ${host}`)
    }
  }
}

for (const type of keysOf(DIALLED)) {
  if (Object.keys(DIALLED[type]).length === 0) continue
  describe(`a check of the type ${type}`, () => {
    for (const privateTargets of ['allow', 'deny'] as const)
      test(`dials no address that is refused where private ones are: ${privateTargets}`, (t) =>
        checkEach(t, type, privateTargets))
  })
}

test('the watch sees a connection and a packet', async (t) => {
  const dialled = watchAll(t)
  net.connect({ host: '192.0.2.1', port: 9 }).on('error', () => {})
  const socket = dgram.createSocket('udp4')
  socket.connect(9, '192.0.2.2')
  socket.send('x', 9, '192.0.2.3')
  socket.close()
  assert.deepEqual([...dialled], ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
})
