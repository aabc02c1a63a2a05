import { type Recurrence, readRule } from '../../../src/core/maintenance/recurrence.ts'
import type { RecurringStart } from '../../../src/core/maintenance/wall-clock.ts'

const DAY_MS = 86_400_000
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** A day of the calendar, with what a rule may ask about it. */
type Day = {
  ms: number
  month: number
  day: number
  monthLength: number
  weekday: string
  dayOfYear: number
  yearLength: number
}

/**
 * The instants at which a window begins up to a wall-clock time, by looking at every day since its start: without the
 * library, without Temporal, and with RFC 5545 as the only thing that it shares with the code.
 */
export function startsByLooking(window: RecurringStart, beforeMs: number): number[] {
  const { rule, local_start, exceptions, time_zone } = window
  const key = JSON.stringify([rule, local_start, exceptions, beforeMs])
  // The same days for every zone.
  if (key !== looked.key) looked = { key, wall: daysByLooking(window, beforeMs) }
  const lastMs = /UNTIL=.*Z/.test(rule)
    ? Date.parse(isoOf(/UNTIL=(\w+)/.exec(rule)?.[1] ?? ''))
    : Number.POSITIVE_INFINITY
  const instants = looked.wall.map((ms) => firstShowing(ms, time_zone))
  return [...new Set(instants)].filter((ms) => ms <= lastMs)
}

let looked: { key: string; wall: number[] } = { key: '', wall: [] }

function isoOf(stamp: string): string {
  return stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
}

function daysByLooking(window: RecurringStart, beforeMs: number): number[] {
  const rule = readRule(window.rule)
  if ('text' in rule) throw new Error(rule.text)
  const [date = '', time = ''] = window.local_start.split('T')
  const startDay = Date.parse(`${date}T00:00Z`)
  const timeMs = Date.parse(`1970-01-01T${time}Z`)
  const start = dayOf(startDay)
  const period = periodOf(rule.freq, startDay)

  const chosen: Day[] = []
  let set: Day[] = []
  const close = () => {
    chosen.push(...(rule.bySetPos.length === 0 ? set : set.filter((_, at) => isPlace(at, set.length))))
    set = []
  }
  const isPlace = (at: number, length: number) =>
    rule.bySetPos.some((place) => (place > 0 ? place - 1 : length + place) === at)
  // From the beginning of the start's year, as places are counted in whole periods; and on to the end of the last.
  let last = -1
  for (let ms = Date.UTC(start.year, 0, 1) - 7 * DAY_MS; ms < beforeMs + 366 * DAY_MS; ms += DAY_MS) {
    const number = period(ms)
    if (number < 0) continue
    if (number !== last) close()
    last = number
    if (number % rule.interval === 0 && named(dayOf(ms))) set.push(dayOf(ms))
  }
  close()

  function named(day: Day): boolean {
    const { byMonth, byMonthDay, byDay, freq } = rule as Recurrence
    const hasDays = byMonthDay.length + byDay.length > 0
    if (byMonth.length > 0 && !byMonth.includes(day.month)) return false
    if (
      byMonthDay.length > 0 &&
      !byMonthDay.some((number) => (number > 0 ? number : day.monthLength + 1 + number) === day.day)
    )
      return false
    const isInMonth = freq === 'MONTHLY' || byMonth.length > 0
    const place = isInMonth ? day.day : day.dayOfYear
    const length = isInMonth ? day.monthLength : day.yearLength
    const fits = byDay.some(({ ordinal, day: name }) => {
      if (name !== day.weekday) return false
      if (ordinal === null) return true
      return ordinal > 0 ? Math.ceil(place / 7) === ordinal : Math.ceil((length - place + 1) / 7) === -ordinal
    })
    if (byDay.length > 0 && !fits) return false
    if (hasDays || freq === 'DAILY') return true
    if (freq === 'WEEKLY') return day.weekday === start.weekday
    return day.day === start.day && (freq === 'MONTHLY' || byMonth.length > 0 || day.month === start.month)
  }

  let wall = chosen.map(({ ms }) => ms + timeMs).filter((ms) => ms >= startDay + timeMs)
  if (rule.count !== null) wall = wall.slice(0, rule.count)
  if (rule.until !== null && !rule.until.endsWith('Z')) {
    const until = rule.until.includes('T') ? rule.until : `${rule.until}T235959`
    wall = wall.filter((ms) => stampOf(ms) <= until)
  }
  return wall.filter(
    (ms) => ms < beforeMs && !window.exceptions.includes(new Date(ms).toISOString().slice(0, 10)),
  )
}

function periodOf(freq: string, startDay: number): (ms: number) => number {
  const monday = (ms: number) => Math.floor((ms / DAY_MS + 3) / 7)
  const month = (ms: number) => new Date(ms).getUTCFullYear() * 12 + new Date(ms).getUTCMonth()
  const count = {
    DAILY: (ms: number) => ms / DAY_MS,
    WEEKLY: monday,
    MONTHLY: month,
    YEARLY: (ms: number) => new Date(ms).getUTCFullYear(),
  }[freq]
  if (!count) throw new Error(freq)
  return (ms) => count(ms) - count(startDay)
}

function dayOf(ms: number): Day & { year: number } {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  return {
    ms,
    year,
    month: month + 1,
    day: date.getUTCDate(),
    monthLength: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
    weekday: WEEKDAYS[date.getUTCDay()] ?? '',
    dayOfYear: (ms - Date.UTC(year, 0, 1)) / DAY_MS + 1,
    yearLength: (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / DAY_MS,
  }
}

function stampOf(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]/g, '').slice(0, 15)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The wall-clock time of a zone at an instant, as the milliseconds that UTC would have then. */
export function shownAt(ms: number, timeZone: string): number {
  let clock = clocks.get(timeZone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    clocks.set(timeZone, clock)
  }
  return Date.parse(`${clock.format(ms).replace(' ', 'T')}Z`)
}

/**
 * The first instant at which the clocks show a time; where they never do, that many minutes after the gap as the time
 * lies in it.
 */
export function firstShowing(wallMs: number, timeZone: string): number {
  const before = wallMs - shownAt(wallMs - 2 * DAY_MS, timeZone) - 2 * DAY_MS
  const after = wallMs - shownAt(wallMs + 2 * DAY_MS, timeZone) + 2 * DAY_MS
  const found = [wallMs + before, wallMs + after].sort((one, other) => one - other)
  const [first] = found.filter((ms) => shownAt(ms, timeZone) === wallMs)
  return first ?? wallMs + before
}
