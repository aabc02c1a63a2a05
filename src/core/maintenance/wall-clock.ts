import { RRuleTemporal } from 'rrule-temporal'
import { putLast } from '../bounded-map.ts'
import { english } from '../language/said.ts'
import { localDateOf, wallMsOf } from './local-time.ts'
import { countsInYear, type Recurrence, readRule } from './recurrence.ts'
import type { RecurringWindow } from './window.ts'

/** The part of a recurring window that says when it begins. */
export type RecurringStart = Pick<RecurringWindow, 'local_start' | 'time_zone' | 'rule' | 'exceptions'>

const DAY_MS = 86_400_000
/** A rule with COUNT is counted from its start on, in steps of this. */
const COUNTED_STEP_MS = 366 * DAY_MS

/**
 * A rule, read once. Days are found as wall-clock times without a zone, and only then become instants: RFC 5545 drops
 * a time that a clock change skips, and a window must not be dropped.
 */
type Series = {
  /** Wall-clock times from the first number to before the second, in order. */
  between: (fromMs: number, toMs: number) => number[]
  /** The last instant that UNTIL lets an occurrence begin at. */
  lastStartMs: number
}

/** Keyed by the window itself, so that each rule is read once while its window is in use. */
const known = new WeakMap<RecurringStart, Series>()

/** The instants at which a recurring window begins, of wall-clock times in [fromMs, toMs), in order. */
export function startsBetween(window: RecurringStart, fromMs: number, toMs: number): number[] {
  let series = known.get(window)
  if (!series) {
    series = seriesOf(window)
    known.set(window, series)
  }
  const { lastStartMs } = series
  const starts = series
    .between(fromMs, toMs)
    .map((wallMs) => instantOf(wallMs, window.time_zone))
    .filter((startMs) => startMs <= lastStartMs)
  // A zone that skips a whole day, as Apia did, moves an occurrence onto that of the day after.
  return starts.filter((startMs, index) => startMs !== starts[index - 1])
}

/** Clocks are looked at in parts of this length. */
const PART_MS = 16 * DAY_MS
/** More than clocks are off UTC, and more than they are changed by. */
const CHANGE_MARGIN_MS = 2 * DAY_MS
/** The offset from UTC of a zone in a part, by both; null where its clocks change in it or close by. */
const offsets = new Map<string, number | null>()
/** Ten years of forty zones. */
const MAX_OFFSETS = 10_000

/** A time that a clock change skips is moved on by the length of the gap; of one that occurs twice this is the first. */
export function instantOf(wallMs: number, timeZone: string): number {
  const part = Math.floor(wallMs / PART_MS)
  const key = `${part} ${timeZone}`
  let offsetMs = offsets.get(key)
  if (offsetMs === undefined) {
    offsetMs = offsetIn(part, timeZone)
    putLast(offsets, key, offsetMs, MAX_OFFSETS)
  }
  return offsetMs === null ? resolved(wallMs, timeZone) : wallMs - offsetMs
}

function offsetIn(part: number, timeZone: string): number | null {
  const fromMs = part * PART_MS - CHANGE_MARGIN_MS
  const at = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(timeZone)
  const change = at.getTimeZoneTransition('next')
  const isSteady = !change || change.epochMilliseconds > fromMs + PART_MS + 2 * CHANGE_MARGIN_MS
  return isSteady ? at.offsetNanoseconds / 1_000_000 : null
}

function resolved(wallMs: number, timeZone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(wallMs)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime()
    .toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds
}

function seriesOf({ local_start, rule, exceptions }: RecurringStart): Series {
  const recurrence = readRule(rule)
  if ('text' in recurrence) throw new RangeError(`rule ${english(recurrence)}`)
  const startMs = wallMsOf(local_start)
  const until = untilOf(recurrence.until)
  const skipped = new Set(exceptions)
  const expand = expander(recurrence, startMs)
  const uncounted = (fromMs: number, toMs: number) =>
    expand(Math.max(fromMs, startMs), Math.min(toMs, until.wallMs + 1))
  const all = recurrence.count === null ? uncounted : counted(uncounted, recurrence.count, startMs)
  return {
    between: (fromMs, toMs) => {
      const found = all(fromMs, toMs)
      return skipped.size === 0 ? found : found.filter((wallMs) => !skipped.has(localDateOf(wallMs)))
    },
    lastStartMs: until.instantMs,
  }
}

/** The rule without COUNT and UNTIL, which the library would search for without a bound. */
function expander(recurrence: Recurrence, startMs: number) {
  // A day has one occurrence: the first of its set and the last. No other place is ever taken.
  const { freq, bySetPos } = recurrence
  if (freq === 'DAILY' && bySetPos.length > 0 && !bySetPos.some((place) => Math.abs(place) === 1))
    return () => []
  const dtstart = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO('UTC')
  const rules = simplified(recurrence).map(
    ({ interval, byMonth, byMonthDay, byDay, bySetPos }) =>
      new RRuleTemporal({
        freq,
        interval,
        dtstart,
        ...(byMonth.length > 0 && { byMonth }),
        ...(byMonthDay.length > 0 && { byMonthDay }),
        ...(byDay.length > 0 && { byDay: byDay.map(({ ordinal, day }) => `${ordinal ?? ''}${day}`) }),
        ...(bySetPos.length > 0 && freq !== 'DAILY' && { bySetPos }),
      }),
  )
  return (fromMs: number, toMs: number): number[] => {
    if (fromMs >= toMs) return []
    const found = rules.map((rule) =>
      rule
        .between(new Date(fromMs), new Date(toMs - 1), true)
        .map(({ epochMilliseconds }) => epochMilliseconds),
    )
    return found.length === 1
      ? (found[0] ?? [])
      : [...new Set(found.flat())].sort((one, other) => one - other)
  }
}

/**
 * The same days as several rules: the library (2.2.8) is wrong about ordinals that count in a year where a year has
 * no 53rd of them, or where others stand beside them. The 20th Monday is the 20th place among Mondays, too.
 */
function simplified(recurrence: Recurrence): Recurrence[] {
  if (!countsInYear(recurrence) || recurrence.byDay.every(({ ordinal }) => ordinal === null))
    return [recurrence]
  const byWeekday = Map.groupBy(recurrence.byDay, ({ day }) => day)
  return [...byWeekday].map(([day, same]) => {
    const ordinals = same.flatMap(({ ordinal }) => ordinal ?? [])
    const bySetPos = ordinals.length === same.length ? ordinals : []
    return { ...recurrence, byDay: [{ ordinal: null, day }], bySetPos }
  })
}

/** The first `count` of them, counted no further than needed. */
function counted(expand: (fromMs: number, toMs: number) => number[], count: number, startMs: number) {
  const found: number[] = []
  let reachedMs = startMs
  return (fromMs: number, toMs: number): number[] => {
    while (reachedMs < toMs && found.length < count) {
      found.push(...expand(reachedMs, reachedMs + COUNTED_STEP_MS))
      reachedMs += COUNTED_STEP_MS
    }
    found.length = Math.min(found.length, count)
    return found.filter((wallMs) => wallMs >= fromMs && wallMs < toMs)
  }
}

/** UNTIL counts itself in: a date its whole day, a time in the zone as its clocks show it, a time in UTC as an instant. */
function untilOf(until: string | null): { wallMs: number; instantMs: number } {
  if (until === null) return { wallMs: Number.POSITIVE_INFINITY, instantMs: Number.POSITIVE_INFINITY }
  const [date = '', time] = until.split('T')
  const day = date.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
  if (time === undefined) return { wallMs: wallMsOf(day) + DAY_MS - 1, instantMs: Number.POSITIVE_INFINITY }
  const atMs = wallMsOf(`${day}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4, 6)}`)
  if (!time.endsWith('Z')) return { wallMs: atMs, instantMs: Number.POSITIVE_INFINITY }
  return { wallMs: atMs + DAY_MS, instantMs: atMs }
}
