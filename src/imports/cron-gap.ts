import { Cron } from 'croner'
import { entryOf } from './fields.ts'

const DAY_SECONDS = 86_400
/** Any time will do, since schedules repeat: this begins a week, a month and a year. */
const FROM = Date.UTC(2029, 0, 1)
const ENOUGH_DAYS = 2 * 366
/** What runs less often than this in that time is followed until every calendar has come by. */
const FEW_RUNS = 30
const ALL_DAYS = 8 * 366

/** Seconds from a run to the next when they are furthest apart; null for what is no cron expression, or never runs. */
export function longestGapSeconds(expression: string, timeZone: string): number | null {
  const parts = (entryOf(SHORT_FORMS, expression.trim().toLowerCase()) ?? expression).trim().split(/\s+/)
  const [minute, hour, ...days] = parts
  if (parts.length !== 5) return null
  try {
    const minutes = runs(`${minute} * * * *`, DAY_SECONDS / 24)
    const times = runs(`0 ${hour} * * *`, DAY_SECONDS).flatMap((at) => minutes.map((past) => at + past))
    const dates = datesOf(days.join(' '))
    const withinDay = longest(times)
    const [first, last] = [times[0], times.at(-1)]
    if (first === undefined || last === undefined || dates.length < 2) return null
    const overNight = longest(dates) - (last - first)
    const gap = Math.max(withinDay, overNight)
    // An hour that is skipped in spring or repeated in autumn moves runs at set hours, not those of every hour.
    return /^\*/.test(hour ?? '') ? gap : gap + clockShiftSeconds(timeZone)
  } catch {
    return null
  }
}

const SHORT_FORMS: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

/** Starts of the days on which something runs. */
function datesOf(days: string): number[] {
  if (days === '* * *') return [0, DAY_SECONDS]
  const dates = runs(`0 0 ${days}`, ENOUGH_DAYS * DAY_SECONDS)
  return dates.length > FEW_RUNS ? dates : runs(`0 0 ${days}`, ALL_DAYS * DAY_SECONDS)
}

/** Seconds from the start to each run before `until`; in UTC, where every day has 24 hours. */
function runs(expression: string, until: number): number[] {
  const cron = new Cron(expression, { timezone: 'UTC', mode: '5-part' })
  const found: number[] = []
  // A run at the very start counts, too.
  let at = cron.nextRun(new Date(FROM - 1_000))
  while (at && at.getTime() < FROM + until * 1_000) {
    found.push((at.getTime() - FROM) / 1_000)
    at = cron.nextRun(at)
  }
  return found
}

function longest(times: number[]): number {
  return times.reduce((gap, time, index) => Math.max(gap, index > 0 ? time - (times[index - 1] ?? 0) : 0), 0)
}

/** By how much the clocks of the zone differ over a year. */
function clockShiftSeconds(timeZone: string): number {
  const offsets = Array.from({ length: 12 }, (_, month) => offsetSeconds(timeZone, Date.UTC(2029, month, 15)))
  return Math.max(...offsets) - Math.min(...offsets)
}

function offsetSeconds(timeZone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60)
}
