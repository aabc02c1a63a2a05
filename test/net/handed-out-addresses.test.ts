import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { PROBED_TYPES, type ProbedType } from '../../src/core/monitors/monitor-types.ts'
import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import type { RequestSteps } from '../../src/core/monitors/options/protocols/steps.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import { keysOf } from '../../src/core/shape.ts'
import * as ber from '../../src/probes/packets/ber.ts'
import { sample } from '../support/at-length.ts'
import { speakAmqp } from '../support/brokers/amqp.ts'
import { type BrokerServerOptions, startBroker } from '../support/brokers/broker-server.ts'
import { speakKafka } from '../support/brokers/kafka.ts'
import { speakMqtt } from '../support/brokers/mqtt.ts'
import { speakNats } from '../support/brokers/nats.ts'
import { packet, speakMysql } from '../support/databases/mysql.ts'
import { speakRedis } from '../support/databases/redis.ts'
import { speakSqlserver } from '../support/databases/sqlserver.ts'
import { speakFtp } from '../support/line-servers/ftp.ts'
import { speakImap } from '../support/line-servers/imap.ts'
import {
  type Dialogue,
  type DialogueOptions,
  type LineServerOptions,
  startLineServer,
} from '../support/line-servers/line-server.ts'
import { speakPop3 } from '../support/line-servers/pop3.ts'
import { speakSmtp } from '../support/line-servers/smtp.ts'
import { REFUSED } from '../support/net/address-matrix.ts'
import { literalHostOf, REACHED, watchDials } from '../support/net/dialed.ts'
import { startDockerApi } from '../support/protocols/docker-api.ts'
import { startGrpcServer } from '../support/protocols/grpc-server.ts'
import { startLdapServer } from '../support/protocols/ldap-server.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { startDnsServer } from '../support/servers/dns-server.ts'
import { startHttp, startHttps } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'

/**
 * A server, at `REACHED`, that names `inside` where its protocol can name an address; the settings that lead to it, and the name
 * servers that are asked for what it names.
 */
type Server = {
  settings: Partial<ProbeSettings>
  nameServers?: string[]
  authority?: string
  dials?: string[]
}
type Start = (t: TestContext, inside: string) => Promise<Server>
/** `follows`: an address that may be dialled would be, so that the cause is the policy's. */
type Way = { follows?: true; start: Start }

const USER = { name: 'watcher', password: 'sesame-7' }
const SIGNED_IN = { username: USER.name, password: USER.password }
const authority = createAuthority('Handed out')
const certificate = authority.issue({ names: [REACHED, 'a.example.test'] })
const at = (scheme: string, port: number) => `${scheme}://${REACHED}:${port}`

const redirects =
  (status: number, type: 'web' | 'ws' = 'web'): Start =>
  async (t, inside) => {
    const location = `${type === 'ws' ? 'ws' : 'http'}://${inside}/`
    const { port } = await startHttp(t, (_, response) =>
      response.writeHead(status, { Location: location }).end(),
    )
    return { settings: { url: `${at(type === 'ws' ? 'ws' : 'http', port)}/` } }
  }

const tokensElsewhere: Way = {
  start: async (t, inside) => {
    const { port } = await startHttp(t, (_, response) =>
      response.writeHead(307, { Location: `http://${inside}/token` }).end(),
    )
    const token_url = `${at('http', port)}/token`
    const auth = { type: 'oauth2', token_url, client_id: 'a', client_secret: 'b' } as const
    return { settings: { url: `${at('http', port)}/`, options: { auth } } }
  },
}

const stepsTo = (second: string, body: (inside: string) => string, status = 200): Way => ({
  follows: true,
  start: async (t, inside) => {
    const { port } = await startHttp(t, (_, response) =>
      response.writeHead(status, { Location: `http://${inside}/` }).end(body(inside)),
    )
    const captures = { next: { source: 'json', property: '$.next' } } as const
    const steps: RequestSteps = [
      { name: 'one', method: 'GET', url: `${at('http', port)}/`, ...(status === 200 && { captures }) },
      { name: 'two', method: 'GET', url: second },
    ]
    return { settings: { url: `${at('http', port)}/`, options: { steps } } }
  },
})

/** A server of lines or messages that says this in place of an answer. */
const says = (
  type: ProbedType,
  speak: (options: DialogueOptions) => Dialogue,
  how: (inside: string) => LineServerOptions,
  options: MonitorOptions = {},
): Way => ({
  start: async (t, inside) => {
    const { port } = await startLineServer(t, speak, { user: USER, ...how(inside) })
    const settings = { url: at(type, port), ...SIGNED_IN, options: { security: 'none', ...options } }
    return { settings: settings as Partial<ProbeSettings> }
  },
})

const brokers = (
  type: 'mqtt' | 'amqp' | 'nats' | 'kafka',
  speak: (inside: string) => Parameters<typeof startBroker>[1],
  how: (inside: string) => BrokerServerOptions = () => ({}),
): Way => ({
  start: async (t, inside) => {
    const { port } = await startBroker(t, speak(inside), { others: ['hello'], ...how(inside) })
    const options: MonitorOptions = { security: 'none', topic: 'hall' }
    return { settings: { url: at(type, port), options } }
  },
})

const text16 = (text: string) => Buffer.concat([Buffer.of(0, text.length), Buffer.from(text)])
const text8 = (text: string) => Buffer.concat([Buffer.of(text.length), Buffer.from(text)])

/** `connection.redirect` of AMQP 0-8, which later versions do without. */
function amqpRedirect(inside: string): Buffer {
  const body = Buffer.concat([Buffer.from([0, 10, 0, 42]), text8(inside), text8(inside)])
  const head = Buffer.from([1, 0, 0, 0, 0, 0, body.length])
  return Buffer.concat([head, body, Buffer.of(0xce)])
}

/** "Server moved", with the reference to another one (MQTT 5.0, section 3.2.2.3.16). */
function mqttMoved(inside: string): Buffer {
  const reference = Buffer.concat([Buffer.of(0x1c), text16(`${inside}:1883`)])
  const body = Buffer.concat([Buffer.of(0, 0x9d, reference.length), reference])
  return Buffer.concat([Buffer.of(0x20, body.length), body])
}

/** An OK with `redirect_url` among the variables of the session, as MariaDB 11.3 says it. */
function mysqlRedirect(inside: string): Buffer {
  const variable = Buffer.concat([text8('redirect_url'), text8(`mysql://${inside}:3306`)])
  const state = Buffer.concat([Buffer.of(0, variable.length), variable])
  return packet(2, Buffer.concat([Buffer.of(0, 0, 0, 2, 0x40, 0, 0, 0, state.length), state]))
}

/** A referral (RFC 4511, section 4.1.10), in an answer to the first message. */
function ldapReferral(kind: number, inside: string): Buffer {
  const nothing = ber.encode(ber.TAGS.octets)
  const uris = ber.encode(0xa3, ber.encode(ber.TAGS.octets, `ldap://${inside}/`))
  const result = ber.encode(kind, ber.encodeInteger(10, ber.TAGS.enumerated), nothing, nothing, uris)
  return ber.encode(ber.TAGS.sequence, ber.encodeInteger(1), result)
}

const sipMoved = (status: string): Way => ({
  start: async (t, inside) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (asked: Buffer) => {
        const kept = asked
          .toString()
          .split('\r\n')
          .filter((line) => /^(via|from|to|call-id|cseq):/i.test(line))
        socket.end(
          [`SIP/2.0 ${status}`, ...kept, `Contact: <sip:${inside}:5060>`, 'Content-Length: 0', '', ''].join(
            '\r\n',
          ),
        )
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.after(() => server.close())
    const { port } = server.address() as net.AddressInfo
    return { settings: { url: at('sip', port), options: { transport: 'tcp' } } }
  },
})

/** All that the servers of a type can name. A text says why that is nothing. The compiler asks for a new type. */
const NAMED: Record<ProbedType, Record<string, Way> | string> = {
  browser: 'pages name places to the proxy of their browser alone: test/probes/browser/page-proxy.test.ts',
  http: {
    'a redirect': { follows: true, start: redirects(302) },
    'a redirect of the server that gives out tokens': tokensElsewhere,
  },
  keyword: { 'a redirect': { follows: true, start: redirects(308) } },
  steps: {
    'a redirect': stepsTo('/', () => '', 302),
    'a value that is captured': stepsTo('http://{{{next}}}/', (inside) => JSON.stringify({ next: inside })),
  },
  ssl: 'a handshake names addresses of lists and authorities, which nothing asks',
  tcp: 'bytes of no protocol',
  udp: 'bytes of no protocol',
  icmp: 'redirects are the kernel’s',
  dns: {
    'a redirect over HTTPS': {
      start: async (t, inside) => {
        const { port } = await startHttps(t, certificate, (_, response) =>
          response.writeHead(307, { Location: `https://${inside}/dns-query` }).end(),
        )
        const resolver = `${at('https', port)}/dns-query`
        const options: MonitorOptions = { transport: 'https', resolver }
        return { settings: { url: 'dns://shop.example', options }, authority: authority.pem }
      },
    },
  },
  domain: 'registries have a table of their own: test/probes/sites/refused-addresses.test.ts',
  websocket: { 'a redirect': { start: redirects(302, 'ws') } },
  smtp: {
    'another host': says('smtp', speakSmtp, (inside) => ({
      instead: { greeting: { says: `554 User not local; please try <a@[${inside}]>\r\n`, thenEnds: true } },
    })),
  },
  imap: {
    'a referral': says('imap', speakImap, (inside) => ({
      instead: { greeting: { says: `* BYE [REFERRAL imap://${inside}/] Elsewhere\r\n`, thenEnds: true } },
    })),
  },
  pop3: {
    'another host': says('pop3', speakPop3, (inside) => ({
      instead: { greeting: { says: `-ERR [SYS/PERM] moved to pop3://${inside}/\r\n`, thenEnds: true } },
    })),
  },
  ssh: 'its version, and nothing else, is read',
  ftp: {
    'a place for data': says('ftp', speakFtp, () => ({
      instead: { 'sign-in': { says: '227 Entering Passive Mode (10,0,0,5,0,80)\r\n', thenEnds: true } },
    })),
    'a place for data of IPv6': says('ftp', speakFtp, () => ({
      instead: {
        'sign-in': { says: '229 Entering Extended Passive Mode (|2|fd00::1|80|)\r\n', thenEnds: true },
      },
    })),
  },
  ldap: {
    'a referral': {
      start: async (t, inside) => {
        const { port } = await startLdapServer(t, {
          instead: { search: ldapReferral(0x65, inside), bind: ldapReferral(0x61, inside) },
        })
        return { settings: { url: at('ldap', port), options: { security: 'none' } } }
      },
    },
  },
  mqtt: {
    'another server': brokers(
      'mqtt',
      () => speakMqtt,
      (inside) => ({ instead: { 'sign-in': { says: mqttMoved(inside), thenEnds: true } } }),
    ),
  },
  amqp: {
    'another host': brokers(
      'amqp',
      () => speakAmqp,
      (inside) => ({
        instead: {
          greeting: { says: amqpRedirect(inside), thenEnds: true },
          'sign-in': { says: amqpRedirect(inside), thenEnds: true },
        },
      }),
    ),
  },
  nats: { 'the other servers of its cluster': brokers('nats', () => speakNats) },
  kafka: {
    'the broker that has the topic': {
      follows: true,
      ...brokers(
        'kafka',
        (inside) => (facts) =>
          speakKafka(facts, { members: [{ host: inside.replace(/^\[|\]$/g, ''), port: 80 }] }),
      ),
    },
  },
  ntp: 'numbers, and a server that it follows itself',
  snmp: 'a value, which is judged',
  radius: 'an answer of the server that was asked',
  game: 'facts about the game',
  sip: { 'another contact': sipMoved('302 Moved Temporarily'), 'a proxy': sipMoved('305 Use Proxy') },
  grpc: {
    'a redirect': {
      start: async (t, inside) => {
        const instead = (stream: import('node:http2').ServerHttp2Stream) => {
          stream.respond({ ':status': 307, location: `http://${inside}/` }, { endStream: true })
        }
        const { port } = await startGrpcServer(t, { instead })
        return { settings: { url: at('grpc', port) } }
      },
    },
  },
  docker: {
    'a redirect': {
      start: async (t, inside) => {
        const { port } = await startDockerApi(t, {
          instead: (_, response) => response.writeHead(307, { Location: `http://${inside}/` }).end(),
        })
        return { settings: { url: 'docker://web', options: { docker_host: at('http', port) } } }
      },
    },
  },
  postgresql: 'its messages name no other server',
  mysql: {
    'another server': says('mysql', speakMysql, (inside) => ({
      instead: { 'sign-in': { says: mysqlRedirect(inside), thenEnds: true } },
    })),
  },
  redis: {
    'the node that has the key': says(
      'redis',
      speakRedis,
      (inside) => ({ instead: { query: { says: `-MOVED 3999 ${inside}:6379\r\n`, thenEnds: true } } }),
      { query: 'GET jobs' },
    ),
  },
  sqlserver: {
    'another server': says('sqlserver', speakSqlserver, () => ({ signIns: ['sends to another one'] })),
  },
  mongodb: {
    'a member by an SRV record': {
      follows: true,
      start: async (t, inside) => {
        const { address } = await startDnsServer(t, {
          '_mongodb._tcp.shop.example.test': { srv: [{ port: 80, target: 'a.example.test' }] },
          'a.example.test': [inside.replace(/^\[|\]$/g, '')],
        })
        return { settings: { url: 'mongodb+srv://shop.example.test' }, nameServers: [address], dials: [] }
      },
    },
  },
}

const SAMPLE = 3
const POLICY = /address \S+ (is not allowed|never answers)|which is not allowed/

describe('an address that a server names', () => {
  it('is asked about for every type', () => assert.deepEqual(keysOf(NAMED).sort(), [...PROBED_TYPES].sort()))

  for (const [type, ways] of Object.entries(NAMED) as [ProbedType, (typeof NAMED)[ProbedType]][]) {
    if (typeof ways === 'string') continue
    for (const [what, { follows, start }] of Object.entries(ways))
      it(`of ${type}, ${what}: is not dialled where nothing may be`, async (t) => {
        const inside = REFUSED.allow.flatMap((address) => literalHostOf(address) ?? [])
        // Nothing but the policy tells one from another.
        const hosts = follows ? sample(spread(inside), SAMPLE) : ['169.254.169.254']
        for (const host of hosts) {
          const { settings, nameServers, authority, dials = [REACHED] } = await start(t, host)
          const dialled = watchDials(t)
          const network = testNetwork({
            ...(nameServers && { nameServers }),
            extraAuthorities: authority === undefined ? [] : [authority],
          })
          const { status, errorMessage } = await check(type, settings, { network })
          t.mock.restoreAll()
          assert.deepEqual([...dialled], dials, `${host}: ${errorMessage}`)
          if (follows) assert.match(errorMessage ?? status, POLICY, host)
        }
      })
  }
})

/** In an order in which the first ones are of all parts of the list. */
function spread(hosts: readonly string[]): string[] {
  const stride = 11
  return Array.from({ length: stride }, (_, start) =>
    hosts.filter((_, index) => index % stride === start),
  ).flat()
}
