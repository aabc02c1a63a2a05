import type { Server } from 'node:http'
import { hostname } from 'node:os'
import { Hono } from 'hono'
import type { Config } from '../config.ts'
import type { MetricFamily } from '../core/exposition.ts'
import type { MonitorOptions } from '../core/monitors/options/monitor-options.ts'
import { ENDURANCE_MS } from '../core/probing/remote-probe.ts'
import { createNetworkNotices } from '../engine/evidence/network-notices.ts'
import { createClock, monotonicMs } from '../engine/probing/clock.ts'
import { createProber, type Prober } from '../engine/probing/membership-loop.ts'
import { createCheckingThreads } from '../engine/threads/checking-threads.ts'
import { createLocalThread } from '../engine/threads/local-thread.ts'
import { type Log, troubleOf } from '../log.ts'
import type { Level } from '../metrics/levels.ts'
import { createTally } from '../metrics/tally.ts'
import { addHealth } from '../pages/health.ts'
import { addMetrics } from '../pages/metrics.ts'
import { createRemoteConfirmations } from '../remote/confirmations.ts'
import { createRemoteOverruns } from '../remote/overruns.ts'
import { createRemoteRecorder } from '../remote/recorder.ts'
import { createRemoteRegistry } from '../remote/registry.ts'
import { createServiceLink, Unreachable } from '../remote/service-link.ts'
import { listen, peerOf, stopListening } from './http-server.ts'
import { startRemoteMetering } from './metrics.ts'
import type { Service } from './serve.ts'
import { createThreadChecksWith } from './thread-checks.ts'

/** The end of the process waits this long for a service that is out of reach. */
const STOP_WAITING_MS = 1_000

/** Wires a remote probe: a prober that asks a service elsewhere over HTTPS; `refused` resolves when that refuses it. */
export async function startRemoteProbe(
  config: Config,
  service: { url: string; token: string },
  log: Log,
): Promise<Service> {
  const { promise: refused, resolve: refuse } = Promise.withResolvers<Error>()
  const stop = new AbortController()
  const note = (message: string) => log.warn({ part: 'probe' }, message)
  const trouble = troubleOf(log, 'probe')
  // The operator hears once that the service is out of reach.
  const onTrouble = (error: unknown) => error instanceof Unreachable || trouble(error)
  const link = createServiceLink(service, (why) => {
    if (why !== null) note(`the service is out of reach (${why}): checks go on, and what they find is kept`)
    else log.info({ part: 'probe' }, `the service is reached again: ${recorder.waiting} results are sent`)
  })
  const clock = createClock(monotonicMs, Date.now)
  const region = config.region ?? ''
  const recorder = createRemoteRecorder(link.ask, {
    now: clock.now,
    random: Math.random,
    region,
    note,
    onTrouble,
  })
  const registry = createRemoteRegistry(link.ask, {
    session: () => recorder.session,
    random: Math.random,
    stop: stop.signal,
    refused: refuse,
  })
  const overruns = createRemoteOverruns(link)
  const confirming = createRemoteConfirmations(link, recorder.isDown)
  const tally = createTally()
  let levels = (): Level[] => []
  const checking = createCheckingThreads({
    // The process does nothing else: its only thread checks.
    cores: 1,
    startThread: () =>
      createLocalThread((report) => {
        const checks = createThreadChecksWith(
          { recorder, overruns, ...confirming, openSecrets: readSecrets },
          { config, log, report, tally },
        )
        levels = checks.levels
        return checks
      }),
    createReporter: createNetworkNotices({
      monotonicMs,
      say: (message) => log.warn({ part: 'network' }, message),
    }),
    reload: () => prober.reload(),
    monotonicMs,
    onTrouble,
  })
  const metering = startRemoteMetering(tally, () => ({
    isReached: link.reachable,
    dropped: recorder.dropped,
    levels: levels(),
  }))
  const server = await listenForOperator(config, () => prober.healthy, {
    read: metering.read,
    docsUrl: `${service.url}/docs`,
    onBug: trouble,
  })
  const prober: Prober = createProber({
    registry,
    region,
    host: hostname(),
    pid: process.pid,
    clock,
    monotonicMs,
    wallMs: Date.now,
    checking,
    onTrouble,
    note,
    enduresMs: ENDURANCE_MS,
  })
  const { port } = server.address() as { port: number }
  log.info({ port }, `Upbeat is ready to probe for ${service.url} from ${config.region}`)
  return {
    port,
    refused: refused.then((why) => new Error(`the service refuses this probe: ${why.message}`)),
    async close() {
      await stopListening(server)
      metering.close()
      setTimeout(() => stop.abort(), STOP_WAITING_MS).unref()
      await prober.close()
      stop.abort()
    },
    delayedBy: () => (prober.isLeaving ? 'other processes' : null),
  }
}

/** Serves health checks of containers and Prometheus; HOST and METRICS_TOKEN decide who reaches it. */
async function listenForOperator(
  config: Config,
  isHealthy: () => boolean,
  metrics: { read: () => Promise<MetricFamily[]>; docsUrl: string; onBug: (error: unknown) => void },
): Promise<Server> {
  const app = new Hono({ strict: false })
  addHealth(app, async () => (isHealthy() ? null : 'probe'))
  addMetrics(app, metrics, { token: config.metricsToken, peerOf, read: metrics.read })
  return await listen(app, config)
}

function readSecrets({
  url,
  request_headers,
  password,
  options,
}: {
  url: string | null
  request_headers: string | null
  password: string | null
  options: MonitorOptions | null
}) {
  return { url, request_headers: request_headers && JSON.parse(request_headers), password, options }
}
