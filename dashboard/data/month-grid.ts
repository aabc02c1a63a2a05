import { addDays, instantOf, localDateOf } from './zone-time.ts'

const WEEK = 7
const MONDAY = 1

/** A day of the calendar in a zone, from midnight to midnight: 23 hours or 25 where clocks change. */
export type GridDay = { date: string; from: Date; to: Date; isInMonth: boolean }

type Spanned = { starts_at: string; ends_at: string }

/** A stretch of days of one week that an occurrence touches. `first` and `last` are places in the week. */
export type Bar<O extends Spanned> = {
  occurrence: O
  first: number
  last: number
  /** The line of the week that it takes, so that no two bars lie on each other. */
  lane: number
  /** Whether it began in an earlier week, or goes on in a later one. */
  isContinued: boolean
  continues: boolean
}

export type GridWeek<O extends Spanned> = { days: GridDay[]; bars: Bar<O>[] }

/** The days of whole weeks, from Monday on, that a month such as `2027-03` touches. */
export function monthDays(month: string, zone: string): GridDay[] {
  const first = `${month}-01`
  const weekday = new Date(`${first}T00:00Z`).getUTCDay()
  const start = addDays(first, -((weekday - MONDAY + WEEK) % WEEK))
  const days: GridDay[] = []
  for (let date = start; date.slice(0, 7) <= month || days.length % WEEK > 0; date = addDays(date, 1)) {
    days.push({
      date,
      from: midnightOf(date, zone),
      to: midnightOf(addDays(date, 1), zone),
      isInMonth: date.startsWith(month),
    })
  }
  return days
}

/** The weeks of a month, each with the bars of the occurrences that touch it. */
export function monthWeeks<O extends Spanned>(days: GridDay[], occurrences: readonly O[]): GridWeek<O>[] {
  return Array.from({ length: days.length / WEEK }, (_, week) => {
    const ofWeek = days.slice(week * WEEK, (week + 1) * WEEK)
    return { days: ofWeek, bars: barsOf(ofWeek, occurrences) }
  })
}

/** The occurrences that touch a day. */
export function onDay<O extends Spanned>({ from, to }: GridDay, occurrences: readonly O[]): O[] {
  return occurrences.filter((one) => startOf(one) < to.getTime() && endOf(one) > from.getTime())
}

/** `2027-01` after `2026-12`. */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

export function monthOf(at: Date, zone: string): string {
  return localDateOf(at, zone).slice(0, 7)
}

function barsOf<O extends Spanned>(days: GridDay[], occurrences: readonly O[]): Bar<O>[] {
  const [monday, sunday] = [days[0], days.at(-1)] as [GridDay, GridDay]
  const takenUntil: number[] = []
  const touching = occurrences
    .filter((one) => startOf(one) < sunday.to.getTime() && endOf(one) > monday.from.getTime())
    .sort((one, other) => startOf(one) - startOf(other) || endOf(other) - endOf(one))
  return touching.map((occurrence) => {
    const isOn = (day: GridDay) => onDay(day, [occurrence]).length > 0
    const first = days.findIndex(isOn)
    const last = days.findLastIndex(isOn)
    const free = takenUntil.findIndex((place) => place < first)
    const lane = free < 0 ? takenUntil.length : free
    takenUntil[lane] = last
    return {
      occurrence,
      first,
      last,
      lane,
      isContinued: startOf(occurrence) < monday.from.getTime(),
      continues: endOf(occurrence) > sunday.to.getTime(),
    }
  })
}

/** Some zones change their clocks at midnight: then the day begins when the gap is over. */
function midnightOf(date: string, zone: string): Date {
  return instantOf(`${date}T00:00`, zone) as Date
}

function startOf({ starts_at }: Spanned): number {
  return Date.parse(starts_at)
}

function endOf({ ends_at }: Spanned): number {
  return Date.parse(ends_at)
}
