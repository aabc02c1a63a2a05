import { putLast } from '../../core/bounded-map.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import type { Failure } from '../../core/probing/blame.ts'
import { domainOf, isLocalName, isLoopback } from '../../core/probing/evidence.ts'
import { LATE_MS } from './lulls.ts'
import type { Failing } from './undecided.ts'

const INSIDE_NAMES_KEPT = 10_000

/**
 * `failing` is empty for a failure before there was an address or a name. `isSilence`: it took as long as an answer that
 * got lost.
 */
export type PlacedFailure = { failure: Failure; failing: readonly Failing[]; isSilence: boolean }

/** Tells where addresses and names belong; a name also belongs inside while it leads there (split horizon). */
export function createRealms(deps: { networkOf: (address: string) => string | null }) {
  const insideNames = new Map<string, true>()

  function ofAddress(address: string): Failing {
    const place = deps.networkOf(address)
    if (place === null) return { realm: 'own network', place: address }
    return { realm: place.includes(':') ? 'IPv6' : 'IPv4', place }
  }

  function ofName(name: string): Failing {
    const isInside = insideNames.has(name) || isLocalName(name)
    // Internal names share one domain with all others, whose servers answer for the rest of it or do not.
    return isInside ? { realm: 'inside', place: name } : { realm: 'names', place: domainOf(name) }
  }

  return {
    ofAddress,
    ofName,
    /** The same for a name that was found at an address; remembers where it led. */
    ofFoundName(name: string, address: Failing): Failing {
      if (address.realm === 'own network') putLast(insideNames, name, true, INSIDE_NAMES_KEPT)
      else insideNames.delete(name)
      return ofName(name)
    },
    /** How and where a check failed that took so long; null for a failure that is neither ours nor of the way. */
    ofFailure(
      { status, causeIfTheirs, name, address, otherAddress }: CheckResult,
      tookMs: number,
    ): PlacedFailure | null {
      const isPending = status === 'pending'
      const isSilence = !isPending && tookMs >= LATE_MS
      if (isPending && causeIfTheirs === undefined) return { failure: 'own means', failing: [], isSilence }
      const addresses = [address, otherAddress].filter((one) => one !== undefined)
      if (addresses.length > 0) {
        const failing = addresses.map(ofAddress)
        if (isPending) return { failure: 'no way', failing, isSilence }
        return { failure: isSilence ? 'silent' : 'refused', failing, isSilence }
      }
      if (name === undefined) return null
      return { failure: isPending ? 'name servers fail' : 'name fails', failing: [ofName(name)], isSilence }
    },
  }
}

/** Whether an answer there tells anything of others in its realm: one of this machine to itself does not. */
export function tellsOfOthers({ realm, place }: Failing): boolean {
  return realm !== 'own network' || !isLoopback(place)
}

export type Realms = ReturnType<typeof createRealms>
