import type { Turn } from '../../../core/sites/crawl/asking.ts'
import type { Database } from '../../../postgres/database.ts'
import { claimHostSeat, leaveHostSeat, SEATS_OF_HOST } from '../../../store/sites/host-seats.ts'
import { waitUnlessAborted } from '../../delays.ts'

/** From the answer on one seat to the next request on it: with two seats, never more than 4 requests in a second. */
export const REST_MS = 500
/** A host that asks for more is left alone for this long. */
const MAX_ALONE_MS = 600_000
/** A seat that another one holds may be free at any time. */
const MIN_LOOK_MS = 20
const MAX_LOOK_MS = 500

export type HostPace = { restMs: number; seats: number }

/** The pace that a host bears, by its crawl delay: requests at least that far apart use one seat. */
export function paceOf(crawlDelaySeconds: number, restMs = REST_MS): HostPace {
  const delayMs = crawlDelaySeconds * 1_000
  return delayMs * SEATS_OF_HOST <= restMs
    ? { restMs, seats: SEATS_OF_HOST }
    : { restMs: Math.max(delayMs, restMs), seats: 1 }
}

/** Turns at hosts, which all crawls of an installation share. A turn is refused by an error when the signal aborts. */
export function createTurns(
  db: Database,
  paceOfHost: (host: string) => HostPace,
  maxAloneMs = MAX_ALONE_MS,
): Turn {
  return async (host, signal) => {
    for (;;) {
      signal.throwIfAborted()
      const claimed = await claimHostSeat(db, host, paceOfHost(host).seats)
      if (claimed.kind === 'seat') return (seen) => leave(host, claimed.seat, seen)
      await waitUnlessAborted(signal, Math.min(Math.max(claimed.waitMs, MIN_LOOK_MS), MAX_LOOK_MS))
    }
  }

  function leave(host: string, seat: number, seen: { answeredAgoMs: number; retryAfterMs: number | null }) {
    const restMs = paceOfHost(host).restMs - seen.answeredAgoMs
    return leaveHostSeat(db, host, seat, { restMs, aloneMs: Math.min(seen.retryAfterMs ?? 0, maxAloneMs) })
  }
}
