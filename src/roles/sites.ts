import type { Config } from '../config.ts'
import type { PeerEvidence } from '../engine/evidence/evidence.ts'
import type { NetworkReporter } from '../engine/evidence/network-notices.ts'
import { createLook, type LookAtArea } from '../engine/sites/looks.ts'
import { keptIn } from '../engine/sites/registry-services.ts'
import type { Log } from '../log.ts'
import { createNetwork, type Network } from '../net/network.ts'
import { onBehalfOf } from '../net/on-behalf-of.ts'
import { createChainProbe } from '../probes/sites/certificate.ts'
import { lookAtDns } from '../probes/sites/dns.ts'
import { lookAtDomain } from '../probes/sites/domain.ts'
import { createRegistries } from '../registries.ts'
import type { Store } from '../store/store.ts'
import { createGuardOver } from './thread-checks.ts'

/** Looks at the areas of sites, behind a guard of its own. */
export type SiteLooking = { look: LookAtArea; close(): Promise<void> }

/** `evidence` is the knowledge of the checking threads about our ways out. */
export function openSiteLooking(
  config: Config,
  store: Store,
  log: Log,
  { evidence, reporter }: { evidence: () => Promise<PeerEvidence[]>; reporter: NetworkReporter },
): SiteLooking {
  const network: Network = createNetwork({
    privateTargets: config.privateTargets,
    privateRedirects: config.privateRedirects,
    registries: createRegistries(keptIn(store.db), () => network, log),
  })
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
  return { look: (due, signal) => onBehalfOf(due.teamId, () => look(due, signal)), close: guard.close }
}
