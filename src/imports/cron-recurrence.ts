import { type Said, said } from '../core/language/said.ts'
import { type Recurrence, type RuleDay, WEEKDAYS } from '../core/maintenance/recurrence.ts'
import { CRON_FROM_MS, cronFields, cronRuns } from './cron.ts'

const DAY_SECONDS = 86_400
/** The bound of one day: each time becomes a window of its own. */
export const MAX_CRON_TIMES = 24

/** The same days as a recurrence, and the times of day, such as `02:30`. */
export type CronRecurrence = { days: Recurrence; times: string[] }

/** Each day of a recurrence, with nothing else said. */
export const EVERY_DAY: Recurrence = {
  freq: 'DAILY',
  interval: 1,
  byMonth: [],
  byMonthDay: [],
  byDay: [],
  bySetPos: [],
  count: null,
  until: null,
}

/** Says exactly what a cron expression does, as an RRULE; a sentence gives the reason where that is impossible. */
export function recurrenceOfCron(expression: string): CronRecurrence | Said {
  const fields = cronFields(expression)
  const seconds = fields.length === 6 ? fields.shift() : '0'
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] = fields
  if (fields.length !== 5) return said('its cron expression has not five fields')
  if (!/^0+$/.test(seconds ?? '')) return said('its cron expression begins at other seconds than 0')
  if (dayOfMonth !== '*' && dayOfWeek !== '*')
    return said('its cron expression names days of the month or of the week, and no rule here says "or"')
  try {
    const days = daysOf(dayOfMonth, month, dayOfWeek)
    const times = timesOf(minute, hour)
    if (days === null || times.length === 0)
      return said('its cron expression says {expression}, which no rule here does', { expression })
    if (times.length <= MAX_CRON_TIMES) return { days, times }
    return said('its cron expression begins {count} times a day: {max} are the most that become windows', {
      count: times.length,
      max: MAX_CRON_TIMES,
    })
  } catch {
    return said('its cron expression is not valid')
  }
}

function timesOf(minute: string, hour: string): string[] {
  const minutes = cronRuns(`${minute} * * * *`, DAY_SECONDS / 24)
  const hours = cronRuns(`0 ${hour} * * *`, DAY_SECONDS)
  return hours.flatMap((at) =>
    minutes.map((past) => new Date((at + past) * 1_000).toISOString().slice(11, 16)),
  )
}

/** Null where a field holds what is read in several ways. Throws for an invalid field. */
function daysOf(dayOfMonth: string, month: string, dayOfWeek: string): Recurrence | null {
  const byMonth = monthsOf(month)
  const byMonthDay = monthDaysOf(dayOfMonth)
  const byDay = weekdaysOf(dayOfWeek)
  if (!byMonth || !byMonthDay || !byDay) return null
  const days = { ...EVERY_DAY, byMonth, byMonthDay, byDay }
  if (byDay.some(({ ordinal }) => ordinal !== null) || byMonthDay.length > 0)
    return { ...days, freq: byMonth.length > 0 ? 'YEARLY' : 'MONTHLY' }
  return { ...days, freq: byDay.length > 0 ? 'WEEKLY' : 'DAILY' }
}

/** The characters of each field: others mean something else from one program to the next. */
const PLAIN = /^[a-z\d*,/-]+$/i

/** Empty for each month. */
function monthsOf(field: string): number[] | null {
  if (!PLAIN.test(field)) return null
  const days = cronRuns(`0 0 1 ${field} *`, 365 * DAY_SECONDS)
  const months = days.map((at) => new Date(CRON_FROM_MS + at * 1_000).getUTCMonth() + 1)
  return months.length === 12 ? [] : months
}

/** Empty for each day; -1 for the last one of a month. */
function monthDaysOf(field: string): number[] | null {
  const entries = field.split(',')
  const numbers = entries.filter((entry) => entry.toUpperCase() !== 'L')
  if (!numbers.every((entry) => /^[\d*/-]+$/.test(entry))) return null
  const last = numbers.length < entries.length ? [-1] : []
  if (numbers.length === 0) return last
  const days = cronRuns(`0 0 ${numbers.join()} 1 *`, 31 * DAY_SECONDS).map((at) => at / DAY_SECONDS + 1)
  return days.length === 31 ? [] : [...days, ...last]
}

/** Empty for each day. `MON#1` is the first Monday of a month, `FRI#L` the last Friday. */
function weekdaysOf(field: string): RuleDay[] | null {
  const entries = field.split(',')
  const found: RuleDay[] = []
  const plain: string[] = []
  for (const entry of entries) {
    const [, day, place] = /^([a-z\d]+)#([1-5L])$/i.exec(entry) ?? []
    if (day === undefined || place === undefined) plain.push(entry)
    else {
      const ordinal = place.toUpperCase() === 'L' ? -1 : Number(place)
      found.push(...plainWeekdays(day).map(({ day }) => ({ ordinal, day })))
    }
  }
  if (!plain.every((entry) => PLAIN.test(entry) && !/\dL/i.test(entry))) return null
  const each = plain.length > 0 ? plainWeekdays(plain.join()) : []
  return each.length === 7 ? [] : [...each, ...found]
}

function plainWeekdays(field: string): RuleDay[] {
  return cronRuns(`0 0 * * ${field}`, 7 * DAY_SECONDS).flatMap((at) => {
    const day = WEEKDAYS[at / DAY_SECONDS]
    return day ? [{ ordinal: null, day }] : []
  })
}
