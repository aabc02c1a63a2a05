/** At most so many witnesses are tried to learn whether our own way works. */
const MAX_WITNESSES = 5

/** The ways out of this machine: one for each address family, and one for names. */
export const WAYS = ['IPv4', 'IPv6', 'names'] as const
export type Way = (typeof WAYS)[number]

/**
 * A target that was reached. Targets of one `place` (a /16 of IPv4, a /32 of IPv6 or a domain) may fail for the same
 * reason, and say nothing about our way.
 */
export type Witness<Landmark> = { place: string; landmark: Landmark; reachedMs: number }

/** `unknown` without witnesses elsewhere: the failure is believed then. */
export type Evidence = 'works' | 'fails' | 'unknown'

/** The witnesses to try when targets fail at these places: those elsewhere first, newest first. */
export function chooseWitnesses<Landmark>(
  witnesses: readonly Witness<Landmark>[],
  failing: readonly string[],
): Witness<Landmark>[] {
  const newest = new Map<string, Witness<Landmark>>()
  for (const witness of witnesses) {
    const known = newest.get(witness.place)
    if (!known || known.reachedMs < witness.reachedMs) newest.set(witness.place, witness)
  }
  const isFailing = ({ place }: Witness<Landmark>) => Number(failing.includes(place))
  return [...newest.values()]
    .sort((a, b) => isFailing(a) - isFailing(b) || b.reachedMs - a.reachedMs)
    .slice(0, MAX_WITNESSES)
}

/** Weighs a failure at one place by the places that were tried, and reached, after it. */
export function weigh(failing: string, places: readonly string[], reached: readonly string[]): Evidence {
  if (reached.some((place) => place !== failing)) return 'works'
  return places.some((place) => place !== failing) ? 'fails' : 'unknown'
}

/** Names of one domain fail together when its servers do. The last two labels tell most domains apart. */
export function domainOf(name: string): string {
  return name.toLowerCase().split('.').slice(-2).join('.')
}

/** No target stays undecided for longer while another one answers: two intervals and two timeouts. */
export function longestUndecidedMs(intervalSeconds: number, timeoutSeconds: number): number {
  return 2 * (intervalSeconds + timeoutSeconds) * 1_000
}
