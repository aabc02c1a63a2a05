import { Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { addSecurityHeaders } from '../api/respond.ts'
import type { Config } from '../config.ts'
import { isThisMachine } from '../core/this-machine.ts'
import { type Clock, createClock, monotonicMs } from '../engine/probing/clock.ts'
import { watchReachability } from '../engine/probing/reachability.ts'
import { watchSchema } from '../engine/schema-watch.ts'
import { type Log, troubleOf } from '../log.ts'
import { createMeter } from '../metrics/meter.ts'
import type { Tally } from '../metrics/tally.ts'
import { hasSpareDescriptors } from '../net/own-trouble.ts'
import { createSetupLink } from '../operations/accounts/setup.ts'
import type { LiveStreams } from '../operations/live-streams.ts'
import type { RemoteProbeNews } from '../operations/probing/remote-probe-news.ts'
import type { Services } from '../operations/services.ts'
import { addHealth, type Health } from '../pages/health.ts'
import { addMetrics } from '../pages/metrics.ts'
import { reachable, unlessSilent } from '../postgres/database.ts'
import { withinMs } from '../postgres/delays.ts'
import type { EmbeddedServer } from '../postgres/embedded/server.ts'
import { anyLeaseHeld } from '../postgres/leases.ts'
import { openSettings, sayChanged } from '../settings.ts'
import { beatReached, readPulse } from '../store/probing/pulse.ts'
import { hideStored } from '../store/sealing/hide-stored.ts'
import { resealStale } from '../store/sealing/reseal.ts'
import type { Store } from '../store/store.ts'
import { addRefusals, addRoutes } from './api.ts'
import { countRequests } from './counters.ts'
import { type Engine, startEngine } from './engine.ts'
import { isAnswered, listen, peerOf, stopListening } from './http-server.ts'
import { type Metering, startMetering } from './metrics.ts'
import { ownAddresses } from './own-addresses.ts'
import { createServices, openLiveStreams, openRemoteProbeNews, openStoreOf } from './services.ts'
import { openStatusPages } from './status-pages.ts'

const HEALTH_TIMEOUT_MS = 2_000
/** After this time every clock is past the time from which values are bound. */
const AFTER_BINDING_MS = 60_000
/** How often it is looked whether addresses may be hidden; each process has noticed by the second turn but one. */
const HIDING_LOOK_MS = 60_000
const TURNS_OF_HIDING = 3
/** A failed start waits this long for the database when it ends. */
const MAX_END_MS = 3_000

export type Service = {
  /** The port it really listens on. */
  port: number
  close(): Promise<void>
  /** Resolves when the process is to end because it cannot go on. */
  refused: Promise<Error>
  /** While it closes: the part it waits for, as long as that makes progress; null without one. */
  delayedBy(): 'other processes' | 'the database' | null
}

/**
 * Starts the service with the roles of the configuration; resolves when it answers. `server`: the embedded database, if
 * it starts already.
 */
export async function startService(
  given: Config,
  log: Log,
  server: Promise<EmbeddedServer> | null = null,
): Promise<Service> {
  const meter = createMeter()
  const store = await openStoreOf(given, log, meter, server)
  let wakePages = () => {}
  let siteMoved = () => {}
  const settings = await unlessSilent(
    store.db,
    openSettings(given, store, (changed) => {
      log.info(sayChanged(changed))
      siteMoved()
    }),
  ).catch(closing(store))
  const { config } = settings
  const live = openLiveStreams(store, log)
  const probeNews = openRemoteProbeNews()
  const clock = createClock(monotonicMs, Date.now)
  const { sample } = await unlessSilent(store.db, readPulse(store.db, monotonicMs)).catch(closing(store))
  clock.compare(sample)
  const engine = startEngine(settings, store, log, live, meter, probeNews, clock, () => wakePages())
  const services = createServices(settings, store, engine.recorders, log, meter, clock)
  const metering = startMetering(meter, store, engine, live, troubleOf(log, 'metrics'))
  const statusPages = config.roles.has('api')
    ? openStatusPages(config, services, log, meter.tally, engine.loops)
    : null
  wakePages = () => statusPages?.wake()
  siteMoved = () => statusPages?.renew()
  const { db } = store
  const { lastingTrouble } = engine
  const schema = watchSchema({ db, lastingTrouble, onTrouble: troubleOf(log, 'database') })
  let stopsDatabase = false
  try {
    const { tally } = meter
    const health = healthOf(store, engine)
    const { read: readMetrics } = metering
    const app = await createApp(config, services, { log, tally, health, readMetrics, live, probeNews })
    if (statusPages) await unlessSilent(db, statusPages.known)
    const server = await listen(app, config, statusPages?.takes)
    engine.begin()
    const { port } = server.address() as { port: number }
    const reachability = config.roles.has('api') ? sayReached(config, port, store, clock, log, engine) : null
    const sealing = sealAnew(config, store, log)
    await unlessSilent(db, announce(config, services, port, log))
    return {
      port,
      refused: schema.refused,
      async close() {
        live.close()
        await schema.close()
        await reachability?.close()
        await stopListening(server)
        await statusPages?.close()
        metering.close()
        sealing.close()
        await engine.close()
        // A database that does not even answer is not waited for.
        stopsDatabase = config.databaseUrl === null && (await reachable(store.db, HEALTH_TIMEOUT_MS))
        await store.close()
      },
      delayedBy: () => (engine.prober?.isLeaving ? 'other processes' : stopsDatabase ? 'the database' : null),
    }
  } catch (error) {
    void schema.close()
    metering.close()
    await withinMs(
      MAX_END_MS,
      Promise.all([statusPages?.close(), engine.close()])
        .then(store.close)
        .catch(() => {}),
    )
    throw error
  }
}

/** The app that answers all requests but those for status pages. */
export async function createApp(
  config: Config,
  services: Services,
  parts: {
    log: Log
    tally: Tally
    health: Health
    readMetrics: Metering['read']
    live: LiveStreams
    probeNews: RemoteProbeNews
  },
): Promise<Hono> {
  const { log, tally, health, readMetrics, live, probeNews } = parts
  // Hono tries another router first, which reads all routes before it finds one that it cannot have.
  const app = new Hono({ strict: false, router: new TrieRouter() })
  app.use(countRequests(tally))
  app.use(addSecurityHeaders(services))
  addHealth(app, health)
  addMetrics(app, services, { token: config.metricsToken, peerOf, read: readMetrics })
  if (config.roles.has('api')) await addRoutes(app, config, services, live, probeNews)
  addRefusals(app, config, services, log)
  return app
}

/** Ends a start that fails. */
function closing(store: Store) {
  return async (error: unknown): Promise<never> => {
    await withinMs(
      MAX_END_MS,
      store.close().catch(() => {}),
    )
    throw error
  }
}

/**
 * Jobs come all at once, at a full minute. Those for whom no descriptor is left are turned away unseen, between two requests
 * of our own that are answered: then they are said to reach us only with so many to spare.
 */
const CROWD = 32

/**
 * Tells the leader that jobs can reach this process, and follows the database's clock meanwhile. Jobs whose pings cannot be
 * recorded do not reach it.
 */
function sayReached(
  { host }: Config,
  port: number,
  { db }: Store,
  clock: Clock,
  log: Log,
  { recordsRequests, loops }: Engine,
) {
  return watchReachability({
    reach: async () => recordsRequests() && hasSpareDescriptors(CROWD) && (await isAnswered(host, port)),
    async say() {
      const sample = await beatReached(db, monotonicMs)
      if (sample) clock.compare(sample)
    },
    ...loops.watch('reachability', troubleOf(log, 'reachability')),
  })
}

function healthOf({ db }: Store, engine: Engine): Health {
  return async () => {
    if (!(await reachable(db, HEALTH_TIMEOUT_MS))) return 'database'
    if (engine.recordingTrouble() !== null) return 'recorder'
    if (engine.prober && !engine.prober.healthy) return 'probe'
    if (!engine.leader || engine.leader.leading) return null
    return (await anyLeaseHeld(db)) ? null : 'scheduler'
  }
}

/**
 * Seals values of older keys with the current one, and binds values to their rows, while the service works: after a
 * rotation in every process, otherwise in those with the role `scheduler`. Values cannot be bound for a day after an
 * upgrade; the work is done once more then.
 */
function sealAnew({ previousSecretKeys, roles }: Config, store: Store, log: Log) {
  const { db, vault } = store
  const stop = new AbortController()
  const note = (message: string) => log.info(message)
  const trouble = troubleOf(log, 'secret key')
  const seal = () =>
    resealStale(db, vault, note, stop.signal).catch((error) => {
      // The next start does the work that a stop has interrupted.
      if (!stop.signal.aborted) trouble(error)
    })
  if (previousSecretKeys.length > 0 || roles.has('scheduler')) void seal()
  const { bindsFrom } = vault
  const timer =
    bindsFrom !== null && roles.has('scheduler')
      ? setTimeout(seal, bindsFrom.getTime() - Date.now() + AFTER_BINDING_MS)
      : undefined
  const hidden = hideAddresses(store, { note, trouble, hides: roles.has('scheduler'), signal: stop.signal })
  return {
    close() {
      clearTimeout(timer)
      clearInterval(hidden)
      stop.abort()
    },
  }
}

/**
 * Seals addresses and phone numbers of an older release where this process `hides` them, as soon as they may be: at the start,
 * or a day after the upgrade. It looks again later: other processes may notice up to a minute after this
 * one that it has begun, and have written some in the clear until then.
 */
function hideAddresses(
  { db, vault, hiding }: Store,
  how: { hides: boolean; note: (m: string) => void; trouble: (error: unknown) => void; signal: AbortSignal },
): NodeJS.Timeout {
  const { hides, note, trouble, signal } = how
  // Nothing is written in the clear after the last turn: later starts need not read whole tables for it.
  let turnsLeft = hiding.completed ? 0 : TURNS_OF_HIDING
  let looking = false
  async function look() {
    if (looking || turnsLeft === 0) return
    looking = true
    try {
      if (!(await hiding.look())) return
      if (hides) await hideStored(db, vault, note, signal)
      turnsLeft = hides ? turnsLeft - 1 : 0
      if (hides && turnsLeft === 0 && !signal.aborted) await hiding.complete()
    } catch (error) {
      // The next start does the work that a stop has interrupted.
      if (!signal.aborted) trouble(error)
    } finally {
      looking = false
    }
  }
  void look()
  return setInterval(look, HIDING_LOOK_MS).unref()
}

/** Logs that the service is ready, where, and what to do next. */
async function announce(config: Config, services: Services, port: number, log: Log): Promise<void> {
  log.info({ port }, `Upbeat is ready at ${config.siteUrl} (listening on ${config.host}:${port})`)
  const others = config.roles.has('api') ? ownAddresses({ host: config.host, port }) : []
  if (others.length > 0 && isThisMachine(new URL(config.siteUrl).hostname)) {
    log.info(
      [
        'Other machines may reach it at',
        ...others.map((address) => `  ${address}`),
        `but alerts, invitations and ping URLs point to ${config.siteUrl} until you set the public address in the dashboard, under Service settings, or SITE_URL.`,
      ].join('\n'),
    )
  }
  const setupLink = config.roles.has('api') ? await createSetupLink(services) : null
  if (setupLink === null) return
  log.info(
    [
      'No account exists yet. Create the first one with this link, which works once:',
      `  ${setupLink}`,
      'or in a second terminal, in this folder:',
      '  npx upbeat user create --email you@example.com --name "You" --password "a long password"',
      '  npx upbeat team create --name "My team" --owner you@example.com',
      '  npx upbeat token create --team 1 --email you@example.com --name laptop',
      `Then create a monitor: see ${config.docsUrl}`,
    ].join('\n'),
  )
}
