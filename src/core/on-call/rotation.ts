import { wallMsOf } from '../maintenance/local-time.ts'
import { WEEKDAYS } from '../maintenance/recurrence.ts'
import { instantOf } from '../maintenance/wall-clock.ts'
import type { Layer, LayerHours } from './schedule.ts'

const DAY_MS = 86_400_000
const UNIT_MS = { day: DAY_MS, week: 7 * DAY_MS } as const satisfies Record<Layer['unit'], number>
/** More than a zone can be off UTC, and more than the day that a zone can skip. */
const ZONE_MARGIN_MS = 2 * DAY_MS

/** When the turns of a layer begin, counted from 0. Hand-overs follow the clocks, as maintenance windows do. */
type Turns = { lengthMs: number; startMs: (turn: number) => number; near: (atMs: number) => number }

function turnsOf({ unit, every, hand_over_at, hand_over_day, starts_on }: Layer, timeZone: string): Turns {
  const lengthMs = every * UNIT_MS[unit]
  const startDayMs = wallMsOf(starts_on)
  const daysToFirst = unit === 'week' ? (WEEKDAYS.indexOf(hand_over_day) - weekdayOf(startDayMs) + 7) % 7 : 0
  const firstMs = startDayMs + daysToFirst * DAY_MS + timeOfDayMs(hand_over_at)
  return {
    lengthMs,
    startMs: (turn) => instantOf(firstMs + turn * lengthMs, timeZone),
    near: (atMs) => Math.floor((atMs - firstMs) / lengthMs),
  }
}

/** The key of the participant whose turn it is at an instant; null before the first turn. Hours are left aside. */
export function turnAt(layer: Layer, timeZone: string, atMs: number): number | null {
  const { startMs, near } = turnsOf(layer, timeZone)
  let turn = near(atMs)
  while (startMs(turn + 1) <= atMs) turn++
  while (startMs(turn) > atMs) turn--
  return turn < 0 ? null : (layer.rotation[turn % layer.rotation.length] ?? null)
}

/** Whether an instant is in the hours of a layer. */
export function isWithinHours(hours: LayerHours | null, timeZone: string, atMs: number): boolean {
  if (hours === null) return true
  return hoursAround(hours, timeZone, atMs, atMs).some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
}

/** More than hours can follow each other without a gap, unless they never end. */
const LONGEST_HOURS_MS = 8 * DAY_MS

/** The end of the hours that an instant is in, and of those that follow without a gap; null outside of the hours. */
export function hoursEndAfter(hours: LayerHours, timeZone: string, atMs: number): number | null {
  let endMs: number | null = null
  for (const { fromMs, toMs } of hoursAround(hours, timeZone, atMs, atMs + LONGEST_HOURS_MS)) {
    const reachedMs = endMs ?? atMs
    if (fromMs <= reachedMs && reachedMs < toMs) endMs = toMs
  }
  return endMs
}

/** The times in which a layer has somebody, with the key of whom: in order, without overlaps, and all that touch a range. */
export function spansBetween(layer: Layer, timeZone: string, fromMs: number, toMs: number): LayerSpan[] {
  const turns = turnSpans(layer, timeZone, fromMs, toMs)
  if (layer.hours === null) return turns
  const spans: LayerSpan[] = []
  for (const hours of hoursAround(layer.hours, timeZone, fromMs, toMs)) {
    for (const turn of turns) {
      if (turn.toMs <= hours.fromMs) continue
      if (turn.fromMs >= hours.toMs) break
      const span = {
        key: turn.key,
        fromMs: Math.max(turn.fromMs, hours.fromMs, spans.at(-1)?.toMs ?? 0),
        toMs: Math.min(turn.toMs, hours.toMs),
      }
      if (span.fromMs < span.toMs) spans.push(span)
    }
  }
  return spans
}

export type LayerSpan = { key: number; fromMs: number; toMs: number }

function turnSpans(layer: Layer, timeZone: string, fromMs: number, toMs: number): LayerSpan[] {
  const { startMs, near } = turnsOf(layer, timeZone)
  const { rotation } = layer
  const spans: LayerSpan[] = []
  for (let turn = Math.max(0, near(fromMs - ZONE_MARGIN_MS)); startMs(turn) < toMs + ZONE_MARGIN_MS; turn++) {
    const span = {
      key: rotation[turn % rotation.length] ?? 0,
      fromMs: startMs(turn),
      toMs: startMs(turn + 1),
    }
    if (span.fromMs < span.toMs) spans.push(span)
  }
  return spans
}

/** The hours of each day between two instants, and of a few days around. */
function hoursAround(
  { days, from, until }: LayerHours,
  timeZone: string,
  fromMs: number,
  toMs: number,
): { fromMs: number; toMs: number }[] {
  const beginMs = timeOfDayMs(from)
  const endMs = timeOfDayMs(until) + (until <= from ? DAY_MS : 0)
  const firstMs = Math.floor(fromMs / DAY_MS) * DAY_MS - ZONE_MARGIN_MS
  const spans: { fromMs: number; toMs: number }[] = []
  for (let dayMs = firstMs; dayMs <= toMs + ZONE_MARGIN_MS; dayMs += DAY_MS) {
    if (!days.includes(WEEKDAYS[weekdayOf(dayMs)] ?? 'MO')) continue
    spans.push({ fromMs: instantOf(dayMs + beginMs, timeZone), toMs: instantOf(dayMs + endMs, timeZone) })
  }
  return spans
}

/** The place of a day in WEEKDAYS. */
function weekdayOf(wallMs: number): number {
  return (new Date(wallMs).getUTCDay() + 6) % 7
}

/** `09:30` as milliseconds since midnight. */
function timeOfDayMs(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return (hours * 60 + minutes) * 60_000
}
