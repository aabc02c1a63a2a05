import { type Realm, WAYS, type Way } from '../../core/probing/blame.ts'
import { chooseWitnesses, type Witness } from '../../core/probing/evidence.ts'
import type { Stumble } from './lulls.ts'
import type { NetworkNotice } from './network-notices.ts'
import type { Realms } from './realms.ts'
import { createWay, type KnownWay, type Landmark } from './way.ts'

/** The knowledge of one of several guards about each way, for the others. */
export type PeerEvidence = Record<Way, { witnesses: Witness<Landmark>[]; stumbles: Stumble[] }>

export type Ways = Record<Way, KnownWay>

export type WaysDeps = {
  /**
   * The address where a target can be reached: the given one, or one where its own host leads; null when it cannot.
   * Resolves soon after the signal aborts.
   */
  reach: (landmark: Landmark, address: string | null, signal: AbortSignal) => Promise<string | null>
  /** The addresses that the name servers find for a name; resolves soon after the signal aborts. */
  find: (name: string, signal: AbortSignal) => Promise<readonly string[]>
  /** A monotonic clock that all guards of the process share. */
  monotonicMs: () => number
  /** Called once when one of our ways seems down and once when it works again. */
  notify: (notice: NetworkNotice) => void
  /** The knowledge of the other guards; asked for only when a target newly fails on the way. */
  others: () => Promise<PeerEvidence[]>
}

/** All ways out of this machine, as one guard knows them. */
export function createWays(deps: WaysDeps, realms: Realms): Ways {
  const { monotonicMs, notify } = deps
  const open = (way: Way, reach: Parameters<typeof createWay>[1]['reach']) =>
    createWay(way, {
      reach,
      others: async () => (await deps.others()).flatMap((evidence) => evidence[way].witnesses),
      monotonicMs,
      notify,
    })

  /** Tries a witness where it was reached, and where its own host leads: at an address of the same way. */
  function reachOver(way: Way) {
    return async (landmark: Landmark, signal: AbortSignal): Promise<string | null> => {
      const { address = null } = landmark
      const isLiteral = address !== null && landmark.url.includes(address)
      const tries = [...new Set(isLiteral ? [address] : [address, null])].map(async (one) => {
        const reached = await deps.reach(landmark, one, signal)
        const at = reached === null ? null : realms.ofAddress(reached)
        if (at?.realm !== way) throw new Error('not reached')
        return at.place
      })
      return Promise.any(tries).catch(() => null)
    }
  }

  /** A public name that leads inside is not found: something between us and the name servers answers in their place. */
  async function findOutside({ name }: Landmark, signal: AbortSignal): Promise<string | null> {
    if (name === undefined) return null
    const addresses = await deps.find(name, signal)
    const isOutside = addresses.some((address) => realms.ofAddress(address).realm !== 'own network')
    const { realm, place } = realms.ofName(name)
    return isOutside && realm === 'names' ? place : null
  }

  return {
    IPv4: open('IPv4', reachOver('IPv4')),
    IPv6: open('IPv6', reachOver('IPv6')),
    names: open('names', findOutside),
  }
}

export function evidenceOf(ways: Ways): PeerEvidence {
  const known = WAYS.map((way) => {
    const { witnesses, lulls } = ways[way]
    return [way, { witnesses: chooseWitnesses(witnesses(), []), stumbles: lulls.newestStumbles() }] as const
  })
  return Object.fromEntries(known) as PeerEvidence
}

export function isWay(realm: Realm): realm is Way {
  return (WAYS as readonly Realm[]).includes(realm)
}

export function wayTo(network: string): 'IPv4' | 'IPv6' {
  return network.includes(':') ? 'IPv6' : 'IPv4'
}
