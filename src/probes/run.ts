import { cutCause } from '../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../core/monitors/check.ts'
import type { ProbedType } from '../core/monitors/monitor-types.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import type { Network } from '../net/network.ts'
import { AMQP } from './brokers/amqp.ts'
import { createBrokerProbe } from './brokers/ask-broker.ts'
import { KAFKA } from './brokers/kafka.ts'
import { MQTT } from './brokers/mqtt.ts'
import { NATS } from './brokers/nats.ts'
import { createBrowserProbe } from './browser/browser.ts'
import type { Browsers } from './browser/browsers.ts'
import { createDatabaseProbe } from './databases/ask.ts'
import { MONGODB } from './databases/mongodb.ts'
import { MYSQL } from './databases/mysql.ts'
import { POSTGRESQL } from './databases/postgresql.ts'
import { REDIS } from './databases/redis.ts'
import { SQL_SERVER } from './databases/sqlserver.ts'
import { createDnsProbe } from './dns/dns.ts'
import { createDockerProbe } from './docker.ts'
import { createDomainProbe } from './domain.ts'
import { createGrpcProbe } from './grpc/grpc.ts'
import { createHttpProbe } from './http.ts'
import { createKeywordProbe } from './keyword.ts'
import { FTP } from './lines/ftp.ts'
import { IMAP } from './lines/imap.ts'
import { LDAP } from './lines/ldap.ts'
import { POP3 } from './lines/pop3.ts'
import { SMTP } from './lines/smtp.ts'
import { createLineProbe } from './lines/speak.ts'
import { SSH } from './lines/ssh.ts'
import { createPacketProbe } from './packets/by-packets.ts'
import { createGameProbe } from './packets/game.ts'
import { NTP } from './packets/ntp.ts'
import { RADIUS } from './packets/radius.ts'
import { createSipProbe } from './packets/sip.ts'
import { SNMP } from './packets/snmp.ts'
import { UDP } from './packets/udp.ts'
import type { Probe } from './probe.ts'
import { createSslProbe } from './ssl.ts'
import { createStepsProbe } from './steps/steps.ts'
import { createTcpProbe } from './tcp.ts'
import { createWebSocketProbe } from './websocket.ts'

export type Probes = { [Type in ProbedType]: Probe<Type> }

export type ProbesOptions = {
  network: Network
  now: () => Date
  icmp: Probe<'icmp'>
  /** Without them, no check in a browser is judged. */
  browsers?: Browsers | null
  /** In the place of the usual ones. */
  instead?: Pick<Partial<Probes>, 'ssl'>
  /** Receives every exception. A probe that throws has a bug. */
  onBug: (error: unknown) => void
}

/** A probe for every type that probes check. None of them throws. */
export function createProbes({
  network,
  now,
  icmp,
  onBug,
  browsers = null,
  instead = {},
}: ProbesOptions): Probes {
  const guard = <Type extends ProbedType>(probe: Probe<Type>) => guarded(probe, onBug)
  return {
    http: guard(createHttpProbe(network, now)),
    keyword: guard(createKeywordProbe(network, now)),
    ssl: guard(instead.ssl ?? createSslProbe(network, now)),
    tcp: guard(createTcpProbe(network, now)),
    icmp: guard(icmp),
    dns: guard(createDnsProbe(network)),
    domain: guard(createDomainProbe(network, now)),
    smtp: guard(createLineProbe(SMTP, network, now)),
    imap: guard(createLineProbe(IMAP, network, now)),
    pop3: guard(createLineProbe(POP3, network, now)),
    ssh: guard(createLineProbe(SSH, network, now)),
    ftp: guard(createLineProbe(FTP, network, now)),
    websocket: guard(createWebSocketProbe(network, now)),
    steps: guard(createStepsProbe(network, now)),
    browser: guard(createBrowserProbe(network, browsers)),
    udp: guard(createPacketProbe(network, UDP)),
    ntp: guard(createPacketProbe(network, NTP)),
    snmp: guard(createPacketProbe(network, SNMP)),
    radius: guard(createPacketProbe(network, RADIUS)),
    sip: guard(createSipProbe(network, now)),
    game: guard(createGameProbe(network)),
    grpc: guard(createGrpcProbe(network, now)),
    ldap: guard(createLineProbe(LDAP, network, now)),
    docker: guard(createDockerProbe(network, now)),
    postgresql: guard(createDatabaseProbe(async () => POSTGRESQL, network, now)),
    mysql: guard(createDatabaseProbe(async () => MYSQL, network, now)),
    redis: guard(createDatabaseProbe(async () => REDIS, network, now)),
    mongodb: guard(createDatabaseProbe(async () => MONGODB, network, now)),
    sqlserver: guard(createDatabaseProbe(async () => SQL_SERVER, network, now)),
    mqtt: guard(createBrokerProbe(MQTT, network, now)),
    amqp: guard(createBrokerProbe(AMQP, network, now)),
    nats: guard(createBrokerProbe(NATS, network, now)),
    kafka: guard(createBrokerProbe(KAFKA, network, now)),
  } satisfies Probes
}

/** Checks by the probe of the settings' type. */
export function probeBy(probes: Probes, settings: ProbeSettings, signal: AbortSignal): Promise<CheckResult> {
  // One entry of the map is looked up by a union of types; what has the type fits its probe.
  return (probes[settings.type] as Probe<never>)(settings as never, signal)
}

/** Reports a bug and returns `pending`: our bug says nothing about the target. */
function guarded<Type extends ProbedType>(probe: Probe<Type>, onBug: (error: unknown) => void): Probe<Type> {
  return async (settings, signal) => {
    try {
      const result = await probe(settings, signal)
      const { errorMessage } = result
      return errorMessage === null ? result : { ...result, errorMessage: cutCause(errorMessage) }
    } catch (error) {
      onBug(error)
      const message = error instanceof Error ? error.message : String(error)
      return resultWithout('pending', cutCause(`internal error: ${message}`))
    }
  }
}
