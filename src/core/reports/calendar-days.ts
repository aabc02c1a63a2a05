import { DAY_MS } from '../history/history-span.ts'
import { localDateOf, wallMsOf } from '../maintenance/local-time.ts'

/** Days of a calendar, of no zone; the last one is part of it. */
export type DayRange = { from: string; to: string }

/** As long as hours of servers are kept on every plan. */
export const MAX_REPORT_DAYS = 400
/** Bars of one subject; a longer range has several days to a bar. */
export const MAX_REPORT_BARS = 92

export function dayAfter(date: string, days = 1): string {
  return localDateOf(wallMsOf(date) + days * DAY_MS)
}

/** How many days a range has; below 1 if it ends before it begins. */
export function daysIn({ from, to }: DayRange): number {
  return Math.round((wallMsOf(to) - wallMsOf(from)) / DAY_MS) + 1
}

/** The days that each bar stands for, in order; the last one may have fewer. */
export function barsOf(range: DayRange): DayRange[] {
  const step = Math.ceil(daysIn(range) / MAX_REPORT_BARS)
  const bars: DayRange[] = []
  for (let from = range.from; from <= range.to; from = dayAfter(from, step)) {
    const to = dayAfter(from, step - 1)
    bars.push({ from, to: to < range.to ? to : range.to })
  }
  return bars
}

/** `2026-11`. */
export function monthOf(date: string): string {
  return date.slice(0, 7)
}

export function daysOfMonth(month: string): DayRange {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return { from: `${month}-01`, to: localDateOf(Date.UTC(year, number, 0)) }
}

/** The month so many before or after; 1 is the next one. */
export function monthAfter(month: string, months = 1): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return localDateOf(Date.UTC(year, number - 1 + months, 1)).slice(0, 7)
}

/** The month of a range that is exactly one; null for any other. */
export function wholeMonth({ from, to }: DayRange): string | null {
  const month = monthOf(from)
  const days = daysOfMonth(month)
  return days.from === from && days.to === to ? month : null
}
