import type { Config } from '../config.ts'
import type { PeerEvidence } from '../engine/evidence/evidence.ts'
import type { NetworkReporter } from '../engine/evidence/network-notices.ts'
import type { Loops } from '../engine/loops.ts'
import { type Clock, monotonicMs } from '../engine/probing/clock.ts'
import type { Prober } from '../engine/probing/membership-loop.ts'
import { startSiteLooks } from '../engine/sites/look-loop.ts'
import type { SiteRecorder } from '../engine/sites/site-finding.ts'
import { createStartCrawl } from '../engine/sites/start-crawl.ts'
import { type Log, troubleOf } from '../log.ts'
import type { Tally } from '../metrics/tally.ts'
import type { Loop } from '../postgres/loop.ts'
import { announceNews } from '../store/news.ts'
import type { Store } from '../store/store.ts'
import { countCrawls, countLooks } from './counters.ts'
import { createCrawlThreads } from './crawl-threads.ts'
import type { SiteLooking } from './site-looking.ts'

/** Wires the looks at sites, for the role `probe`. */
export function startSites(
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
    const { openSiteLooking } = await import('./site-looking.ts')
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
