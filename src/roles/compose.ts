import { randomUUID } from 'node:crypto'
import { readApiVersion } from '../api-version.ts'
import type { Config } from '../config.ts'
import type { CheckResult } from '../core/monitors/check.ts'
import { type Clock, createClock } from '../engine/probing/clock.ts'
import { createLeader, type Leader } from '../engine/probing/lead.ts'
import type { Prober } from '../engine/probing/membership-loop.ts'
import { createScheduler } from '../engine/probing/schedule.ts'
import type { Recorder } from '../engine/recording/finding.ts'
import { isFaultOfData } from '../engine/recording/recorder.ts'
import { type Log, troubleOf } from '../log.ts'
import { createMeter, type Meter } from '../metrics/meter.ts'
import { monotonicMs } from '../monotonic.ts'
import { literalRefusal } from '../net/address-policy.ts'
import { createLiveStreams, type LiveStreams } from '../operations/live-streams.ts'
import { createProbeNews, type ProbeNews } from '../operations/probing/remote-probe-news.ts'
import type { Services } from '../operations/services.ts'
import { createOidcProvider } from '../operations/sign-in/oidc-provider.ts'
import { listen } from '../postgres/listen.ts'
import { LETTERS_CHANNEL } from '../store/accounts/letters.ts'
import { createHeartbeatFinder } from '../store/monitors/pings.ts'
import type { PingRow } from '../store/monitors/recording.ts'
import { DELIVERIES_CHANNEL, NEWS_CHANNEL, SESSIONS_CHANNEL } from '../store/news.ts'
import { CONFIRMATIONS_CHANNEL } from '../store/probing/confirmations.ts'
import { MONITORS_CHANNEL } from '../store/probing/schedule.ts'
import { SLOTS_CHANNEL } from '../store/probing/slots.ts'
import { stillAllowed } from '../store/sign-in/sessions.ts'
import { openStore, type Store } from '../store/store.ts'
import { createAuditKeeper } from '../store/teams/audit.ts'
import { createTokenHolderFinder } from '../store/teams/tokens.ts'
import { letterQueue, startDeliverer, startPostman } from './alerts.ts'
import { createDescriptionReader } from './client-descriptions.ts'
import { type CountedRecorder, countChecks, countDatabaseErrors, createCountedRecorder } from './counts.ts'
import { startProber } from './prober.ts'
import { createLimits } from './rate-limits.ts'

const OIDC_TIMEOUT_SECONDS = 10
/** A letter is given up after a day (core/alerting/delivery.ts). */
const MAX_LETTER_MS = 24 * 3_600_000

const now = () => new Date()

/** Opens the database as the configuration says; progress goes to the log. */
export function openStoreOf(config: Config, log: Log, { tally }: Meter = createMeter()): Promise<Store> {
  return openStore({
    ...config,
    now,
    note: (message) => log.info(message),
    onTrouble: troubleOf(log, 'database'),
    onRefusal: countDatabaseErrors(tally),
  })
}

/** What operations work with. */
export function createServices(
  config: Config,
  { db, vault }: Store,
  recorder: Recorder,
  log: Log,
  { tally }: Meter = createMeter(),
  clock: Clock = createClock(monotonicMs, Date.now),
): Services {
  const onBug = troubleOf(log, 'request')
  const enqueueLetter = letterQueue(config, vault, log)
  return {
    db,
    vault,
    plans: config.plans,
    siteUrl: config.siteUrl,
    docsUrl: config.docsUrl,
    apiVersion: readApiVersion(),
    opensSignUp: config.signup === 'open',
    hasMail: config.smtpUrl !== null,
    oidc:
      config.oidc &&
      createOidcProvider(config.oidc, {
        now,
        note: noteOf(log, 'oidc', 'sign-in by the provider failed'),
        timeoutSeconds: OIDC_TIMEOUT_SECONDS,
      }),
    now,
    databaseNow: clock.now,
    findTokenHolder: createTokenHolderFinder(db, now),
    findHeartbeat: createHeartbeatFinder(db),
    keepAudit: createAuditKeeper(db),
    limits: createLimits(db, tally),
    refuseAddress: (url) => {
      const refusal = literalRefusal(config.privateTargets, url)
      return refusal && `must name another host: ${refusal}`
    },
    async recordPing(ping, result) {
      const { kind } = await recorder.record(findingOf(ping, result, config.region))
      if (kind === 'recorded') tally.count('pings', [ping.kind])
      return kind === 'recorded' ? kind : 'stale'
    },
    async recordResult({ type, ...found }) {
      try {
        const { kind, why } = await recorder.record({ ...found, heartbeat: null, ping: null })
        if (kind === 'recorded') tally.count('remoteChecks', [type, found.result.status])
        return why ?? null
      } catch (error) {
        if (isFaultOfData(error)) return 'it cannot be stored'
        throw error
      }
    },
    noteRefused: (count) => {
      for (let each = 0; each < count; each++) tally.count('remoteRefusals', [])
    },
    fetchDescription: createDescriptionReader({
      now,
      note: noteOf(log, 'oauth', 'a description of a program was not read'),
    }),
    enqueueLetter,
    sendLetter: (letter) => enqueueLetter(db.query, letter, new Date(now().getTime() + MAX_LETTER_MS)),
    afterwards: (work) => void work().catch(onBug),
    onBug,
  }
}

function noteOf(log: Log, part: string, message: string) {
  return (detail: string) => log.warn({ part, detail }, message)
}

function findingOf(ping: PingRow, result: CheckResult | null, region: string | null) {
  const { monitorId, receivedAt: checkedAt } = ping
  return { monitorId, revision: null, checkedAt, region, result, heartbeat: 'ping' as const, ping }
}

export type Engine = {
  recorder: CountedRecorder
  leader: Leader | null
  prober: Prober | null
  close(): Promise<void>
}

/** The live streams that this process serves; the engine hands them what the database tells. */
export function openLiveStreams({ db }: Store, log: Log): LiveStreams {
  return createLiveStreams({
    now,
    stillAllowed: (watchers) => stillAllowed(db, watchers, now()),
    onTrouble: troubleOf(log, 'live streams'),
  })
}

/** What remote probes that ask this process are told. */
export function openProbeNews(): ProbeNews {
  return createProbeNews(() => performance.now())
}

/** Starts the loops of the roles that this process has; `recorder` serves pings in any of them. */
export function startEngine(
  config: Config,
  store: Store,
  log: Log,
  live: LiveStreams,
  meter: Meter = createMeter(),
  probeNews: ProbeNews = openProbeNews(),
  clock: Clock = createClock(monotonicMs, Date.now),
): Engine {
  const { db } = store
  const holder = randomUUID()
  const recorder = createCountedRecorder(db, log, meter.tally)
  const leader = config.roles.has('scheduler')
    ? startLeader(config, store, holder, recorder, log, meter, clock)
    : null
  const prober = config.roles.has('probe') ? startProber(config, store, log, meter) : null
  const tells = config.roles.has('alerts')
  const deliverer = tells ? startDeliverer(config, store, holder, log, meter) : null
  const postman = tells ? startPostman(config, store, holder, log, meter) : null
  const listening = listen(db, {
    [MONITORS_CHANNEL]: (payload) => {
      const ids = payload?.split(',').map(Number) ?? null
      leader?.changed(ids)
      prober?.changed(ids)
      probeNews.changed(ids)
    },
    [SLOTS_CHANNEL]: () => {
      leader?.wake()
      prober?.wake()
      probeNews.moved()
    },
    [CONFIRMATIONS_CHANNEL]: (region) => {
      prober?.confirm(region)
      probeNews.asked(region)
    },
    [DELIVERIES_CHANNEL]: () => deliverer?.wake(),
    ...(config.roles.has('api') && {
      [NEWS_CHANNEL]: live.publish,
      [SESSIONS_CHANNEL]: (payload: string | null) => live.recheck(payload === null ? null : Number(payload)),
    }),
    [LETTERS_CHANNEL]: () => postman?.wake(),
  })
  return {
    recorder,
    leader,
    prober,
    async close() {
      // First, while whoever leads and the news of slots are there to hand over by.
      await prober?.close()
      await listening.close()
      await leader?.close()
      await deliverer?.close()
      await postman?.close()
      await recorder.close()
    },
  }
}

function startLeader(
  config: Config,
  store: Store,
  holder: string,
  recorder: Recorder,
  log: Log,
  meter: Meter,
  clock: Clock,
): Leader {
  const onTrouble = troubleOf(log, 'scheduler')
  return createLeader({
    db: store.db,
    plans: config.plans,
    holder,
    clock,
    monotonicMs,
    startWatching: () =>
      createScheduler({
        ...NO_PROBES,
        recorder,
        region: config.region,
        now: clock.now,
        note: countChecks(meter.tally),
        onTrouble,
      }),
    onTrouble,
    note: (message) => log.info(message),
  })
}

/** Whoever leads looks at no target: it waits for heartbeats. */
const NO_PROBES: Pick<Parameters<typeof createScheduler>[0], 'probe' | 'settingsOf'> = {
  probe: () => Promise.reject(new Error('a heartbeat is not probed')),
  settingsOf: () => {
    throw new Error('a heartbeat is not probed')
  },
}
