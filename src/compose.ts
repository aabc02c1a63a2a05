import { randomUUID } from 'node:crypto'
import { createChannels, send } from './alerts/channels.ts'
import type { Config } from './config.ts'
import type { CheckResult } from './core/check.ts'
import { createDeliverer, type Deliverer, type Send } from './engine/deliver.ts'
import { createLeader, type Leader } from './engine/lead.ts'
import { createRecorder, type Recorder } from './engine/record.ts'
import { createScheduler } from './engine/schedule.ts'
import type { Log } from './log.ts'
import { literalRefusal } from './net/address-policy.ts'
import { createNetwork, type Network } from './net/network.ts'
import { resolveTarget } from './net/resolve.ts'
import type { Services } from './operations/services.ts'
import { createIcmpProbe } from './probes/icmp.ts'
import { openEchoSockets } from './probes/icmp-echo.ts'
import { createProbes } from './probes/run.ts'
import type { ClaimedDelivery } from './store/deliveries.ts'
import { listen } from './store/listen.ts'
import { openSecrets } from './store/monitors.ts'
import { createRateLimit } from './store/rate-limits.ts'
import { DELIVERIES_CHANNEL, type PingRow } from './store/recording.ts'
import { MONITORS_CHANNEL, type ScheduledMonitor } from './store/scheduling.ts'
import { openStore, type Store } from './store/store.ts'
import type { Vault } from './store/vault.ts'

const API_PER_MINUTE = 60
const PINGS_PER_MINUTE = 60
const PINGS_PER_MINUTE_OF_ADDRESS = 300
const MINUTE_SECONDS = 60

const now = () => new Date()

/** Opens the database as the configuration says; progress goes to the log. */
export function openStoreOf(config: Config, log: Log): Promise<Store> {
  return openStore({
    ...config,
    now,
    note: (message) => log.info(message),
    onTrouble: troubleOf(log, 'database'),
  })
}

/** What operations work with. */
export function createServices(config: Config, { db, vault }: Store, recorder: Recorder, log: Log): Services {
  const perMinute = (name: string, limit: number) =>
    createRateLimit(db, { name, limit, windowSeconds: MINUTE_SECONDS })
  return {
    db,
    vault,
    plans: config.plans,
    siteUrl: config.siteUrl,
    docsUrl: config.docsUrl,
    now,
    limits: {
      perUser: perMinute('user', API_PER_MINUTE),
      perHeartbeat: perMinute('heartbeat', PINGS_PER_MINUTE),
      perAddress: perMinute('address', PINGS_PER_MINUTE_OF_ADDRESS),
    },
    refuseAddress: (url) => {
      const refusal = literalRefusal(config.privateTargets, url)
      return refusal && `must name another host: ${refusal}`
    },
    recordPing: async (ping, result) => (await recorder.record(findingOf(ping, result, config.region))).kind,
    onBug: troubleOf(log, 'request'),
  }
}

function findingOf(ping: PingRow, result: CheckResult | null, region: string | null) {
  const { monitorId, receivedAt: checkedAt } = ping
  return { monitorId, revision: null, checkedAt, region, result, heartbeat: 'ping' as const, ping }
}

export type Engine = {
  recorder: Recorder
  leader: Leader | null
  close(): Promise<void>
}

/** Starts the loops of the roles that this process has; `recorder` serves pings in any of them. */
export function startEngine(config: Config, store: Store, log: Log): Engine {
  const { db, vault } = store
  const holder = randomUUID()
  const network = createNetwork({ privateTargets: config.privateTargets, now })
  const echoSockets = openEchoSockets()
  const recorder = createRecorder(db, troubleOf(log, 'recorder'))
  // A scheduler without probes, or probes without a scheduler, has nothing to do until work is shared out.
  const checks = config.roles.has('scheduler') && config.roles.has('probe')
  const probes = createProbes({
    network,
    now,
    icmp: createIcmpProbe({
      resolve: resolveForEcho(network),
      sockets: echoSockets,
      now,
      loop: network.loop,
    }),
    onBug: troubleOf(log, 'probe'),
  })
  const leader = checks
    ? createLeader({
        db,
        plans: config.plans,
        holder,
        now,
        createScheduler: () =>
          createScheduler({
            probe: (settings, signal) => probes[settings.type](settings, signal),
            settingsOf: (monitor) => settingsOf(monitor, vault),
            recorder,
            region: config.region,
            now,
            onTrouble: troubleOf(log, 'scheduler'),
          }),
        onTrouble: troubleOf(log, 'scheduler'),
        note: (message) => log.info(message),
      })
    : null
  const deliverer = config.roles.has('alerts') ? startDeliverer(config, store, network, holder, log) : null
  const listening = listen(db, {
    [MONITORS_CHANNEL]: (payload) => leader?.changed(payload === null ? null : [Number(payload)]),
    [DELIVERIES_CHANNEL]: () => deliverer?.wake(),
  })
  return {
    recorder,
    leader,
    async close() {
      await listening.close()
      await leader?.close()
      await deliverer?.close()
      await recorder.close()
      echoSockets.close()
    },
  }
}

function startDeliverer(
  config: Config,
  { db, vault }: Store,
  network: Network,
  holder: string,
  log: Log,
): Deliverer {
  const channels = createChannels({
    network,
    mail: config.smtpUrl === null ? null : { smtpUrl: config.smtpUrl, from: config.mailFrom },
    telegramApiUrl: config.telegramApiUrl,
    siteUrl: config.siteUrl,
    now,
  })
  const sendOne: Send = async (delivery, signal) => {
    const outcome = await sendThrough(channels, delivery, signal)
    const about = { delivery: delivery.id, channel: delivery.contactType, event: delivery.alert.event }
    if (outcome.kind === 'sent') log.info(about, 'alert sent')
    else log.warn({ ...about, detail: outcome.detail }, `alert not sent: ${outcome.kind}`)
    return outcome
  }
  return createDeliverer({
    db,
    vault,
    send: sendOne,
    holder,
    now,
    random: Math.random,
    onTrouble: troubleOf(log, 'alerts'),
  })
}

function sendThrough(channels: Parameters<typeof send>[0], delivery: ClaimedDelivery, signal: AbortSignal) {
  const { contactType, config, messageId, alert, signingSecret } = delivery
  if (config === null) {
    return {
      kind: 'rejected' as const,
      statusCode: null,
      detail: 'the contact was deleted before it could be told',
    }
  }
  return send(channels, contactType, {
    messageId,
    alert,
    config: config as never,
    signingSecret,
    sentAt: now(),
    signal,
  })
}

function settingsOf(monitor: ScheduledMonitor, vault: Vault) {
  const { requestHeaders, password } = openSecrets(monitor, vault)
  return {
    type: monitor.type as Exclude<ScheduledMonitor['type'], 'heartbeat'>,
    url: monitor.url ?? '',
    port: monitor.port,
    httpMethod: monitor.http_method,
    expectedStatusCodes: monitor.expected_status_codes,
    expectedKeyword: monitor.expected_keyword,
    requestTimeoutSeconds: monitor.request_timeout_seconds,
    requestHeaders,
    username: monitor.username,
    password,
    sslExpiryWarningDays: monitor.ssl_expiry_warning_days,
  }
}

function resolveForEcho(network: Network) {
  return async (host: string, signal: AbortSignal) => {
    const resolution = await resolveTarget(network, host, signal)
    if (resolution.kind !== 'resolved') return resolution
    const addresses = resolution.addresses.map((address) => ({
      address,
      family: address.includes(':') ? (6 as const) : (4 as const),
    }))
    return { kind: 'addresses' as const, addresses }
  }
}

/** Errors go to the log with the part that met them; never more of them than what happened. */
export function troubleOf(log: Log, part: string) {
  return (error: unknown) =>
    log.error({ part, err: error }, error instanceof Error ? error.message : String(error))
}
