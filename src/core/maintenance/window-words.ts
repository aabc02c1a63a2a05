import { lengthInWords } from '../duration.ts'
import { phrase } from '../language/phrase.ts'
import { ENGLISH, type Translator } from '../language/translate.ts'
import { wallMsOf } from './local-time.ts'
import { type Recurrence, type RuleDay, readRule, WEEKDAYS, type Weekday } from './recurrence.ts'
import {
  type MaintenanceWindow,
  type OneOffWindow,
  type RecurringWindow,
  SWITCH_PASSING_SECONDS,
} from './window.ts'

type Say = Translator['t']

const DAY_NAMES = [
  phrase('Monday'),
  phrase('Tuesday'),
  phrase('Wednesday'),
  phrase('Thursday'),
  phrase('Friday'),
  phrase('Saturday'),
  phrase('Sunday'),
] as const
const MONTH_NAMES = [
  phrase('January'),
  phrase('February'),
  phrase('March'),
  phrase('April'),
  phrase('May'),
  phrase('June'),
  phrase('July'),
  phrase('August'),
  phrase('September'),
  phrase('October'),
  phrase('November'),
  phrase('December'),
] as const
const OFTEN = {
  DAILY: phrase('{count, plural, one {Every day} other {Every # days}}'),
  WEEKLY: phrase('{count, plural, one {Every week} other {Every # weeks}}'),
  MONTHLY: phrase('{count, plural, one {Every month} other {Every # months}}'),
  YEARLY: phrase('{count, plural, one {Every year} other {Every # years}}'),
} as const

/** Where a sentence is read: the zone that its times are in first, and the locale of its dates. */
type Place = { zone: string; locale: string }

/** A window in one sentence: `Every first Sunday of the month at 02:00 for 2 hours, Europe/Berlin`. */
export function windowInWords(window: MaintenanceWindow, t: Say = ENGLISH.t, place?: Place): string {
  switch (window.kind) {
    case 'one_off':
      return onceInWords(window, t, place)
    case 'recurring':
      return recurringInWords(window, t)
    case 'switch': {
      const longest = lengthInWords(window.max_minutes * 60, t)
      if (!window.ends_when_passing) return t('When switched on, for at most {longest}', { longest })
      return t(
        'When switched on, for at most {longest}, or until everything has been passing for {passing}',
        { longest, passing: lengthInWords(SWITCH_PASSING_SECONDS, t) },
      )
    }
  }
}

/** A window that is once has no zone of its own: its times are in that of the reader, and in UTC after it. */
function onceInWords(window: OneOffWindow, t: Say, place: Place | undefined): string {
  const { starts_at: startsAt, ends_at: endsAt } = window
  const length = lengthInWords((endsAt.getTime() - startsAt.getTime()) / 1_000, t)
  const [utcDay, utcTime] = partsOf(startsAt.toISOString())
  if (!place) return t('Once, on {date} at {time} for {length}, UTC', { date: utcDay, time: utcTime, length })
  const [day, time] = localPartsOf(startsAt, place.zone)
  const date = dayInWords(day, place.locale)
  if (place.zone === 'UTC') return t('Once, on {date} at {time} for {length}, UTC', { date, time, length })
  const utc = utcDay === day ? utcTime : `${dayInWords(utcDay, place.locale)}, ${utcTime}`
  const said = { date, time, length, zone: place.zone, utc }
  return t('Once, on {date} at {time} for {length}, {zone} ({utc} UTC)', said)
}

/** The day and the time of `2026-11-28T09:00+01:00`. */
function partsOf(instant: string): [day: string, time: string] {
  return [instant.slice(0, 10), instant.slice(11, 16)]
}

/** The same as the clocks of a zone show an instant. Screens say windows, too: Intl is in every browser. */
function localPartsOf(at: Date, timeZone: string): [day: string, time: string] {
  const format = new Intl.DateTimeFormat('en', { ...LOCAL_PARTS, timeZone })
  const shown = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes) => shown.get(type) ?? ''
  return [`${part('year')}-${part('month')}-${part('day')}`, `${part('hour')}:${part('minute')}`]
}

const LOCAL_PARTS = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const

/** `Sat, 28 Nov 2026`, as the dashboard says days elsewhere. */
function dayInWords(day: string, locale: string): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
  return new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' }).format(new Date(`${day}T00:00Z`))
}

function recurringInWords(window: RecurringWindow, t: Say): string {
  const rule = readRule(window.rule)
  if ('text' in rule) return window.rule
  const [date = '', time = ''] = window.local_start.split('T')
  const startMs = wallMsOf(date)
  const times = {
    days: daysInWords(rule, startMs, t),
    time,
    length: lengthInWords(window.duration_minutes * 60, t),
    zone: window.time_zone,
  }
  const plan = hasCondition(rule)
    ? t('{days}, at {time} for {length}, {zone}', times)
    : t('{days} at {time} for {length}, {zone}', times)
  const ending = endInWords(plan, rule, t)
  if (window.exceptions.length === 0) return ending
  return t('{plan}, except on {dates}', { plan: ending, dates: joined(window.exceptions, 'and', t) })
}

function daysInWords(rule: Recurrence, startMs: number, t: Say): string {
  const { freq, interval, bySetPos } = rule
  const often = t(OFTEN[freq], { count: interval })
  if (bySetPos.length > 0) {
    const places = joined(
      bySetPos.map((place) => t('the {place}', { place: placeInWords(place, t) })),
      'and',
      t,
    )
    return t('{often} on {places} {candidates}', { often, places, candidates: candidatesOf(rule, t) })
  }
  if (isEveryOfWeekdays(rule)) {
    const weekdays = weekdaysOf(rule.byDay.length > 0 ? rule.byDay : [dayOf(startMs)], 'and', t)
    return inMonths(t('Every {weekdays}', { weekdays }), rule, t)
  }
  switch (freq) {
    case 'DAILY': {
      const conditions = narrowed(rule, t)
      return conditions === null ? often : t('{days}, if it is {conditions}', { days: often, conditions })
    }
    case 'WEEKLY': {
      const weekdays = weekdaysOf(rule.byDay.length > 0 ? rule.byDay : [dayOf(startMs)], 'and', t)
      return inMonths(t('{often} on {weekdays}', { often, weekdays }), rule, t)
    }
    case 'MONTHLY': {
      const days = daysOfMonth(rule, startMs, t)
      if (rule.byMonth.length > 0)
        return t('{often} on {days}, if it is {months}', { often, days, months: monthsOf(rule, 'or', t) })
      // "Every first Sunday of the month" for one kind of day, "Every month on the 1st day and the last day" for more.
      const day = interval === 1 ? onlyDay(rule, startMs, t) : null
      return day === null ? t('{often} on {days}', { often, days }) : t('Every {day} of the month', { day })
    }
    case 'YEARLY':
      return yearDays(often, rule, startMs, t)
  }
}

/** Whether the days have a condition behind them: a comma closes it. */
function hasCondition(rule: Recurrence): boolean {
  const { freq, byDay, byMonthDay, byMonth, bySetPos } = rule
  if (bySetPos.length > 0 || freq === 'WEEKLY' || isEveryOfWeekdays(rule)) return false
  if (freq === 'DAILY') return byDay.length + byMonthDay.length + byMonth.length > 0
  return (byMonthDay.length > 0 && byDay.length > 0) || (freq === 'MONTHLY' && byMonth.length > 0)
}

/** Whether it is every one of some weekdays, whatever the frequency: then weeks are what recurs. */
function isEveryOfWeekdays(rule: Recurrence): boolean {
  const { freq, interval, byDay, byMonthDay } = rule
  if (interval !== 1) return false
  if (freq === 'DAILY') return byDay.length > 0 && byMonthDay.length === 0
  return freq === 'WEEKLY' || isOfWeekdays(rule)
}

/** The days of a yearly rule. With neither months nor days it is that of its start. */
function yearDays(often: string, rule: Recurrence, startMs: number, t: Say): string {
  const start = new Date(startMs)
  const days = daysOfMonth(rule, startMs, t)
  if (rule.byMonth.length > 0)
    return t('{often} on {days} of {months}', { often, days, months: monthsOf(rule, 'and', t) })
  if (rule.byDay.length + rule.byMonthDay.length === 0) {
    const month = monthName(start.getUTCMonth() + 1, t)
    return t('{often} on {month} {day}', { often, month, day: start.getUTCDate() })
  }
  if (rule.byMonthDay.length > 0) return t('{often} on {days} of each month', { often, days })
  return rule.byDay.some(({ ordinal }) => ordinal !== null)
    ? t('{often} on {days} of the year', { often, days })
    : t('{often} on every {weekdays}', { often, weekdays: weekdaysOf(rule.byDay, 'and', t) })
}

/** `the first Sunday and the last Friday`, `the 13th day, if it is a Friday`. */
function daysOfMonth({ byDay, byMonthDay }: Recurrence, startMs: number, t: Say): string {
  if (byMonthDay.length === 0 && byDay.length > 0) {
    return byDay.every(({ ordinal }) => ordinal === null)
      ? t('every {weekdays}', { weekdays: weekdaysOf(byDay, 'and', t) })
      : joined(
          byDay.map((day) => weekdayInWords(day, t)),
          'and',
          t,
        )
  }
  const numbers = byMonthDay.length > 0 ? byMonthDay : [new Date(startMs).getUTCDate()]
  const days = joined(
    numbers.map((day) => t('the {place} day', { place: dayPlace(day, t) })),
    'and',
    t,
  )
  if (byDay.length === 0) return days
  const conditions = joined(
    byDay.map(({ ordinal, day }) =>
      ordinal === null ? t('a {weekday}', { weekday: nameOf(day, t) }) : weekdayInWords({ ordinal, day }, t),
    ),
    'or',
    t,
  )
  return t('{days}, if it is {conditions}', { days, conditions })
}

/** `first Sunday`, `3rd day`: the one day of the month that a rule names, or null if it names more. */
function onlyDay({ byDay, byMonthDay }: Recurrence, startMs: number, t: Say): string | null {
  const [named] = byDay
  if (byMonthDay.length === 0 && named) {
    const { ordinal, day } = named
    if (byDay.length > 1 || ordinal === null) return null
    return t('{place} {weekday}', { place: placeInWords(ordinal, t), weekday: nameOf(day, t) })
  }
  if (byDay.length > 0 || byMonthDay.length > 1) return null
  const day = byMonthDay[0] ?? new Date(startMs).getUTCDate()
  return t('{place} day', { place: dayPlace(day, t) })
}

/** The condition of a rule that would otherwise name every day. */
function narrowed(rule: Recurrence, t: Say): string | null {
  const conditions = [
    rule.byMonthDay.length > 0 &&
      joined(
        rule.byMonthDay.map((day) => t('the {place} day of the month', { place: dayPlace(day, t) })),
        'or',
        t,
      ),
    rule.byDay.length > 0 &&
      joined(
        rule.byDay.map(({ day }) => t('a {weekday}', { weekday: nameOf(day, t) })),
        'or',
        t,
      ),
    rule.byMonth.length > 0 && t('in {months}', { months: monthsOf(rule, 'or', t) }),
  ].filter((condition) => condition !== false)
  return conditions.length > 0 ? allOf(conditions, t) : null
}

/** Whether nothing but weekdays says which days. */
function isOfWeekdays({ byDay, byMonthDay }: Pick<Recurrence, 'byDay' | 'byMonthDay'>): boolean {
  return byDay.length > 0 && byMonthDay.length === 0 && byDay.every(({ ordinal }) => ordinal === null)
}

/** The days that BYSETPOS chooses from: `day that is Monday to Friday in June`. */
function candidatesOf(rule: Recurrence, t: Say): string {
  const conditions = [
    isOfWeekdays({ ...rule, byMonthDay: [] })
      ? weekdaysOf(rule.byDay, 'or', t)
      : rule.byDay.length > 0 &&
        joined(
          rule.byDay.map((day) => weekdayInWords(day, t)),
          'or',
          t,
        ),
    rule.byMonthDay.length > 0 &&
      joined(
        rule.byMonthDay.map((day) => t('the {place} of a month', { place: dayPlace(day, t) })),
        'or',
        t,
      ),
  ].filter((condition) => condition !== false)
  const days =
    conditions.length > 0 ? t('day that is {conditions}', { conditions: allOf(conditions, t) }) : t('day')
  return inMonths(days, rule, t)
}

function inMonths(days: string, rule: Recurrence, t: Say): string {
  return rule.byMonth.length > 0 ? t('{days} in {months}', { days, months: monthsOf(rule, 'and', t) }) : days
}

function endInWords(plan: string, { count, until }: Recurrence, t: Say): string {
  if (count !== null) return t('{plan}, {count, plural, one {once} other {# times}}', { plan, count })
  if (until === null) return plan
  const [, year, month, day, hour, minute, isUtc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(until) ?? []
  const time = hour === undefined ? '' : ` ${hour}:${minute}${isUtc ? ' UTC' : ''}`
  return t('{plan}, until {date}', { plan, date: `${year}-${month}-${day}${time}` })
}

/** `Monday to Friday` where they are at least three in a row, `Monday and Wednesday` else. */
function weekdaysOf(days: readonly RuleDay[], word: 'and' | 'or', t: Say): string {
  const places = days.map(({ day }) => WEEKDAYS.indexOf(day)).sort((one, other) => one - other)
  const [first = 0] = places
  const last = places.at(-1) ?? first
  if (places.length === 7) return t('day of the week')
  if (places.length > 2 && last - first === places.length - 1)
    return t('{first} to {last}', { first: dayName(first, t), last: dayName(last, t) })
  return joined(
    places.map((place) => dayName(place, t)),
    word,
    t,
  )
}

function monthsOf({ byMonth }: Recurrence, word: 'and' | 'or', t: Say): string {
  const months = [...byMonth].sort((one, other) => one - other).map((month) => monthName(month, t))
  return joined(months, word, t)
}

function weekdayInWords({ ordinal, day }: RuleDay, t: Say): string {
  const weekday = nameOf(day, t)
  return ordinal === null
    ? t('every {weekdays}', { weekdays: weekday })
    : t('the {place} {weekday}', { place: placeInWords(ordinal, t), weekday })
}

/** `first`, `12th`, `last`, `second-to-last`, `12th-to-last`. */
function placeInWords(place: number, t: Say): string {
  return place > 0
    ? t(
        '{place, selectordinal, =1 {first} =2 {second} =3 {third} =4 {fourth} =5 {fifth} one {#st} two {#nd} few {#rd} other {#th}}',
        { place },
      )
    : t(
        '{place, selectordinal, =1 {last} =2 {second-to-last} =3 {third-to-last} =4 {fourth-to-last} =5 {fifth-to-last} one {#st-to-last} two {#nd-to-last} few {#rd-to-last} other {#th-to-last}}',
        { place: -place },
      )
}

/** The place of a day in its month: `1st`, `last`. */
function dayPlace(day: number, t: Say): string {
  if (day < 0) return placeInWords(day, t)
  return t('{number, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { number: day })
}

function dayOf(wallMs: number): RuleDay {
  return { ordinal: null, day: WEEKDAYS[(new Date(wallMs).getUTCDay() + 6) % 7] ?? 'MO' }
}

function nameOf(day: Weekday, t: Say): string {
  return dayName(WEEKDAYS.indexOf(day), t)
}

function dayName(place: number, t: Say): string {
  return t(DAY_NAMES[place] ?? '')
}

function monthName(month: number, t: Say): string {
  return t(MONTH_NAMES[month - 1] ?? '')
}

/** `a and b and c`: each of the parts may be a list of its own. */
function allOf(conditions: readonly string[], t: Say): string {
  return conditions.reduce((words, last) => t('{words} and {last}', { words, last }))
}

function joined(list: readonly string[], word: 'and' | 'or', t: Say): string {
  if (list.length < 2) return list.join()
  const said = { words: list.slice(0, -1).join(', '), last: list.at(-1) }
  return word === 'and' ? t('{words} and {last}', said) : t('{words} or {last}', said)
}
