import { LOCALE, t } from '../../language/language.ts'

const day = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

const ZONED = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(.+)$/

/** From `2027-03-28T03:30+02:00`, the time of a clock in a zone: its day in words, its time and its offset. */
export function readZoned(text: string): { day: string; time: string; offset: string } {
  const [, date = '', time = '', offset = ''] = ZONED.exec(text) ?? []
  return { day: sayDay(date), time, offset }
}

/** A day of the calendar such as `2027-03-28`, in words. */
export function sayDay(date: string): string {
  return date && day.format(new Date(`${date}T00:00Z`))
}

/** `Sun, 28 Mar 2027, 03:30 – 05:30`, with the second day where it is another. */
export function sayZonedSpan(start: string, end: string): string {
  const [from, to] = [readZoned(start), readZoned(end)]
  return `${from.day}, ${from.time} – ${to.day === from.day ? '' : `${to.day}, `}${to.time}`
}

/** `+01:00`, or both where clocks change meanwhile. */
export function sayOffsets(start: string, end: string): string {
  const [from, to] = [readZoned(start).offset, readZoned(end).offset]
  return from === to ? from : t('{before}, then {after}', { before: from, after: to })
}
