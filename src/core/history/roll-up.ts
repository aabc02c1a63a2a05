import { type CheckStatus, passes } from '../monitors/check.ts'
import { addToBucket, bucketOf, countIn, type Histogram, mergeInto, quantiles } from './histogram.ts'

/** The number of checks per status. */
export type CheckCounts = Record<CheckStatus, number>

/**
 * The summary of many checks. Response times cover only checks that passed, so that fast error pages do not
 * improve them; `responseTimeSumMs` is their sum.
 */
export type RollUp = CheckCounts & { responseTimeSumMs: number; histogram: Histogram }

/** Milliseconds, not rounded; null without any response time. */
export type Latency = { p50: number | null; p95: number | null; p99: number | null; mean: number | null }

export function emptyRollUp(): RollUp {
  return { pending: 0, up: 0, down: 0, degraded: 0, responseTimeSumMs: 0, histogram: new Map() }
}

export function addCheck(
  rollUp: RollUp,
  check: { status: CheckStatus; responseTimeMs: number | null },
): void {
  rollUp[check.status]++
  if (check.responseTimeMs === null || !passes(check.status)) return
  rollUp.responseTimeSumMs += check.responseTimeMs
  addToBucket(rollUp.histogram, bucketOf(check.responseTimeMs), 1)
}

export function mergeRollUp(rollUp: RollUp, other: RollUp): void {
  rollUp.pending += other.pending
  rollUp.up += other.up
  rollUp.down += other.down
  rollUp.degraded += other.degraded
  rollUp.responseTimeSumMs += other.responseTimeSumMs
  mergeInto(rollUp.histogram, other.histogram)
}

/** Pending checks count neither as up nor as down. */
export type Judged = Omit<CheckCounts, 'pending'>

export function sumOf(parts: Iterable<Judged>): Judged {
  const sum = { up: 0, degraded: 0, down: 0 }
  for (const { up, degraded, down } of parts) {
    sum.up += up
    sum.degraded += degraded
    sum.down += down
  }
  return sum
}

/** The share of judged checks that passed, 0 to 1; null if none was judged. */
export function uptimeOf({ up, degraded, down }: Judged): number | null {
  const judged = up + degraded + down
  return judged === 0 ? null : (up + degraded) / judged
}

export function latencyOf({ histogram, responseTimeSumMs }: RollUp): Latency {
  const [p50 = null, p95 = null, p99 = null] = quantiles(histogram, [0.5, 0.95, 0.99])
  const count = countIn(histogram)
  return { p50, p95, p99, mean: count === 0 ? null : responseTimeSumMs / count }
}
