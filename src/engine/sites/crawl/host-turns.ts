import type { Turnstile } from '../../../core/sharing/share.ts'
import type { Turn } from '../../../core/sites/crawl/asking.ts'
import type { Database } from '../../../postgres/database.ts'
import { waitUnlessAborted } from '../../../postgres/delays.ts'
import { claimHostSeat, leaveHostSeat, SEATS_OF_HOST } from '../../../store/sites/host-seats.ts'

/** From the answer on one seat to the next request on it: with two seats, never more than 4 requests in a second. */
export const REST_MS = 500
/** A host that asks for more is left alone for this long. */
const MAX_ALONE_MS = 600_000
/** A seat that another one holds may be free at any time. */
const MIN_LOOK_MS = 20
const MAX_LOOK_MS = 500
/** A seat that rests is not free before; whether it still counts may change. */
const MAX_REST_LOOK_MS = 10_000

export type HostPace = { restMs: number; seats: number }

/** Does something that asks for addresses, such as a visit, in turns. */
export type InTurns = <Done>(work: (turn: Turn) => Promise<Done>) => Promise<Done>

/** The places in which crawls of all teams ask: `team` takes them. */
export type AskingPlaces = { places: Turnstile; teamId: number }

/** The pace that a host bears, by its crawl delay: requests at least that far apart use one seat. */
export function paceOf(crawlDelaySeconds: number, restMs = REST_MS): HostPace {
  const delayMs = crawlDelaySeconds * 1_000
  return delayMs * SEATS_OF_HOST <= restMs
    ? { restMs, seats: SEATS_OF_HOST }
    : { restMs: Math.max(delayMs, restMs), seats: 1 }
}

/**
 * Turns at hosts, which all crawls of an installation share. Each begins in a place, by turns of teams, that the work keeps
 * until its next turn or its end: what it has read fills memory until it is written. Nothing holds a place while it waits
 * for a host. A turn is refused by an error when the signal aborts.
 */
export function createTurns(
  db: Database,
  { places, teamId }: AskingPlaces,
  paceOfHost: (host: string) => HostPace,
  maxAloneMs = MAX_ALONE_MS,
): InTurns {
  return async (work) => {
    let hasPlace = false
    const leavePlace = () => {
      if (hasPlace) places.leave(teamId)
      hasPlace = false
    }
    const turn: Turn = async (host, signal) => {
      for (;;) {
        leavePlace()
        hasPlace = await places.enter(teamId, signal)
        signal.throwIfAborted()
        const claimed = await claimHostSeat(db, host, paceOfHost(host).seats)
        if (claimed.kind === 'seat') return (seen) => leaveSeat(host, claimed.seat, seen)
        leavePlace()
        await waitUnlessAborted(signal, untilNextLook(claimed))
      }
    }
    try {
      return await work(turn)
    } finally {
      leavePlace()
    }
  }

  function leaveSeat(
    host: string,
    seat: number,
    seen: { answeredAgoMs: number; retryAfterMs: number | null },
  ) {
    const restMs = paceOfHost(host).restMs - seen.answeredAgoMs
    return leaveHostSeat(db, host, seat, { restMs, aloneMs: Math.min(seen.retryAfterMs ?? 0, maxAloneMs) })
  }
}

function untilNextLook({ waitMs, restMs }: { waitMs: number; restMs: number }): number {
  const lookMs = Math.min(Math.max(waitMs, MIN_LOOK_MS), MAX_LOOK_MS)
  return Math.min(Math.max(restMs, lookMs), MAX_REST_LOOK_MS)
}
