import { availableParallelism, hostname } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { Config } from '../config.ts'
import type { PeerEvidence } from '../engine/evidence/evidence.ts'
import { createNetworkNotices, type NetworkReporter } from '../engine/evidence/network-notices.ts'
import type { Loops } from '../engine/loops.ts'
import { type Clock, createClock, monotonicMs } from '../engine/probing/clock.ts'
import { createProber, LEASE_SECONDS, type Prober } from '../engine/probing/membership-loop.ts'
import type { RecordingState, RecordingTrouble } from '../engine/recording/ability.ts'
import { worstTrouble } from '../engine/recording/recorders.ts'
import { startSiteLooks } from '../engine/sites/look-loop.ts'
import type { SiteRecorder } from '../engine/sites/site-finding.ts'
import { createStartCrawl } from '../engine/sites/start-crawl.ts'
import { createCheckingThreads } from '../engine/threads/checking-threads.ts'
import type { CheckingThread, ThreadReport } from '../engine/threads/thread-messages.ts'
import { startOwnThread } from '../files/own-files.ts'
import { type Log, troubleOf } from '../log.ts'
import { createMeter, type Measured, type Meter } from '../metrics/meter.ts'
import type { Tally } from '../metrics/tally.ts'
import type { Loop } from '../postgres/loop.ts'
import { createSharedPlaces, leaveSharedPlaces } from '../probes/browser/places.ts'
import { announceNews } from '../store/news.ts'
import { createRegistry } from '../store/probing/registry.ts'
import type { Store } from '../store/store.ts'
import type { ThreadData } from './checking-thread.ts'
import { countCrawls, countLooks } from './counters.ts'
import { createCrawlThreads } from './crawl-threads.ts'
import type { SiteLooking } from './sites.ts'

const MIB = 2 ** 20
/**
 * Far more than 100,000 monitors take. V8 lets a heap that may hold 2 GiB or more become four times as large as what it
 * holds before it collects, and a smaller one twice: the garbage of a start would stay for longer.
 */
const MAX_THREAD_HEAP_MB = 2_040

/** A prober that looks at sites, too. */
export type SiteProber = Prober & {
  /** Areas of sites may be due. */
  wakeSites(): void
  /** Why a checking thread records nothing; null while all do. */
  readonly recordingTrouble: RecordingTrouble | null
}

/** Wires the role `probe`: a prober with as many threads as its share of the monitors needs, and the looks at sites. */
export function startProber(
  config: Config,
  store: Store,
  log: Log,
  meter: Meter,
  sites: { recorder: SiteRecorder & RecordingState; clock: Clock },
  loops: Loops,
): SiteProber {
  const onTrouble = troubleOf(log, 'probe')
  const createReporter = createNetworkNotices({
    monotonicMs,
    say: (message) => log.warn({ part: 'network' }, message),
  })
  const workerData: ThreadData = {
    ...{ config, access: store.access, terminal: process.stdout.isTTY === true },
    browserPlaces: createSharedPlaces(config.browserChecks),
  }
  const threads = createCheckingThreads({
    cores: availableParallelism(),
    startThread: () => startCheckingThread(workerData, onTrouble, meter),
    createReporter,
    reload: () => prober.reload(),
    monotonicMs,
    onTrouble,
  })
  store.onMoved(threads.moveTo)
  const prober: Prober = createProber({
    registry: createRegistry(store.db, LEASE_SECONDS),
    region: config.region ?? '',
    host: hostname(),
    pid: process.pid,
    clock: createClock(monotonicMs, Date.now),
    monotonicMs,
    wallMs: Date.now,
    checking: threads,
    ...loops.watch('prober', onTrouble),
    note: (message) => log.warn({ part: 'probe' }, message),
    mayHold: () => !worstTrouble([threads.recordingTrouble, sites.recorder.trouble])?.isLasting,
  })
  const { evidence } = threads
  const looks = startSites(config, store, log, {
    ...{ ...sites, tally: meter.tally, loops },
    ...{ prober, evidence, reporter: createReporter() },
  })
  return {
    ...prober,
    wakeSites: looks.wake,
    get holding() {
      return prober.holding
    },
    get healthy() {
      return prober.healthy
    },
    get isLeaving() {
      return prober.isLeaving
    },
    get recordingTrouble() {
      return threads.recordingTrouble
    },
    async close() {
      // Looks first: what they found counts only while the membership lives.
      await looks.close()
      await prober.close()
    },
  }
}

export function startCheckingThread(
  workerData: ThreadData,
  onTrouble: (error: unknown) => void,
  meter: Meter = createMeter(),
): CheckingThread {
  const ownLimitMb = Math.floor(getHeapStatistics().heap_size_limit / MIB)
  const thread = startOwnThread('roles/checking-thread', {
    workerData,
    // A machine with little memory has a lower limit.
    resourceLimits: { maxOldGenerationSizeMb: Math.min(ownLimitMb, MAX_THREAD_HEAP_MB) },
  })
  const { threadId } = thread
  const counted = meter.openThread()
  thread.on('message', (said: ThreadReport | Measured) => said.kind === 'measured' && counted.take(said))
  thread.on('exit', counted.close)
  thread.on('exit', () => leaveSharedPlaces(workerData.browserPlaces, threadId))
  thread.on('error', onTrouble)
  return {
    post: (instruction) => thread.postMessage(instruction),
    onReport(listener: (report: ThreadReport) => void) {
      thread.on('message', listener)
      return () => thread.off('message', listener)
    },
    ended: new Promise((resolve) => thread.once('exit', () => resolve())),
  }
}

/** Wires the looks at sites, for the role `probe`. */
function startSites(
  config: Config,
  store: Store,
  log: Log,
  deps: {
    prober: Prober
    /** The knowledge of the checking threads about our ways out. */
    evidence: () => Promise<PeerEvidence[]>
    reporter: NetworkReporter
    recorder: SiteRecorder
    tally: Tally
    clock: Clock
    loops: Loops
  },
): Loop {
  const { prober, recorder, tally, clock, reporter } = deps
  const onTrouble = troubleOf(log, 'sites')
  let looking: SiteLooking | null = null

  /** Loaded by the first look: many services watch no site, and checks have the probes in their threads. */
  async function openLooking(): Promise<SiteLooking> {
    const { openSiteLooking } = await import('./sites.ts')
    looking ??= openSiteLooking(config, store, log, deps)
    return looking
  }

  const looks = startSiteLooks({
    db: store.db,
    recorder: countLooks(tally, recorder),
    region: config.region ?? '',
    holding: () => prober.holding,
    look: async (due, signal) => (await openLooking()).look(due, signal),
    startCrawl: createStartCrawl({
      crawl: countCrawls(tally, createCrawlThreads(config, store)),
      announce: (news) => announceNews(store.db.query, news),
      now: clock.now,
      monotonicMs,
      onTrouble,
    }),
    now: clock.now,
    ...deps.loops.watch('site looks', onTrouble),
  })
  return {
    wake: looks.wake,
    async close() {
      await looks.close()
      reporter.close()
      await looking?.close()
    },
  }
}
