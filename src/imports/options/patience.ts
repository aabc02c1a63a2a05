import { type Said, said } from '../../core/language/said.ts'
import type { MonitorType } from '../../core/monitors/monitor-types.ts'
import { type MonitorOptions, mergeOptions } from '../../core/monitors/options/monitor-options.ts'
import {
  MAX_ATTEMPTS,
  MAX_RECOVERY_CHECKS,
  MAX_REPEAT_MINUTES,
  MAX_RETRY_SECONDS,
  PATIENCE,
} from '../../core/monitors/options/patience.ts'
import { describeSeconds } from '../../core/moving-in/intervals.ts'

/** How soon a failure counted in the other service, and how often it was told. */
export type OldPatience = {
  /** Failures in a row. */
  attempts?: number
  /** Between them. */
  retrySeconds?: number
  recoveryChecks?: number
  isInverted?: boolean
  repeatSeconds?: number
}

/** The options of a monitor of this type that come nearest; null without any. A value beyond a bound is said. */
export function fittedPatience(type: MonitorType, old: OldPatience, notes: Said[]): MonitorOptions | null {
  const { attempts = 1, retrySeconds, recoveryChecks = 1, isInverted = false, repeatSeconds = 0 } = old
  const isTriedAgain = attempts > 1 && PATIENCE.attempts.has(type)
  if (isTriedAgain && attempts > MAX_ATTEMPTS)
    notes.push(
      said('is down after {now} failed attempts, not {before}: the maximum', {
        now: MAX_ATTEMPTS,
        before: attempts,
      }),
    )
  if (isTriedAgain && retrySeconds !== undefined && retrySeconds > MAX_RETRY_SECONDS)
    notes.push(
      said('is tried again after {now}, not {before}: the maximum', {
        now: describeSeconds(MAX_RETRY_SECONDS),
        before: describeSeconds(retrySeconds),
      }),
    )
  if (recoveryChecks > MAX_RECOVERY_CHECKS)
    notes.push(
      said('is up again after {now} passing checks, not {before}: the maximum', {
        now: MAX_RECOVERY_CHECKS,
        before: recoveryChecks,
      }),
    )
  if (repeatSeconds > MAX_REPEAT_MINUTES * 60)
    notes.push(
      said('repeats its alerts after {now}, not {before}: the maximum', {
        now: describeSeconds(MAX_REPEAT_MINUTES * 60),
        before: describeSeconds(repeatSeconds),
      }),
    )
  return mergeOptions(null, {
    attempts: isTriedAgain ? Math.min(attempts, MAX_ATTEMPTS) : null,
    retry_seconds: isTriedAgain && retrySeconds ? within(retrySeconds, MAX_RETRY_SECONDS) : null,
    recovery_checks: recoveryChecks > 1 ? Math.min(recoveryChecks, MAX_RECOVERY_CHECKS) : null,
    inverted: (isInverted && PATIENCE.inverted.has(type)) || null,
    repeat_minutes: repeatSeconds > 0 ? within(repeatSeconds / 60, MAX_REPEAT_MINUTES) : null,
  })
}

function within(wanted: number, max: number): number {
  return Math.min(Math.max(Math.ceil(wanted), 1), max)
}
