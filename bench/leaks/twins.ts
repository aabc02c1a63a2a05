// A thread with the targets of the run, so that the thread that checks holds nothing of theirs.
import { parentPort, workerData } from 'node:worker_threads'
import type { CheckStatus } from '../../src/core/monitors/check.ts'
import type { ProbedType } from '../../src/core/monitors/monitor-types.ts'
import type { RequestSteps } from '../../src/core/monitors/options/protocols/steps.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import type { Case } from '../../test/catalogue/case.ts'
import { CATALOGUE } from '../../test/catalogue/catalogue.ts'
import { speakAmqp } from '../../test/support/brokers/amqp.ts'
import {
  type BrokerDialogue,
  type BrokerFacts,
  startBroker,
} from '../../test/support/brokers/broker-server.ts'
import { speakKafka } from '../../test/support/brokers/kafka.ts'
import { speakMqtt } from '../../test/support/brokers/mqtt.ts'
import { speakNats } from '../../test/support/brokers/nats.ts'
import { speakMongodb } from '../../test/support/databases/mongodb.ts'
import { speakMysql } from '../../test/support/databases/mysql.ts'
import { speakPostgresql } from '../../test/support/databases/postgresql.ts'
import { speakRedis } from '../../test/support/databases/redis.ts'
import { speakSqlserver } from '../../test/support/databases/sqlserver.ts'
import { startEcho } from '../../test/support/line-servers/echo.ts'
import { speakFtp } from '../../test/support/line-servers/ftp.ts'
import { speakImap } from '../../test/support/line-servers/imap.ts'
import {
  type Dialogue,
  type DialogueOptions,
  startLineServer,
} from '../../test/support/line-servers/line-server.ts'
import { speakPop3 } from '../../test/support/line-servers/pop3.ts'
import { speakSmtp } from '../../test/support/line-servers/smtp.ts'
import { speakSsh } from '../../test/support/line-servers/ssh.ts'
import { startNameServer } from '../../test/support/name-servers/name-server.ts'
import { startDockerApi } from '../../test/support/protocols/docker-api.ts'
import { startGrpcServer } from '../../test/support/protocols/grpc-server.ts'
import { startLdapServer } from '../../test/support/protocols/ldap-server.ts'
import {
  beAgent,
  beRadius,
  beSip,
  beSourceServer,
  type PacketAnswer,
  tellTime,
} from '../../test/support/protocols/packet-answers.ts'
import { createAuthority } from '../../test/support/servers/certificates.ts'
import { startHttp, startTcp, startTls } from '../../test/support/servers/targets.ts'
import {
  frameOf,
  OPCODES,
  opening,
  startWebSocketServer,
} from '../../test/support/web-sockets/web-socket-server.ts'
import type { CountedType } from '../support/options.ts'
import { Scope } from '../support/scope.ts'

/** A target, the settings that lead to it, and the verdict that it must get. `authority`: PEM of one to trust. */
export type Twin = {
  name: string
  type: ProbedType
  status: CheckStatus
  /** As in the catalogue; null for a check that has nothing to say. */
  cause: string | null
  settings: Partial<ProbeSettings>
  authority?: string
}

/** The types whose servers are in a thread of their own: those of registries are not. */
export type LeakType = Exclude<CountedType, 'domain'>

type Friendly = (scope: Scope) => Promise<Pick<Twin, 'settings' | 'authority'>>

const NAME = 'localhost'
const authority = createAuthority('Leaks')
const certificate = authority.issue({ names: [NAME] })
const trusted = { authority: authority.pem }

const TWO_STEPS: RequestSteps = [
  {
    ...{ name: 'sign in', method: 'POST', url: '/sign-in', body: '{}' },
    captures: { token: { source: 'json', property: '$.token' } },
  },
  { name: 'basket', method: 'GET', url: '/basket?{{token}}', headers: { Authorization: '{{token}}' } },
]

/** A target of each type that passes. */
const FRIENDLY = {
  http: async (scope) => at(await startHttp(scope, (_, response) => response.end('OK')), 'http'),
  keyword: async (scope) => at(await startHttp(scope, (_, response) => response.end('OK')), 'http'),
  steps: async (scope) => {
    const { settings } = at(await startHttp(scope, (_, response) => response.end('{"token":"t-1"}')), 'http')
    const options = { steps: TWO_STEPS }
    return { settings: { ...settings, options } }
  },
  ssl: async (scope) => ({ ...at(await startTls(scope, certificate), 'https', NAME), ...trusted }),
  tcp: async (scope) => {
    const { port } = await startTcp(scope)
    return { settings: { url: 'tcp://127.0.0.1', port } }
  },
  icmp: async () => ({ settings: { url: 'icmp://127.0.0.1' } }),
  dns: async (scope) => {
    const records = [{ type: 'A', name: 'shop.example', data: '192.0.2.7' }] as const
    const { port } = await startNameServer(scope, () => ({ records }))
    return { settings: { url: 'dns://shop.example', options: { resolver: `127.0.0.1:${port}` } } }
  },
  smtp: (scope) => speaking(scope, 'smtp', speakSmtp),
  imap: (scope) => speaking(scope, 'imap', speakImap),
  pop3: (scope) => speaking(scope, 'pop3', speakPop3),
  ssh: (scope) => speaking(scope, 'ssh', speakSsh),
  ftp: (scope) => speaking(scope, 'ftp', speakFtp),
  mqtt: (scope) => publishing(scope, 'mqtt', speakMqtt),
  amqp: (scope) => publishing(scope, 'amqp', speakAmqp),
  nats: (scope) => publishing(scope, 'nats', speakNats),
  kafka: (scope) => {
    const speak = (facts: BrokerFacts) => speakKafka(facts, { members: [{ host: NAME, port: facts.port }] })
    return publishing(scope, 'kafka', speak)
  },
  udp: async (scope) => {
    const { port } = await startEcho(scope)
    const assertions = [
      { source: 'answer', comparison: 'equals', target: 'ready', severity: 'down' },
    ] as const
    return {
      settings: { url: 'udp://127.0.0.1', port, options: { send: 'ready', assertions: [...assertions] } },
    }
  },
  websocket: async (scope) => {
    const ready = opening({}, frameOf(OPCODES.text, 'ready'))
    const { settings } = at(await startWebSocketServer(scope, { onRequest: ready }, certificate), 'wss', NAME)
    const assertions = [
      { source: 'answer', comparison: 'equals', target: 'ready', severity: 'down' },
    ] as const
    return { settings: { ...settings, options: { assertions: [...assertions] } }, ...trusted }
  },
  ntp: (scope) => ofPackets(scope, 'ntp', tellTime()),
  snmp: (scope) => ofPackets(scope, 'snmp', beAgent(), { options: { oid: '1.3.6.1.2.1.1.1.0' } }),
  radius: (scope) =>
    ofPackets(scope, 'radius', beRadius({ secret: 'shared', name: 'ada', password: '' }), {
      ...{ username: 'ada', options: { shared_secret: 'shared' } },
    }),
  sip: (scope) => ofPackets(scope, 'sip', beSip()),
  game: (scope) => ofPackets(scope, 'game', beSourceServer, { options: { game: 'css' } }),
  grpc: async (scope) => {
    const { port } = await startGrpcServer(scope, { certificate })
    return { settings: { url: `grpcs://${NAME}:${port}` }, ...trusted }
  },
  ldap: async (scope) => {
    const { port } = await startLdapServer(scope, { tls: 'starttls', certificate })
    return { settings: { url: `ldap://${NAME}:${port}` }, ...trusted }
  },
  docker: async (scope) => {
    const { port } = await startDockerApi(scope, { certificate })
    const options = { docker_host: `https://${NAME}:${port}` }
    return { settings: { url: 'docker://web', options }, ...trusted }
  },
  postgresql: (scope) => signingIn(scope, 'postgresql', speakPostgresql),
  mysql: (scope) => signingIn(scope, 'mysql', speakMysql),
  redis: (scope) => signingIn(scope, 'rediss', speakRedis, 'implicit'),
  sqlserver: (scope) => signingIn(scope, 'sqlserver', speakSqlserver, 'starttls', { query: 'SELECT 7' }),
  mongodb: (scope) => {
    const options = { security: 'implicit', query: '{"aggregate": "jobs", "pipeline": []}' } as const
    return signingIn(scope, 'mongodb', speakMongodb, 'implicit', options)
  },
} satisfies Record<LeakType, Friendly>

async function ofPackets(scope: Scope, scheme: string, answer: PacketAnswer, more: object = {}) {
  const { port } = await startEcho(scope, answer)
  return { settings: { url: `${scheme}://127.0.0.1:${port}`, ...more } as Partial<ProbeSettings> }
}

async function speaking(
  scope: Scope,
  scheme: string,
  speak: (options: DialogueOptions) => Dialogue,
): Promise<Pick<Twin, 'settings' | 'authority'>> {
  const { port } = await startLineServer(scope, speak, { tls: 'starttls', certificate })
  return { settings: { url: `${scheme}://${NAME}:${port}` }, ...trusted }
}

/** A database that is asked something. */
async function signingIn(
  scope: Scope,
  scheme: string,
  speak: (options: DialogueOptions) => Dialogue,
  tls: 'starttls' | 'implicit' = 'starttls',
  options: ProbeSettings['options'] = { query: 'GET jobs' },
): Promise<Pick<Twin, 'settings' | 'authority'>> {
  const user = { name: 'watcher', password: 'sesame-7' }
  const { port } = await startLineServer(scope, speak, { tls, certificate, user })
  const signedIn = { username: user.name, password: user.password }
  return {
    settings: { url: `${scheme}://${NAME}:${port}`, ...signedIn, options } as Partial<ProbeSettings>,
    ...trusted,
  }
}

/** Over TLS, with a message that comes back. */
async function publishing(
  scope: Scope,
  type: 'mqtt' | 'amqp' | 'nats' | 'kafka',
  speak: (facts: BrokerFacts) => BrokerDialogue,
): Promise<Pick<Twin, 'settings' | 'authority'>> {
  const how = type === 'nats' ? 'starttls' : 'implicit'
  const { port } = await startBroker(scope, speak, { tls: how, certificate })
  const options = { security: how, topic: 'hall', publish: 'ready' } as const
  return { settings: { url: `${type}://${NAME}:${port}`, options }, ...trusted }
}

function at({ port }: { port: number }, scheme: string, host = '127.0.0.1') {
  return { settings: { url: `${scheme}://${host}:${port}/` } }
}

/** A program that has stopped accepts none of many: the queue of the kernel is full soon. */
const FOR_FEW = new Set(['The same, of a port that only has to accept'])

/** Cases that end at once, at targets of their own: those at the limit would only wait. */
const hostileOf = (type: LeakType): Case[] =>
  CATALOGUE.flatMap(({ cases }) => cases).filter(
    ({ type: ofCase, atLimit, name }) => ofCase === type && !atLimit && !FOR_FEW.has(name),
  )

async function start(scope: Scope, type: LeakType): Promise<Twin[]> {
  const friendly = {
    name: 'friendly',
    type,
    status: 'up' as const,
    cause: null,
    ...(await FRIENDLY[type](scope)),
  }
  const twins: Twin[] = [friendly]
  for (const { name, status, cause, start } of hostileOf(type)) {
    const { settings, network, authority } = await start(scope)
    // A network of its own, with name servers, cannot be handed to another thread.
    if (network && authority === undefined) continue
    twins.push({ name, type, status, cause, settings, ...(authority !== undefined && { authority }) })
  }
  return twins
}

const scope = new Scope()
const twins: Twin[] = []
for (const type of workerData as LeakType[]) twins.push(...(await start(scope, type)))
parentPort?.postMessage(twins)
parentPort?.once('message', () => void scope.close().then(() => parentPort?.close()))
