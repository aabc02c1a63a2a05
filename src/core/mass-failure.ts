/** Older sightings say nothing of the moment. */
const WINDOW_MS = 120_000
/** So many unrelated networks must have been seen lately before they can fail "together". */
const LEAST_NETWORKS = 10
const FAILING_SHARE = 0.7

/** How a target on a public network was last seen: it answered (whatever it said), or it newly fails to. */
export type Sighting = {
  /** Names a network that has little to do with others: a /16 of IPv4, a /32 of IPv6. */
  network: string
  atMs: number
  outcome: 'answered' | 'failing'
}

/**
 * Whether so many unrelated networks fail at the same time that our own way out is the likelier cause. The ten
 * networks seen last decide, each by its newest sighting: fewer than ten never fail together.
 */
export function failTogether(sightings: readonly Sighting[], nowMs: number): boolean {
  const newest = new Map<string, Sighting>()
  for (const sighting of sightings) {
    if (nowMs - sighting.atMs > WINDOW_MS) continue
    const known = newest.get(sighting.network)
    if (!known || known.atMs <= sighting.atMs) newest.set(sighting.network, sighting)
  }
  if (newest.size < LEAST_NETWORKS) return false
  const last = [...newest.values()].sort((a, b) => b.atMs - a.atMs).slice(0, LEAST_NETWORKS)
  const failing = last.filter(({ outcome }) => outcome === 'failing')
  return failing.length >= LEAST_NETWORKS * FAILING_SHARE
}
