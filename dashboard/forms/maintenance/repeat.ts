import {
  type Frequency,
  type Recurrence,
  type RuleDay,
  readRule,
  WEEKDAYS,
  type Weekday,
} from '../../../src/core/maintenance/recurrence.ts'

/** The ordinals that a choice offers: the first to the fourth, and the last. */
export const ORDINALS = ['1', '2', '3', '4', '-1'] as const

/** How the days of a month are named: by the first occurrence, by a number, or by a weekday. */
export type DayChoice = 'start' | 'number' | 'weekday'

export type RepeatEnd = 'never' | 'count' | 'until'

/** A recurrence as the choices of a form hold it: texts as they were typed. Choices that are not shown keep theirs. */
export type Repeat = {
  freq: Frequency
  interval: string
  /** The days of a week; none: the weekday of the first occurrence. */
  weekdays: Weekday[]
  by: DayChoice
  /** `1` to `31`, or `-1`: the last. */
  monthDay: string
  ordinal: string
  weekday: Weekday
  month: string
  end: RepeatEnd
  count: string
  /** A day: `2027-12-31`. */
  until: string
}

export const WEEKLY: Repeat = {
  freq: 'WEEKLY',
  interval: '1',
  weekdays: [],
  by: 'start',
  monthDay: '1',
  ordinal: '1',
  weekday: 'SU',
  month: '1',
  end: 'never',
  count: '10',
  until: '',
}

/** The rule of the choices. Wrong input stays in it as typed, so that the rule's own faults say so. */
export function ruleOf(repeat: Repeat): string {
  const { freq, interval, weekdays, by, monthDay, ordinal, weekday, month, end, count, until } = repeat
  const isByDay = freq === 'MONTHLY' || freq === 'YEARLY'
  const days = WEEKDAYS.filter((day) => weekdays.includes(day)).join()
  const parts = {
    FREQ: freq,
    INTERVAL: interval.trim() === '1' ? '' : interval.trim() || '0',
    BYMONTH: freq === 'YEARLY' && by !== 'start' ? month : '',
    BYMONTHDAY: isByDay && by === 'number' ? monthDay : '',
    BYDAY: freq === 'WEEKLY' ? days : isByDay && by === 'weekday' ? ordinal + weekday : '',
    COUNT: end === 'count' ? count.trim() || '0' : '',
    UNTIL: end === 'until' ? until.replaceAll('-', '') || '0' : '',
  }
  return Object.entries(parts)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join(';')
}

/** The choices that make a rule; null if they cannot say it all. Those without a say in it are those of `kept`. */
export function repeatOf(rule: string, kept: Repeat = WEEKLY): Repeat | null {
  const read = readRule(rule)
  if ('text' in read || read.bySetPos.length > 0) return null
  const days = daysOf(read, kept)
  const end = endOf(read)
  return days && end && { ...kept, freq: read.freq, interval: String(read.interval), ...days, ...end }
}

function daysOf(rule: Recurrence, kept: Repeat): Partial<Repeat> | null {
  const { freq, byMonth, byMonthDay, byDay } = rule
  switch (freq) {
    case 'DAILY':
      return byMonth.length + byMonthDay.length + byDay.length === 0 ? {} : null
    case 'WEEKLY':
      return byMonth.length === 0 ? { weekdays: byDay.map(({ day }) => day) } : null
    case 'MONTHLY':
      return byMonth.length === 0 ? dayOfMonth(byMonthDay, byDay) : null
    case 'YEARLY': {
      const days = dayOfMonth(byMonthDay, byDay)
      const isByStart = days?.by === 'start'
      // A month without a day, or a day without a month, is a rule of its own.
      if (!days || byMonth.length !== (isByStart ? 0 : 1)) return null
      return { ...days, month: isByStart ? kept.month : String(byMonth[0]) }
    }
  }
}

function dayOfMonth(byMonthDay: number[], byDay: RuleDay[]): Partial<Repeat> | null {
  const [number] = byMonthDay
  const [day] = byDay
  if (byMonthDay.length + byDay.length > 1) return null
  if (number !== undefined) return number >= -1 ? { by: 'number', monthDay: String(number) } : null
  if (!day) return { by: 'start' }
  const ordinal = String(day.ordinal)
  return ORDINALS.some((one) => one === ordinal) ? { by: 'weekday', ordinal, weekday: day.day } : null
}

function endOf({ count, until }: Recurrence): Partial<Repeat> | null {
  if (count !== null) return { end: 'count', count: String(count) }
  if (until === null) return { end: 'never' }
  // A time of day says more than the choice of a day can.
  if (until.includes('T')) return null
  return { end: 'until', until: until.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3') }
}
