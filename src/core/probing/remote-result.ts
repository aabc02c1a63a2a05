import type { Assertion } from '../expectations/assertion.ts'
import type { CheckResult } from '../monitors/check.ts'
import type { MonitorType } from '../monitors/monitor.ts'
import type { MonitorPatience } from '../monitors/options/patience.ts'
import { CLOCK_TOLERANCE_MS, ENDURANCE_MS, OLDEST_RESULT_MS } from './remote-probe.ts'
import { type Rhythm, regionAt, type Turns } from './turns.ts'

/** After a hand-over, the check of one tick may begin this far into the next one. */
const CARRIED_MS = 5_000
/** A prober that was cut off while turns changed goes by the earlier ones until its membership has ended. */
const TURNS_HEARD_MS = 10_000
/** At most so many answers to requests of one tick are taken whose request a later one has replaced. */
const MAX_UNCLEAR = 4

/** A result of a remote probe that is believed, and the tick of its monitor that it was for; see `whySurplus`. */
export type RemoteFinding = {
  membership: number
  monitorId: number
  type: MonitorType
  revision: number
  checkedAt: Date
  region: string | null
  result: CheckResult
  patience: MonitorPatience
  assertions?: readonly Assertion[] | undefined
  tick: { from: Date; until: Date; region: string; hasTurn: boolean; askedAtMs: number }
}

/** The slots that a remote probe held for a while, as far as the service knows. */
export type Holding = { membership: number; sinceMs: number; untilMs: number; slots: number[] }

/**
 * Why a result of a remote probe cannot be believed; null when it can. The probe may have gone on for a while with the
 * slots that it was last known to hold under a membership.
 */
export function whyImplausible(
  result: { membership: number; checkedAtMs: number; slot: number | undefined },
  holdings: Holding[],
  nowMs: number,
): string | null {
  const { checkedAtMs, slot } = result
  if (checkedAtMs > nowMs + CLOCK_TOLERANCE_MS) return 'it lies in the future'
  if (checkedAtMs < nowMs - OLDEST_RESULT_MS) return 'it comes too late'
  const own = holdings.filter(({ membership }) => membership === result.membership)
  const lastMs = Math.max(...own.map(({ sinceMs }) => sinceMs))
  const wasHeld = own.some(({ sinceMs, untilMs, slots }) => {
    const endMs = sinceMs === lastMs ? untilMs + ENDURANCE_MS : untilMs
    const isThen = checkedAtMs >= sinceMs - CLOCK_TOLERANCE_MS && checkedAtMs <= endMs + CLOCK_TOLERANCE_MS
    return isThen && slot !== undefined && slots.includes(slot)
  })
  return wasHeld ? null : 'the monitor was not its own at that time'
}

/** Whether it may have been the region's turn to check then, by these turns. */
export function mayHaveTurn(
  turns: Turns | null,
  region: string,
  rhythm: Rhythm,
  checkedAtMs: number,
): boolean {
  if (turns === null || checkedAtMs < turns.effectiveAtMs + TURNS_HEARD_MS) return true
  return [checkedAtMs, checkedAtMs - CARRIED_MS].some((atMs) => regionAt(turns, rhythm, atMs) === region)
}

/** The checks recorded for a tick from the region of a remote probe. */
export type TickSoFar = { judged: number; newestJudgedMs: number; unjudged: number }

/**
 * Why a result of a remote probe is one more than was needed; null when it was needed. One check is judged in each tick
 * that is the region's turn (`hasTurn`), and one after each change of the monitor or request for a check (`askedAtMs`,
 * the last of them). A check that could not be judged is tried again.
 */
export function whySurplus(
  result: { checkedAtMs: number; isJudged: boolean },
  due: { intervalMs: number; hasTurn: boolean; askedAtMs: number; lastCheckedAtMs: number },
  soFar: TickSoFar,
): string | null {
  const { intervalMs, hasTurn, askedAtMs, lastCheckedAtMs } = due
  if (!hasTurn && askedAtMs + CLOCK_TOLERANCE_MS <= lastCheckedAtMs)
    return 'its tick is that of another region'
  if (!result.isJudged) {
    return soFar.unjudged < mostUnjudged(intervalMs) ? null : 'more of its tick was not judged than is tried'
  }
  if (soFar.judged === 0) return null
  const isAskedSince = askedAtMs > soFar.newestJudgedMs && askedAtMs <= result.checkedAtMs
  const mayBeAskedSince = askedAtMs + CLOCK_TOLERANCE_MS > soFar.newestJudgedMs
  if (isAskedSince || (mayBeAskedSince && soFar.judged <= MAX_UNCLEAR)) return null
  return 'its tick was checked already'
}

/** Tries follow after 0, 1, 2, 4, … seconds until the next tick, and start over with a new prober. */
function mostUnjudged(intervalMs: number): number {
  return 2 * (2 + Math.ceil(Math.log2(1 + intervalMs / 1_000)))
}
