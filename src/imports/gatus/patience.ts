import { type Said, said } from '../../core/language/said.ts'
import { type Fields, numberOf, textOf } from '../fields.ts'
import type { OldPatience } from '../options/patience.ts'
import { secondsOfGoDuration } from './go-duration.ts'

/** Gatus, unless told otherwise, alerts at the third failure in a row, and recovers at the second success. */
const FAILURES = 3
const SUCCESSES = 2

/**
 * When an endpoint's alerts told of it: here the monitor itself has that, for all of its contacts, so the first of several
 * alerts counts.
 */
export function patienceThere(
  alerts: readonly Fields[],
  { heartbeat }: Fields,
  intervalSeconds: number,
  notes: Said[],
): OldPatience {
  if (alerts.length === 0) return {}
  const failures = alerts.map((alert) => numberOf(alert['failure-threshold']) ?? FAILURES)
  const successes = alerts.map((alert) => numberOf(alert['success-threshold']) ?? SUCCESSES)
  const reminders = alerts.map(
    (alert) => secondsOfGoDuration(textOf(alert['minimum-reminder-interval'])) ?? 0,
  )
  const attempts = Math.min(...failures)
  if ([failures, successes, reminders].some((values) => new Set(values).size > 1))
    notes.push(
      said(
        'had alerts with thresholds or reminders of their own: here the earliest holds for all of its contacts',
      ),
    )
  if (heartbeat !== undefined && attempts > 1)
    notes.push(said('alerted after several silences in a row: here the first one alerts'))
  const repeats = reminders.filter((seconds) => seconds > 0)
  return {
    attempts,
    retrySeconds: intervalSeconds,
    recoveryChecks: Math.min(...successes),
    ...(repeats.length > 0 && { repeatSeconds: Math.min(...repeats) }),
  }
}
