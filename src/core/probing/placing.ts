import type { CheckStatus, FoundStatus } from '../monitors/check.ts'
import { type TickSoFar, whySurplus } from './remote-result.ts'

/** Reachability is reported with this delay; a job that pings so shortly before its deadline is late anyway. */
const REACHABILITY_DELAY_MS = 2_000

/** The part of a finding that decides what becomes of it. */
export type PlacedFinding = {
  /** The settings it was found with; null for a ping, which any settings judge. */
  revision: number | null
  checkedAt: Date
  /** Null when there is nothing to judge. */
  status: FoundStatus | null
  isSilence: boolean
  /** False when the process that found it took too long to be sure of it. */
  isStillTrue: boolean
  /** The tick that a remote probe checked for; null for a finding of our own. */
  tick: { intervalMs: number; hasTurn: boolean; askedAtMs: number } | null
}

/** The state of the monitor once it is locked. */
export type PlacedState = {
  /** Null while the monitor is paused or deleted. */
  revision: number | null
  status: CheckStatus
  lastCheckedAt: Date | null
  heartbeatDueAt: Date | null
}

/** Further knowledge of the database about a finding. */
export type PlacedBy = {
  /** `none`: the finding names no membership, since no other process could have found the same. */
  membership: 'none' | 'living' | 'ended'
  /** The checks recorded for the finding's tick; null where it has none. */
  tick: TickOnRecord | null
  /** The database's clock, and the last time jobs are known to have reached us; null for an unknown monitor. */
  reachability: { now: Date; reachableUntil: Date | null } | null
}

/** The checks recorded for a tick, and whether any region has judged one for it. */
export type TickOnRecord = TickSoFar & { isTaken: boolean }

/**
 * `judge`: record it and apply the verdict. `history`: record it without a verdict, since a newer finding was judged.
 * `stale`: it counts no more. `surplus`: a remote probe had no reason to check.
 */
export type Placement = { kind: 'judge' | 'history' | 'stale' } | { kind: 'surplus'; why: string }

/** Decides what becomes of a finding. */
export function place(finding: PlacedFinding, state: PlacedState, seen: PlacedBy): Placement {
  if (isVoid(seen) || isOutdated(finding, state, seen)) return { kind: 'stale' }
  const why = surplusReason(finding, state, seen)
  if (why !== null) return { kind: 'surplus', why }
  return { kind: isJudged(finding, state, seen) ? 'judge' : 'history' }
}

/** The tick once this finding is recorded. */
export function countInTick(finding: PlacedFinding, tick: TickOnRecord): TickOnRecord {
  if (finding.status === null) return tick
  if (finding.status === 'pending') return { ...tick, unjudged: tick.unjudged + 1 }
  return {
    ...tick,
    judged: tick.judged + 1,
    newestJudgedMs: Math.max(tick.newestJudgedMs, finding.checkedAt.getTime()),
  }
}

/**
 * A finding under a membership that has ended is void: the monitor has another prober. From a remote probe, which may
 * have been cut off, it still counts where no region has checked for the same tick.
 */
function isVoid({ membership, tick }: PlacedBy): boolean {
  return membership === 'ended' && (tick === null || tick.isTaken)
}

function isOutdated(finding: PlacedFinding, state: PlacedState, { reachability }: PlacedBy): boolean {
  if (state.revision === null || !finding.isStillTrue) return true
  if (finding.isSilence)
    return !state.heartbeatDueAt || !reachability || !wasSilent(state.heartbeatDueAt, reachability)
  return finding.revision !== null && finding.revision !== state.revision
}

/** Whether nothing came, by the database's clock; only if a ping or report could have reached us. */
export function wasSilent(
  dueAt: Date,
  { now, reachableUntil }: { now: Date; reachableUntil: Date | null },
): boolean {
  const wasReachable =
    reachableUntil === null || reachableUntil.getTime() >= dueAt.getTime() - REACHABILITY_DELAY_MS
  return dueAt <= now && wasReachable
}

function surplusReason(finding: PlacedFinding, state: PlacedState, seen: PlacedBy): string | null {
  const { tick, status, checkedAt } = finding
  if (!tick || !seen.tick || status === null) return null
  return whySurplus(
    { checkedAtMs: checkedAt.getTime(), isJudged: status !== 'pending' },
    {
      intervalMs: tick.intervalMs,
      // A prober that was cut off made every check itself; no other region did.
      hasTurn: tick.hasTurn || seen.membership === 'ended',
      askedAtMs: tick.askedAtMs,
      // A request that was not judged yet is still to be answered.
      lastCheckedAtMs: state.status === 'pending' ? 0 : (state.lastCheckedAt?.getTime() ?? 0),
    },
    seen.tick,
  )
}

/**
 * Two regions that waited for the database write in any order, so only a finding newer than all that was judged is
 * judged: no incident begins or ends twice, or in the wrong order.
 */
function isJudged({ checkedAt }: PlacedFinding, { lastCheckedAt }: PlacedState, seen: PlacedBy): boolean {
  const isNewest = !lastCheckedAt || lastCheckedAt < checkedAt
  return isNewest || (seen.tick === null && seen.membership === 'none')
}
