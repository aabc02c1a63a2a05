import type { Config } from '../config.ts'
import type { PeerEvidence } from '../engine/evidence/evidence.ts'
import type { NetworkReporter } from '../engine/evidence/network-notices.ts'
import type { Loops } from '../engine/loops.ts'
import type { Clock } from '../engine/probing/clock.ts'
import { monotonicMs } from '../engine/probing/clock.ts'
import type { Prober } from '../engine/probing/membership-loop.ts'
import { startSiteLooks } from '../engine/sites/look-loop.ts'
import { createLook } from '../engine/sites/looks.ts'
import { keptIn } from '../engine/sites/registry-services.ts'
import type { SiteRecorder } from '../engine/sites/site-finding.ts'
import { createStartCrawl } from '../engine/sites/start-crawl.ts'
import { type Log, troubleOf } from '../log.ts'
import type { Tally } from '../metrics/tally.ts'
import { createNetwork, type Network } from '../net/network.ts'
import { onBehalfOf } from '../net/on-behalf-of.ts'
import type { Loop } from '../postgres/loop.ts'
import { createChainProbe } from '../probes/sites/certificate.ts'
import { lookAtDns } from '../probes/sites/dns.ts'
import { lookAtDomain } from '../probes/sites/domain.ts'
import { createRegistries } from '../registries.ts'
import { announceNews } from '../store/news.ts'
import type { Store } from '../store/store.ts'
import { countCrawls, countLooks } from './counters.ts'
import { createCrawlThreads } from './crawl-threads.ts'
import { createGuardOver } from './thread-checks.ts'

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
  const { prober, recorder, tally, clock, evidence, reporter } = deps
  const network: Network = createNetwork({
    privateTargets: config.privateTargets,
    privateRedirects: config.privateRedirects,
    registries: createRegistries(keptIn(store.db), () => network, log),
  })
  const onTrouble = troubleOf(log, 'sites')
  const guard = createGuardOver(network, log, {
    notify: reporter.report,
    others: evidence,
    instead: { ssl: createChainProbe(network) },
  })
  const look = createLook({
    probe: guard.probe,
    lookAtDns: (host, signal) => lookAtDns(network, host, signal),
    lookAtDomain: (services, host, signal) => lookAtDomain(network, services, host, signal),
    services: network.registries,
  })
  const looks = startSiteLooks({
    db: store.db,
    recorder: countLooks(tally, recorder),
    region: config.region ?? '',
    holding: () => prober.holding,
    look: (due, signal) => onBehalfOf(due.teamId, () => look(due, signal)),
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
      await guard.close()
    },
  }
}
