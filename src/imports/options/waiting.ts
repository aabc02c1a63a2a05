import { type Said, said } from '../../core/language/said.ts'
import { DEFAULT_ZONE } from '../../core/monitors/heartbeats/job-schedule.ts'
import { MAX_GRACE_SECONDS } from '../../core/monitors/options/heartbeats.ts'
import { type MonitorOptions, mergeOptions } from '../../core/monitors/options/monitor-options.ts'
import { describeSeconds } from '../../core/moving-in/intervals.ts'

/** How the other service waited for a job. */
export type OldWaiting = { schedule?: string; timeZone?: string; graceSeconds: number }

/** The options of a heartbeat that come nearest. A value beyond a bound is said. */
export function fittedWaiting(
  { schedule, timeZone, graceSeconds }: OldWaiting,
  notes: Said[],
): MonitorOptions | null {
  const wanted = Math.ceil(graceSeconds)
  if (wanted > MAX_GRACE_SECONDS)
    notes.push(
      said('is down {now} after a ping was due, not {before}: the maximum', {
        now: describeSeconds(MAX_GRACE_SECONDS),
        before: describeSeconds(wanted),
      }),
    )
  return mergeOptions(null, {
    schedule: schedule ?? null,
    timezone: schedule === undefined || timeZone === DEFAULT_ZONE ? null : (timeZone ?? null),
    grace_seconds: Math.min(wanted, MAX_GRACE_SECONDS),
  })
}
