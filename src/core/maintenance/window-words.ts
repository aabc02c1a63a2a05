import { lengthInWords } from '../duration.ts'
import { wallMsOf } from './local-time.ts'
import { type Recurrence, type RuleDay, readRule, WEEKDAYS, type Weekday } from './recurrence.ts'
import { type MaintenanceWindow, type RecurringWindow, SWITCH_PASSING_SECONDS } from './window.ts'

const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'] as const
const UNIT_NAMES = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const

/** A window in one sentence: `Every first Sunday of the month at 02:00 for 2 hours, Europe/Berlin`. */
export function windowInWords(window: MaintenanceWindow): string {
  switch (window.kind) {
    case 'one_off': {
      const seconds = (window.ends_at.getTime() - window.starts_at.getTime()) / 1_000
      const start = window.starts_at.toISOString()
      return `Once, on ${start.slice(0, 10)} at ${start.slice(11, 16)} for ${lengthInWords(seconds)}, UTC`
    }
    case 'recurring':
      return recurringInWords(window)
    case 'switch': {
      const early = `, or until everything has been passing for ${lengthInWords(SWITCH_PASSING_SECONDS)}`
      const longest = lengthInWords(window.max_minutes * 60)
      return `When switched on, for at most ${longest}${window.ends_when_passing ? early : ''}`
    }
  }
}

function recurringInWords(window: RecurringWindow): string {
  const rule = readRule(window.rule)
  if (typeof rule === 'string') return window.rule
  const [date = '', time = ''] = window.local_start.split('T')
  const days = daysInWords(rule, wallMsOf(date))
  const length = lengthInWords(window.duration_minutes * 60)
  const exceptions = window.exceptions.length > 0 ? `, except on ${joined(window.exceptions)}` : ''
  return `${days}${days.includes(', if ') ? ',' : ''} at ${time} for ${length}, ${window.time_zone}${endInWords(rule)}${exceptions}`
}

function daysInWords(rule: Recurrence, startMs: number): string {
  const { freq, interval, bySetPos } = rule
  const often = interval === 1 ? `Every ${UNIT_NAMES[freq]}` : `Every ${interval} ${UNIT_NAMES[freq]}s`
  if (bySetPos.length > 0) {
    const chosen = joined(bySetPos.map((place) => `the ${placeInWords(place)}`))
    return `${often} on ${chosen} ${candidatesOf(rule)}`
  }
  switch (freq) {
    case 'DAILY':
      if (interval === 1 && rule.byDay.length > 0 && rule.byMonthDay.length === 0)
        return `Every ${weekdaysOf(rule.byDay)}${monthsOf(rule, ' in ')}`
      return `${often}${narrowed(rule)}`
    case 'WEEKLY': {
      const days = weekdaysOf(rule.byDay.length > 0 ? rule.byDay : [dayOf(startMs)])
      const every = interval === 1 ? `Every ${days}` : `${often} on ${days}`
      return `${every}${monthsOf(rule, ' in ')}`
    }
    case 'MONTHLY': {
      if (interval === 1 && isOfWeekdays(rule))
        return `Every ${weekdaysOf(rule.byDay)}${monthsOf(rule, ' in ')}`
      const days = daysOfMonth(rule, startMs)
      if (rule.byMonth.length > 0) return `${often} on ${days}, if it is ${monthsOf(rule, '', 'or')}`
      // "Every first Sunday of the month" for one kind of day, "Every month on the 1st day and the last day" for more.
      const isOne = interval === 1 && days.startsWith('the ') && !days.includes(' and ')
      return isOne && !days.includes(',') ? `Every ${days.slice(4)} of the month` : `${often} on ${days}`
    }
    case 'YEARLY':
      if (interval === 1 && isOfWeekdays(rule))
        return `Every ${weekdaysOf(rule.byDay)}${monthsOf(rule, ' in ')}`
      return `${often} ${yearDays(rule, startMs)}`
  }
}

/** The days of a yearly rule. With neither months nor days it is that of its start. */
function yearDays(rule: Recurrence, startMs: number): string {
  const start = new Date(startMs)
  const hasDays = rule.byDay.length + rule.byMonthDay.length > 0
  if (rule.byMonth.length > 0) return `on ${daysOfMonth(rule, startMs)} of ${monthsOf(rule, '')}`
  if (!hasDays) return `on ${MONTH_NAMES[start.getUTCMonth()]} ${start.getUTCDate()}`
  if (rule.byMonthDay.length > 0) return `on ${daysOfMonth(rule, startMs)} of each month`
  return rule.byDay.some(({ ordinal }) => ordinal !== null)
    ? `on ${daysOfMonth(rule, startMs)} of the year`
    : `on every ${weekdaysOf(rule.byDay)}`
}

/** `the first Sunday and the last Friday`, `the 13th day, if it is a Friday`. */
function daysOfMonth({ byDay, byMonthDay }: Recurrence, startMs: number): string {
  const named = byDay.map(weekdayInWords)
  if (byMonthDay.length === 0 && named.length > 0) {
    return byDay.every(({ ordinal }) => ordinal === null) ? `every ${weekdaysOf(byDay)}` : joined(named)
  }
  const numbers = byMonthDay.length > 0 ? byMonthDay : [new Date(startMs).getUTCDate()]
  const days = joined(numbers.map((day) => `the ${day > 0 ? nth(day) : placeInWords(day)} day`))
  if (byDay.length === 0) return days
  return `${days}, if it is ${joined(
    byDay.map(({ ordinal, day }) =>
      ordinal === null ? `a ${nameOf(day)}` : weekdayInWords({ ordinal, day }),
    ),
    'or',
  )}`
}

/** The condition of a rule that would otherwise name every day. */
function narrowed(rule: Recurrence): string {
  const conditions = [
    rule.byMonthDay.length > 0 &&
      joined(
        rule.byMonthDay.map((day) => `the ${day > 0 ? nth(day) : placeInWords(day)} day of the month`),
        'or',
      ),
    rule.byDay.length > 0 &&
      joined(
        rule.byDay.map(({ day }) => `a ${nameOf(day)}`),
        'or',
      ),
    rule.byMonth.length > 0 && `in ${monthsOf(rule, '', 'or')}`,
  ].filter((condition) => condition !== false)
  return conditions.length > 0 ? `, if it is ${conditions.join(' and ')}` : ''
}

/** Whether nothing but weekdays says which days: then weeks are what recurs, whatever the frequency. */
function isOfWeekdays({ byDay, byMonthDay }: Recurrence): boolean {
  return byDay.length > 0 && byMonthDay.length === 0 && byDay.every(({ ordinal }) => ordinal === null)
}

/** The days that BYSETPOS chooses from: `day that is Monday to Friday in June`. */
function candidatesOf(rule: Recurrence): string {
  const conditions = [
    isOfWeekdays({ ...rule, byMonthDay: [] })
      ? weekdaysOf(rule.byDay, 'or')
      : rule.byDay.length > 0 && joined(rule.byDay.map(weekdayInWords), 'or'),
    rule.byMonthDay.length > 0 &&
      joined(
        rule.byMonthDay.map((day) => `the ${day > 0 ? nth(day) : placeInWords(day)} of a month`),
        'or',
      ),
  ].filter((condition) => condition !== false)
  const which = conditions.length > 0 ? ` that is ${conditions.join(' and ')}` : ''
  return `day${which}${monthsOf(rule, ' in ')}`
}

function endInWords({ count, until }: Recurrence): string {
  if (count !== null) return count === 1 ? ', once' : `, ${count} times`
  if (until === null) return ''
  const [, year, month, day, hour, minute, isUtc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(until) ?? []
  const time = hour === undefined ? '' : ` ${hour}:${minute}${isUtc ? ' UTC' : ''}`
  return `, until ${year}-${month}-${day}${time}`
}

/** `Monday to Friday` where they are at least three in a row, `Monday and Wednesday` else. */
function weekdaysOf(days: readonly RuleDay[], word = 'and'): string {
  const places = days.map(({ day }) => WEEKDAYS.indexOf(day)).sort((one, other) => one - other)
  const [first = 0] = places
  const last = places.at(-1) ?? first
  if (places.length === 7) return 'day of the week'
  if (places.length > 2 && last - first === places.length - 1)
    return `${DAY_NAMES[first]} to ${DAY_NAMES[last]}`
  return joined(
    places.map((place) => DAY_NAMES[place] ?? ''),
    word,
  )
}

function monthsOf({ byMonth }: Recurrence, before: string, word = 'and'): string {
  const months = [...byMonth].sort((one, other) => one - other).map(monthName)
  return months.length > 0 ? `${before}${joined(months, word)}` : ''
}

function weekdayInWords({ ordinal, day }: RuleDay): string {
  return ordinal === null ? `every ${nameOf(day)}` : `the ${placeInWords(ordinal)} ${nameOf(day)}`
}

/** `first`, `12th`, `last`, `second-to-last`, `12th-to-last`. */
function placeInWords(place: number): string {
  if (place === -1) return 'last'
  const word = ORDINALS[Math.abs(place) - 1] ?? nth(Math.abs(place))
  return place > 0 ? word : `${word}-to-last`
}

function nth(number: number): string {
  const ending =
    number % 100 > 10 && number % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${ending}`
}

function dayOf(wallMs: number): RuleDay {
  return { ordinal: null, day: WEEKDAYS[(new Date(wallMs).getUTCDay() + 6) % 7] ?? 'MO' }
}

function nameOf(day: Weekday): string {
  return DAY_NAMES[WEEKDAYS.indexOf(day)] ?? day
}

function monthName(month: number): string {
  return MONTH_NAMES[month - 1] ?? ''
}

function joined(words: readonly string[], last = 'and'): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
