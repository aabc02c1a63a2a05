import { parse } from 'tldts-icann'

/** At most so many witnesses are tried to learn whether our own way works. */
const MAX_WITNESSES = 5

/**
 * A target that was reached. Targets of one `place` (a /16 of IPv4, a /32 of IPv6 or a domain) may fail for the same
 * reason, and say nothing about our way. The check that reached it began at `startedMs`.
 */
export type Witness<Landmark> = { place: string; landmark: Landmark; startedMs: number; reachedMs: number }

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

/** Tells what is known of others, for a failure at one place, once these places were tried, and reached, after it. */
export function weigh(
  failing: string,
  places: readonly string[],
  reached: readonly string[],
): 'reached' | 'not reached' | 'nothing known' {
  if (reached.some((place) => place !== failing)) return 'reached'
  return places.some((place) => place !== failing) ? 'not reached' : 'nothing known'
}

/**
 * Names of one domain fail together when its servers do: `example.co.uk` for `www.example.co.uk`. Names below a suffix
 * that one company runs (`github.io`) share its servers, so only the suffixes of registries count as such.
 */
export function domainOf(name: string): string {
  const lower = name.toLowerCase()
  return parse(lower, { validateHostname: false, extractHostname: false }).domain ?? lower
}

/** Endings that no public registry gives out, and that name servers answer by themselves (RFC 6761, 6762, 8375). */
const LOCAL_ENDINGS = new Set([
  'corp',
  'home',
  'internal',
  'intranet',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'private',
])
const LOCAL_DOMAINS = /(^|\.)(home|in-addr|ip6)\.arpa$/

/** Whether a name is known to be internal from its ending alone. Endings that tests make up count as public. */
export function isLocalName(name: string): boolean {
  const lower = name.toLowerCase().replace(/\.$/, '')
  const ending = lower.slice(lower.lastIndexOf('.') + 1)
  return !lower.includes('.') || LOCAL_ENDINGS.has(ending) || LOCAL_DOMAINS.test(lower)
}

/** Answers of this machine to itself, which say nothing about any network. */
export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1'
}

/** No target stays undecided for longer while another one of its realm answers: two intervals and two timeouts. */
export function longestUndecidedMs(intervalSeconds: number, timeoutSeconds: number): number {
  return 2 * (intervalSeconds + timeoutSeconds) * 1_000
}
