import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import { RDAP_SERVICES_URL, RdapServices } from '../core/sites/domain/rdap.ts'
import type { PeerEvidence } from '../engine/evidence/evidence.ts'
import type { NetworkReporter } from '../engine/evidence/network-notices.ts'
import type { Loops } from '../engine/loops.ts'
import type { Clock } from '../engine/probing/clock.ts'
import type { Prober } from '../engine/probing/membership-loop.ts'
import { startSiteLooks } from '../engine/sites/look-loop.ts'
import { createLook } from '../engine/sites/looks.ts'
import { createRegistryServices } from '../engine/sites/registry-services.ts'
import type { SiteRecorder } from '../engine/sites/site-finding.ts'
import { createStartCrawl } from '../engine/sites/start-crawl.ts'
import { ownFile } from '../files/own-files.ts'
import { type Log, troubleOf } from '../log.ts'
import type { Tally } from '../metrics/tally.ts'
import { monotonicMs } from '../monotonic.ts'
import { requestOnce } from '../net/http-request.ts'
import { createNetwork, type Network } from '../net/network.ts'
import { onBehalfOf } from '../net/on-behalf-of.ts'
import type { Loop } from '../postgres/loop.ts'
import { createChainProbe } from '../probes/sites/certificate.ts'
import { lookAtDns } from '../probes/sites/dns.ts'
import { lookAtDomain } from '../probes/sites/domain.ts'
import { announceNews } from '../store/news.ts'
import type { Store } from '../store/store.ts'
import { countCrawls, countLooks } from './counters.ts'
import { createCrawlThreads } from './crawl-threads.ts'
import { createGuardOver } from './thread-checks.ts'

const SHIPPED_SERVICES = ownFile('src/core/sites/domain/rdap-services.json')
const SERVICES_LIMIT_MS = 30_000
const MAX_SERVICES_BYTES = 1_024 * 1_024
const NEVER = new AbortController().signal

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
  const network = createNetwork({
    privateTargets: config.privateTargets,
    privateRedirects: config.privateRedirects,
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
    services: createRegistryServices({
      db: store.db,
      readShipped: () => RdapServices.parse(JSON.parse(readFileSync(SHIPPED_SERVICES, 'utf8'))),
      ask: () => askServices(network),
      monotonicMs,
      note: (message) => log.warn({ part: 'sites' }, message),
      onTrouble,
    }),
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
      guard.close()
    },
  }
}

async function askServices(network: Network): Promise<string | null> {
  const request = {
    kind: 'registry',
    url: RDAP_SERVICES_URL,
    headers: { accept: 'application/json', 'user-agent': 'Upbeat' },
    body: '',
    method: 'GET',
    maxBytes: MAX_SERVICES_BYTES,
  } as const
  const answer = await requestOnce(network, request, SERVICES_LIMIT_MS, NEVER)
  return answer.kind === 'answered' && answer.statusCode === 200 ? answer.body : null
}
