import { CHECK_INTERVALS_MINUTES, LONGEST_INTERVAL_SECONDS } from '../core/monitor.ts'
import type { Limits } from './outcome.ts'

type Fitted = {
  check_interval_minutes: (typeof CHECK_INTERVALS_MINUTES)[number]
  check_interval_seconds: number | null
}

/** The interval in the fields of a monitor: whole seconds, no shorter than the plan allows, at most a year. */
export function fitInterval(seconds: number, limits: Limits): Fitted {
  const fitted = Math.min(Math.max(Math.ceil(seconds), limits.min_interval_seconds), LONGEST_INTERVAL_SECONDS)
  const allowed = CHECK_INTERVALS_MINUTES.filter((minutes) => minutes >= limits.min_interval_minutes)
  const exact = allowed.find((minutes) => minutes * 60 === fitted)
  if (exact !== undefined) return { check_interval_minutes: exact, check_interval_seconds: null }
  const nearest = allowed.findLast((minutes) => minutes * 60 <= fitted) ?? allowed[0] ?? 60
  return { check_interval_minutes: nearest, check_interval_seconds: fitted }
}

export function secondsOf({ check_interval_minutes, check_interval_seconds }: Fitted): number {
  return check_interval_seconds ?? check_interval_minutes * 60
}

/** Seconds in the largest unit that divides them: `1 day`, `90 min`, `61 s`. */
export function describeSeconds(seconds: number): string {
  if (seconds >= 86_400 && seconds % 86_400 === 0) {
    return `${seconds / 86_400} ${seconds === 86_400 ? 'day' : 'days'}`
  }
  if (seconds >= 3_600 && seconds % 3_600 === 0) return `${seconds / 3_600} h`
  if (seconds >= 60 && seconds % 60 === 0) return `${seconds / 60} min`
  return `${seconds} s`
}
