import { unitsOf } from '../duration.ts'
import { CHECK_INTERVALS_MINUTES, MAX_INTERVAL_SECONDS } from '../monitors/monitor.ts'
import type { Limits } from './outcome.ts'

type Fitted = {
  check_interval_minutes: (typeof CHECK_INTERVALS_MINUTES)[number]
  check_interval_seconds: number | null
}

/** Rounds an interval up to whole seconds, and keeps it between the plan's minimum and a year. */
export function fitInterval(seconds: number, limits: Limits): Fitted {
  const fitted = Math.min(Math.max(Math.ceil(seconds), limits.min_interval_seconds), MAX_INTERVAL_SECONDS)
  const allowed = CHECK_INTERVALS_MINUTES.filter((minutes) => minutes >= limits.min_interval_minutes)
  const exact = allowed.find((minutes) => minutes * 60 === fitted)
  if (exact !== undefined) return { check_interval_minutes: exact, check_interval_seconds: null }
  const nearest = allowed.findLast((minutes) => minutes * 60 <= fitted) ?? allowed[0] ?? 60
  return { check_interval_minutes: nearest, check_interval_seconds: fitted }
}

const WORDS = {
  day: (count: number) => (count > 1 ? 'days' : 'day'),
  hour: () => 'h',
  minute: () => 'min',
  second: () => 's',
} as const

/** Formats seconds for people, such as `1 day`, `1 min 30 s` or `1 day 1 h`. */
export function describeSeconds(seconds: number): string {
  if (seconds < 0) return `-${describeSeconds(-seconds)}`
  const parts = unitsOf(Math.ceil(seconds))
  return parts.map(({ unit, count }) => `${count} ${WORDS[unit](count)}`).join(' ') || '0 s'
}
