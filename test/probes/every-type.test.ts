import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import type { Assertion } from '../../src/core/expectations/assertion.ts'
import type { CheckResult, Phases } from '../../src/core/monitors/check.ts'
import { MONITOR_TYPES, type ProbedType } from '../../src/core/monitors/monitor-types.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import { keysOf } from '../../src/core/shape.ts'
import type { Network } from '../../src/net/network.ts'
import { openEchoSockets } from '../../src/probes/icmp/echo.ts'
import { createIcmpProbe, resolveForEcho } from '../../src/probes/icmp.ts'
import { createReach } from '../../src/probes/reach.ts'
import { createProbes, probeBy } from '../../src/probes/run.ts'
import { speakAmqp } from '../support/brokers/amqp.ts'
import { startBroker } from '../support/brokers/broker-server.ts'
import { speakKafka } from '../support/brokers/kafka.ts'
import { speakMqtt } from '../support/brokers/mqtt.ts'
import { speakNats } from '../support/brokers/nats.ts'
import { speakMongodb } from '../support/databases/mongodb.ts'
import { speakMysql } from '../support/databases/mysql.ts'
import { speakPostgresql } from '../support/databases/postgresql.ts'
import { speakRedis } from '../support/databases/redis.ts'
import { speakSqlserver } from '../support/databases/sqlserver.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { startEcho } from '../support/line-servers/echo.ts'
import { speakFtp } from '../support/line-servers/ftp.ts'
import { speakImap } from '../support/line-servers/imap.ts'
import { type Dialogue, type DialogueOptions, startLineServer } from '../support/line-servers/line-server.ts'
import { speakPop3 } from '../support/line-servers/pop3.ts'
import { speakSmtp } from '../support/line-servers/smtp.ts'
import { speakSsh } from '../support/line-servers/ssh.ts'
import { startNameServer } from '../support/name-servers/name-server.ts'
import {
  type EchoReaction,
  type EchoRequest,
  fakeSocket,
  reply,
  unreachable,
} from '../support/probing/fake-echo.ts'
import { startDockerApi } from '../support/protocols/docker-api.ts'
import { startGrpcServer } from '../support/protocols/grpc-server.ts'
import { startLdapServer } from '../support/protocols/ldap-server.ts'
import {
  beAgent,
  beRadius,
  beSip,
  beSourceServer,
  type PacketAnswer,
  tellTime,
} from '../support/protocols/packet-answers.ts'
import { resetSocket } from '../support/reset-socket.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { type Reply, startDnsServer } from '../support/servers/dns-server.ts'
import { closedPort, startHttps, startTcp, startTls } from '../support/servers/targets.ts'
import { CALM_LOOP, settingsFor, testNetwork, timeoutsFor } from '../support/servers/targets-settings.ts'
import { startWebSocketServer } from '../support/web-sockets/web-socket-server.ts'

const NAME = 'www.shop.example'
const ADDRESS = '127.0.0.1'

const authority = createAuthority('Every Type')
const certificate = authority.issue({ names: [NAME] })
const ofAddress = authority.issue({ names: [ADDRESS] })

/** A server on the loopback: its port, and where a type has none, what echo requests meet. */
type Server = { port?: number; react?: (request: EchoRequest) => EchoReaction }
type Start = (t: TestContext) => Promise<Server>

const closed: Start = async (t) => ({ port: await closedPort(t) })
const cuttingOff: Start = async (t) => {
  const { port } = await startTcp(t, (socket) => resetSocket(socket))
  return { port }
}
const web: Start = (t) => startHttps(t, certificate)
const atWeb = (port: number) => ({ url: `https://${NAME}:${port}/` })

/** Settings that lead to a port of the name, and servers that answer, turn away, and take what they then do not answer. */
type Tried = {
  at: (port: number) => Partial<ProbeSettings>
  /** Its name is what it asks for, not where it goes: name servers are no landmarks for others (`dns.test.ts`). */
  asksForName?: boolean
  /** An option says where it goes, and its URL names something there: nothing else can find the way. */
  isOfOption?: boolean
  answering: Start
  turningAway: Start
  /** Null where taking it is the answer. */
  cuttingOff: Start | null
}

/** A server that is asked for STARTTLS, where its protocol has that. */
const speaking = (scheme: string, speak: (options: DialogueOptions) => Dialogue): Tried => ({
  at: (port) => ({ url: `${scheme}://${NAME}:${port}` }),
  answering: (t) => startLineServer(t, speak, { tls: 'starttls', certificate }),
  turningAway: closed,
  cuttingOff,
})

/** A database that lets everybody in, over TLS. */
const signingIn = (
  scheme: string,
  speak: (options: DialogueOptions) => Dialogue,
  tls: 'starttls' | 'implicit' = 'starttls',
  more: Partial<ProbeSettings> = {},
): Tried => ({
  at: (port) => ({ url: `${scheme}://${NAME}:${port}`, username: 'watcher', ...more }),
  answering: (t) => startLineServer(t, speak, { tls, certificate }),
  turningAway: closed,
  cuttingOff,
})

const ANY_ANSWER: Assertion[] = [{ source: 'answer', comparison: 'exists', severity: 'down' }]

/**
 * Registries are found and asked by the mechanism of sites; the evidence of a domain is its registry's word (`domain.test.ts`). Browsers are
 * processes (`browser/browser.test.ts`).
 */
type Dialling = Exclude<ProbedType, 'domain' | 'browser'>
/** A server of packets, of which nothing is left where it is closed. */
const ofPackets = (scheme: string, answer: PacketAnswer, more: Record<string, unknown> = {}): Tried => ({
  at: (port) => ({ url: `${scheme}://${NAME}:${port}`, ...more }) as Partial<ProbeSettings>,
  answering: (t) => startEcho(t, answer),
  turningAway: closed,
  cuttingOff: closed,
})

const USER = { name: 'watcher', password: 'sesame-7' }
const SIGNED_IN = { username: USER.name, password: USER.password }

const TWO_STEPS = [
  { name: 'one', method: 'GET', url: '/' },
  { name: 'two', method: 'GET', url: '/' },
] as const

const TRIED = {
  http: { at: atWeb, answering: web, turningAway: closed, cuttingOff },
  keyword: { at: atWeb, answering: web, turningAway: closed, cuttingOff },
  steps: {
    at: (port) => ({ ...atWeb(port), options: { steps: [...TWO_STEPS] } }),
    answering: web,
    turningAway: closed,
    cuttingOff,
  },
  ssl: { at: atWeb, answering: (t) => startTls(t, certificate), turningAway: closed, cuttingOff },
  tcp: {
    at: (port) => ({ url: `tcp://${NAME}`, port }),
    answering: (t) => startTcp(t),
    turningAway: closed,
    cuttingOff: null,
  },
  icmp: {
    at: () => ({ url: `icmp://${NAME}` }),
    answering: async () => ({ react: (request) => ({ arrivals: [reply(request)] }) }),
    turningAway: async () => ({
      react: (request) => ({ arrivals: [unreachable(request, request.address)] }),
    }),
    cuttingOff: async () => ({ react: () => ({ code: 'EHOSTUNREACH' }) }),
  },
  dns: {
    at: (port) => ({ url: `dns://${NAME}`, options: { resolver: `${ADDRESS}:${port}`, transport: 'tls' } }),
    asksForName: true,
    answering: (t) => {
      const records = [{ type: 'A', name: NAME, data: ADDRESS }] as const
      return startNameServer(t, () => ({ records }), { transport: 'tls', certificate: ofAddress })
    },
    turningAway: closed,
    cuttingOff,
  },
  smtp: speaking('smtp', speakSmtp),
  imap: speaking('imap', speakImap),
  pop3: speaking('pop3', speakPop3),
  ssh: speaking('ssh', speakSsh),
  ftp: speaking('ftp', speakFtp),
  mqtt: {
    at: (port) => ({ url: `mqtts://${NAME}:${port}` }),
    answering: (t) => startBroker(t, speakMqtt, { tls: 'implicit', certificate }),
    turningAway: closed,
    cuttingOff,
  },
  amqp: {
    at: (port) => ({ url: `amqps://${NAME}:${port}` }),
    answering: (t) => startBroker(t, speakAmqp, { tls: 'implicit', certificate }),
    turningAway: closed,
    cuttingOff,
  },
  nats: {
    at: (port) => ({ url: `tls://${NAME}:${port}` }),
    answering: (t) => startBroker(t, speakNats, { tls: 'starttls', certificate }),
    turningAway: closed,
    cuttingOff,
  },
  kafka: {
    at: (port) => ({ url: `kafka://${NAME}:${port}`, options: { security: 'implicit' } }),
    answering: (t) => startBroker(t, (facts) => speakKafka(facts), { tls: 'implicit', certificate }),
    turningAway: closed,
    cuttingOff,
  },
  websocket: {
    at: (port) => ({ url: `wss://${NAME}:${port}/` }),
    answering: (t) => startWebSocketServer(t, {}, certificate),
    turningAway: closed,
    cuttingOff,
  },
  udp: {
    at: (port) => ({
      ...{ url: `udp://${NAME}`, port },
      options: { send: 'hello', assertions: ANY_ANSWER },
    }),
    answering: (t) => startEcho(t),
    turningAway: closed,
    cuttingOff: closed,
  },
  ntp: ofPackets('ntp', tellTime()),
  snmp: ofPackets('snmp', beAgent(), { options: { oid: '1.3.6.1.2.1.1.1.0' } }),
  radius: ofPackets('radius', beRadius({ secret: 'shared', ...USER }), {
    ...SIGNED_IN,
    options: { shared_secret: 'shared' },
  }),
  sip: ofPackets('sip', beSip()),
  game: ofPackets('game', beSourceServer, { options: { game: 'css' } }),
  grpc: {
    at: (port) => ({ url: `grpcs://${NAME}:${port}` }),
    answering: (t) => startGrpcServer(t, { certificate }),
    turningAway: closed,
    cuttingOff,
  },
  ldap: {
    at: (port) => ({ url: `ldap://${NAME}:${port}` }),
    answering: (t) => startLdapServer(t, { tls: 'starttls', certificate }),
    turningAway: closed,
    cuttingOff,
  },
  docker: {
    at: (port) => ({ url: 'docker://web', options: { docker_host: `https://${NAME}:${port}` } }),
    isOfOption: true,
    answering: (t) => startDockerApi(t, { certificate }),
    turningAway: closed,
    cuttingOff,
  },
  postgresql: signingIn('postgresql', speakPostgresql),
  mysql: signingIn('mysql', speakMysql),
  redis: signingIn('rediss', speakRedis, 'implicit'),
  sqlserver: signingIn('sqlserver', speakSqlserver),
  mongodb: signingIn('mongodb', speakMongodb, 'implicit', { options: { security: 'implicit' } }),
} satisfies Record<Dialling, Tried>

const PHASES = {
  dns_ms: 'dnsMs',
  connect_ms: 'connectMs',
  tls_ms: 'tlsMs',
  first_byte_ms: 'firstByteMs',
  transfer_ms: 'transferMs',
} as const satisfies Record<string, keyof Phases>

/** Checks a server by the probe of a type, by a name, as a thread that checks would. */
async function startProbe(t: TestContext, type: Dialling, server: Server, replies: Record<string, Reply>) {
  const dns = await startDnsServer(t, replies)
  const network: Network = testNetwork({
    nameServers: [dns.address],
    nameServerTimeouts: timeoutsFor(replies),
    extraAuthorities: [authority.pem],
  })
  const sockets = openEchoSockets(fakeSocket(server.react ?? (() => assert.fail('no echo was expected'))))
  t.after(() => sockets.close())
  const now = () => new Date()
  const icmp = createIcmpProbe({ resolve: resolveForEcho(network), sockets, now, loop: CALM_LOOP })
  const probes = createProbes({ network, now, icmp, onBug: (bug) => assert.fail(String(bug)) })
  const limit = { request_timeout_seconds: HANG_GUARD_MS / 1_000 }
  const settings = settingsFor(type, { ...limit, ...(TRIED[type] as Tried).at(server.port ?? 0) })
  const signal = new AbortController().signal
  return {
    check: (): Promise<CheckResult> => probeBy(probes, settings, signal),
    reach: (address: string | null) => {
      const port = 'port' in settings ? settings.port : null
      return createReach(network, icmp)({ type, url: settings.url, port }, address, signal)
    },
  }
}

/** The way to a server without a check of its type. */
async function wayTo({ port, react }: Server): Promise<'connection' | 'echo' | null> {
  if (port === undefined) return react ? 'echo' : null
  const socket = net.connect(port, ADDRESS)
  const isTaken = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isTaken ? 'connection' : null
}

for (const type of keysOf(TRIED)) {
  const { answering, turningAway, cuttingOff }: Tried = TRIED[type]
  const found = async (t: TestContext, start: Start, replies: Record<string, Reply>) =>
    (await startProbe(t, type, await start(t), replies)).check()
  const known = { [NAME]: [ADDRESS] }
  const { asksForName = false, isOfOption = false }: Tried = TRIED[type]
  const name = asksForName ? undefined : NAME

  describe(`evidence of a check of the type ${type}`, () => {
    test('of one that answers: its name, its address and the phases of the entry', async (t) => {
      const result = await found(t, answering, known)
      assert.notEqual(result.status, 'pending', result.errorMessage ?? '')
      assert.notEqual(result.responseTimeMs, null, result.errorMessage ?? '')
      assert.deepEqual([result.name, result.address, result.causeIfTheirs], [name, ADDRESS, undefined])
      const measured = keysOf(PHASES).filter((phase) => (result.phases?.[PHASES[phase]] ?? null) !== null)
      assert.deepEqual(measured, MONITOR_TYPES[type].phases)
    })

    for (const [how, start] of Object.entries({ turningAway, cuttingOff })) {
      if (start === null) continue
      test(`of one that fails by ${how}: where that was`, async (t) => {
        const result = await found(t, start, known)
        assert.deepEqual([result.status, result.responseTimeMs], ['down', null], result.errorMessage ?? '')
        assert.deepEqual([result.name, result.address, result.causeIfTheirs], [name, ADDRESS, undefined])
      })
    }

    if (asksForName) return

    // The cause of a check of several requests names the one.
    const inName = type === 'steps' ? 'step 1 "one": ' : ''

    test('of a name that is not there: the name alone', async (t) => {
      const result = await found(t, answering, {})
      assert.deepEqual([result.status, result.errorMessage], ['down', `${inName}name not found: ${NAME}`])
      assert.deepEqual([result.name, result.address, result.causeIfTheirs], [NAME, undefined, undefined])
    })

    test('of a name, where our name servers fail for every one: what to tell if it is theirs', async (t) => {
      const result = await found(t, answering, { [NAME]: 'SERVFAIL', '': 'SERVFAIL' })
      assert.equal(result.status, 'pending')
      assert.deepEqual([result.name, result.address], [NAME, undefined])
      assert.equal(result.causeIfTheirs, `${inName}name server failed for ${NAME} (SERVFAIL)`)
    })

    if (isOfOption) {
      test('without a landmark', () => assert.equal(MONITOR_TYPES[type].landmark, null))
      return
    }

    test('without a check, as its landmark says, which is the way that there is', async (t) => {
      const server = await answering(t)
      const landmark: string | null = MONITOR_TYPES[type].landmark
      assert.equal(landmark, await wayTo(server))
      const { reach } = await startProbe(t, type, server, known)
      const reached = landmark === null ? null : ADDRESS
      assert.deepEqual([await reach(null), await reach(ADDRESS)], [reached, reached])
      const away = await startProbe(t, type, await turningAway(t), known)
      assert.equal(await away.reach(null), null)
    })
  })
}
