import { type CheckStatus, type FoundStatus, passes } from '../monitors/check.ts'
import {
  addToBucket,
  bucketOf,
  countIn,
  type Extent,
  type Histogram,
  joinedExtent,
  mergeInto,
  quantiles,
} from './histogram.ts'

/** The number of checks per status. Those that failed under maintenance count neither as passed nor as failed. */
export type CheckCounts = Record<FoundStatus, number>

/**
 * The summary of many checks. Response times cover only checks that passed, so that fast error pages do not
 * improve them; `responseTimeSumMs` is their sum, `extent` has the least and the largest (null without any, too).
 */
export type RollUp = CheckCounts & { responseTimeSumMs: number; histogram: Histogram; extent: Extent }

/** Milliseconds, not rounded; null without any response time. */
export type Latency = { p50: number | null; p95: number | null; p99: number | null; mean: number | null }

export function emptyRollUp(): RollUp {
  return { pending: 0, up: 0, down: 0, degraded: 0, responseTimeSumMs: 0, histogram: new Map(), extent: null }
}

export function addCheck(
  rollUp: RollUp,
  check: { status: CheckStatus; responseTimeMs: number | null },
): void {
  if (check.status === 'maintenance') return
  rollUp[check.status]++
  if (check.responseTimeMs === null || !passes(check.status)) return
  const ms = check.responseTimeMs
  const { extent, histogram } = rollUp
  if (histogram.size === 0) rollUp.extent = { min: ms, max: ms }
  else if (extent) rollUp.extent = { min: Math.min(extent.min, ms), max: Math.max(extent.max, ms) }
  rollUp.responseTimeSumMs += ms
  addToBucket(histogram, bucketOf(ms), 1)
}

export function mergeRollUp(rollUp: RollUp, other: RollUp): void {
  rollUp.pending += other.pending
  rollUp.up += other.up
  rollUp.down += other.down
  rollUp.degraded += other.degraded
  rollUp.responseTimeSumMs += other.responseTimeSumMs
  rollUp.extent = joinedExtent(rollUp, other)
  mergeInto(rollUp.histogram, other.histogram)
}

export function latencyOf({ histogram, extent, responseTimeSumMs }: RollUp): Latency {
  const [p50 = null, p95 = null, p99 = null] = quantiles(histogram, [0.5, 0.95, 0.99], extent)
  const count = countIn(histogram)
  return { p50, p95, p99, mean: count === 0 ? null : responseTimeSumMs / count }
}
