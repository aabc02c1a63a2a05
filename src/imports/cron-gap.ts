import { cronFields, cronRuns } from './cron.ts'

const DAY_SECONDS = 86_400
const ENOUGH_DAYS = 2 * 366
/** Schedules with fewer runs in two years are followed for eight, to include a leap year. */
const FEW_RUNS = 30
const ALL_DAYS = 8 * 366

/** The longest time between two runs, in seconds. Null for an invalid expression and for one that never runs. */
export function longestGapSeconds(expression: string, timeZone: string): number | null {
  const parts = cronFields(expression)
  const [minute, hour, ...days] = parts
  if (parts.length !== 5) return null
  try {
    const minutes = cronRuns(`${minute} * * * *`, DAY_SECONDS / 24)
    const times = cronRuns(`0 ${hour} * * *`, DAY_SECONDS).flatMap((at) => minutes.map((past) => at + past))
    const dates = datesOf(days.join(' '))
    const withinDay = longest(times)
    const [first, last] = [times[0], times.at(-1)]
    if (first === undefined || last === undefined || dates.length < 2) return null
    const overNight = longest(dates) - (last - first)
    const gap = Math.max(withinDay, overNight)
    // Daylight saving time moves runs at fixed hours, but not hourly ones.
    return /^\*/.test(hour ?? '') ? gap : gap + clockShiftSeconds(timeZone)
  } catch {
    return null
  }
}

/** The start of each day with a run, in seconds. */
function datesOf(days: string): number[] {
  if (days === '* * *') return [0, DAY_SECONDS]
  const dates = cronRuns(`0 0 ${days}`, ENOUGH_DAYS * DAY_SECONDS)
  return dates.length > FEW_RUNS ? dates : cronRuns(`0 0 ${days}`, ALL_DAYS * DAY_SECONDS)
}

function longest(times: number[]): number {
  return times.reduce((gap, time, index) => Math.max(gap, index > 0 ? time - (times[index - 1] ?? 0) : 0), 0)
}

/** The difference between the largest and the smallest UTC offset of a time zone in a year. */
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
