import { type DayRange, wholeMonth } from '../../../src/core/reports/calendar-days.ts'
import { LOCALE, t } from '../../language/language.ts'

const month = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' })

export function sayMonth(name: string): string {
  return month.format(new Date(`${name}-01T00:00Z`))
}

export function sayReportDay(date: string): string {
  return day.format(new Date(`${date}T00:00Z`))
}

/** `November 2026`, or the first and the last day. */
export function sayRange(range: DayRange): string {
  const whole = wholeMonth(range)
  if (whole !== null) return sayMonth(whole)
  return range.from === range.to
    ? sayReportDay(range.from)
    : t('{from} – {to}', { from: sayReportDay(range.from), to: sayReportDay(range.to) })
}
