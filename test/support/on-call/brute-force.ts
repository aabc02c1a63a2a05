import type { Layer } from '../../../src/core/on-call/schedule.ts'
import { firstShowing } from '../maintenance/brute-force.ts'
import type { TestSchedule } from './schedules.ts'

const DAY_MS = 86_400_000
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** The key of who is on call at an instant, by looking at every day since each layer's start; without Temporal. */
export function whoByLooking(schedule: TestSchedule, atMs: number): number | null {
  let found: number | null = null
  for (const layer of schedule.layers) found = layerByLooking(layer, schedule.time_zone, atMs) ?? found
  for (const { participant, startsAt, endsAt } of schedule.overrides) {
    if (startsAt.getTime() <= atMs && atMs < endsAt.getTime()) found = participant
  }
  return found
}

function layerByLooking(layer: Layer, zone: string, atMs: number): number | null {
  const { rotation, unit, every, hand_over_at, hand_over_day, starts_on, hours } = layer
  if (hours && !isOpen(hours, zone, atMs)) return null
  let holder: number | null = null
  let waitedDays = 0
  let handOvers = 0
  for (let day = dayOf(starts_on); day <= atMs + 2 * DAY_MS; day += DAY_MS) {
    if (handOvers === 0 && unit === 'week' && nameOf(day) !== hand_over_day) continue
    if (handOvers > 0) waitedDays++
    if (handOvers > 0 && waitedDays < every * (unit === 'week' ? 7 : 1)) continue
    waitedDays = 0
    if (showing(day, hand_over_at, zone) > atMs) break
    holder = rotation[handOvers % rotation.length] ?? null
    handOvers++
  }
  return holder
}

/** The end of the hours that an instant is in, by asking at every time at which some could end; null outside of them. */
export function hoursEndByLooking(
  hours: NonNullable<Layer['hours']>,
  zone: string,
  atMs: number,
): number | null {
  if (!isOpen(hours, zone, atMs)) return null
  const firstDay = dayOf(new Date(atMs - 4 * DAY_MS).toISOString().slice(0, 10))
  const ends = Array.from({ length: 20 }, (_, index) =>
    showing(firstDay + index * DAY_MS, hours.until, zone),
  ).sort((one, other) => one - other)
  return ends.find((endMs) => endMs > atMs && !isOpen(hours, zone, endMs)) ?? null
}

function isOpen({ days, from, until }: NonNullable<Layer['hours']>, zone: string, atMs: number): boolean {
  for (let day = dayOf(new Date(atMs - 4 * DAY_MS).toISOString().slice(0, 10)); day < atMs + 4 * DAY_MS; ) {
    const next = day + DAY_MS
    const isChosen = days.some((name) => name === nameOf(day))
    const endDay = until > from ? day : next
    if (isChosen && showing(day, from, zone) <= atMs && atMs < showing(endDay, until, zone)) return true
    day = next
  }
  return false
}

/** Asked again and again about the days around the same clock changes. */
const shown = new Map<string, number>()

function showing(day: number, time: string, zone: string): number {
  const key = `${day} ${time} ${zone}`
  let found = shown.get(key)
  if (found === undefined) {
    found = firstShowing(day + Date.parse(`1970-01-01T${time}Z`), zone)
    shown.set(key, found)
  }
  return found
}

function dayOf(date: string): number {
  return Date.parse(`${date}T00:00Z`)
}

function nameOf(day: number): string {
  return WEEKDAYS[new Date(day).getUTCDay()] ?? ''
}
