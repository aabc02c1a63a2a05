/*
 * Calendar events of systemd, as `OnCalendar=` of a timer takes them (systemd.time(7)): `Mon..Fri *-*-* 09:00`. No package
 * reads them, so they become a pattern of the library that reads cron.
 */

/** A pattern of seven fields, from seconds to years, of which days of the month and of the week must both hold. */
export type CalendarPattern = { pattern: string; timeZone: string | null }

const WORDS = new Map([
  ['minutely', '*-*-* *:*:00'],
  ['hourly', '*-*-* *:00:00'],
  ['daily', '*-*-* 00:00:00'],
  ['weekly', 'Mon *-*-* 00:00:00'],
  ['monthly', '*-*-01 00:00:00'],
  ['quarterly', '*-01,04,07,10-01 00:00:00'],
  ['semiannually', '*-01,07-01 00:00:00'],
  ['semi-annually', '*-01,07-01 00:00:00'],
  ['biannually', '*-01,07-01 00:00:00'],
  ['bi-annually', '*-01,07-01 00:00:00'],
  ['yearly', '*-01-01 00:00:00'],
  ['annually', '*-01-01 00:00:00'],
])

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const [MIN_YEAR, MAX_YEAR] = [1970, 2199]
/** A list has at most this many parts, as systemd has it. */
const MAX_PARTS = 240

/** A text is no calendar event, for the reason in the message. */
export class CalendarError extends Error {}

/** Reads one event. Throws `CalendarError` in words about what it has and should not. */
export function readCalendar(text: string): CalendarPattern {
  const { event, timeZone } = withoutZone(text.trim().split(/\s+/))
  const word = event.length === 1 ? WORDS.get(event[0]?.toLowerCase() ?? '') : undefined
  const parts = word === undefined ? event : word.split(' ')
  const weekdays = /^[a-z]/i.test(parts[0] ?? '') ? weekdaysOf(parts.shift() ?? '') : '*'
  const date = parts[0] === undefined || parts[0].includes(':') ? null : parts.shift()
  const time = parts.shift() ?? '00:00:00'
  if (parts.length > 0) throw new CalendarError(`it is more than a weekday, a date and a time: ${text}`)
  const [second, minute, hour] = timeOf(time)
  const [day, month, year] = date ? dateOf(date) : ['*', '*', '*']
  return { pattern: [second, minute, hour, day, month, weekdays, year].join(' '), timeZone }
}

/** The zone stands last, as `Europe/Berlin` or `UTC`. Words and weekdays have no zone's form where nothing follows them. */
function withoutZone(parts: string[]): { event: string[]; timeZone: string | null } {
  const last = parts.at(-1) ?? ''
  const isZone = parts.length > 1 && /^[a-z][\w+/-]*$/i.test(last) && !isWeekdays(last)
  return isZone ? { event: parts.slice(0, -1), timeZone: last } : { event: parts, timeZone: null }
}

function isWeekdays(text: string): boolean {
  return text
    .split(/\.\.|[,-]/)
    .filter((name) => name !== '')
    .every((name) => weekdayOf(name) !== null)
}

/** 1 for Monday to 7. */
function weekdayOf(name: string): number | null {
  const wanted = name.toLowerCase()
  const found = WEEKDAYS.findIndex((day) => day === wanted || day.slice(0, 3) === wanted)
  return found < 0 ? null : found + 1
}

function weekdaysOf(list: string): string {
  const numbers = list
    .replace(/,$/, '')
    .split(',')
    .flatMap((part) => {
      const [from = '', to = from, ...rest] = part.split(/\.\.|-/)
      const [first, last] = [weekdayOf(from), weekdayOf(to)]
      if (first === null || last === null || last < first || rest.length > 0)
        throw new CalendarError(`these are no weekdays: ${list}`)
      return counted(first, last, 1)
    })
  return sorted(numbers)
}

function timeOf(time: string): [second: string, minute: string, hour: string] {
  const [hour = '', minute = '', second = '00', ...rest] = time.split(':')
  if (rest.length > 0 || minute === '') throw new CalendarError(`it is not a time of day: ${time}`)
  if (!/^\d{1,2}$/.test(second) || Number(second) > 59)
    throw new CalendarError(`it comes more than once a minute, or at a part of a second: ${time}`)
  return [String(Number(second)), numbersOf(minute, 0, 59), numbersOf(hour, 0, 23)]
}

function dateOf(date: string): [day: string, month: string, year: string] {
  const [found, years = '*', months = '', mark, days = ''] =
    /^(?:([\d*./,]+)-)?([\d*./,]+)([-~])([\d*./,]+)$/.exec(date) ?? []
  if (found === undefined) throw new CalendarError(`it is not a date: ${date}`)
  const isFromEnd = mark === '~'
  if (isFromEnd && Number(days) !== 1)
    throw new CalendarError(`of days from the end of a month it takes the last one, ~01: ${date}`)
  return [
    isFromEnd ? 'L' : numbersOf(days, 1, 31),
    numbersOf(months, 1, 12),
    numbersOf(years, MIN_YEAR, MAX_YEAR, wholeYear),
  ]
}

/** Years of two digits are those from 1970 to 2069. */
function wholeYear(year: number): number {
  if (year >= 100) return year
  return year < 70 ? 2000 + year : 1900 + year
}

/** `*`, or each number of a list whose parts are numbers, ranges (`1..5`) and repetitions (`0/15`, `1..9/2`). */
function numbersOf(list: string, min: number, max: number, whole = (given: number) => given): string {
  if (list === '*') return '*'
  const parts = list.split(',')
  if (parts.length > MAX_PARTS) throw new CalendarError(`it has more than ${MAX_PARTS} parts`)
  return sorted(
    parts.flatMap((part) => {
      const [, from, to, step] = /^(\d{1,4})(?:\.\.(\d{1,4}))?(?:\/(\d{1,4}))?$/.exec(part) ?? []
      if (from === undefined) throw new CalendarError(`it is not a number, a range or a repetition: ${part}`)
      const first = whole(Number(from))
      const single = step === undefined ? first : max
      const last = to === undefined ? single : whole(Number(to))
      const every = Number(step ?? 1)
      if (first < min || last > max || last < first || every < 1)
        throw new CalendarError(`it is not within ${min} to ${max}: ${part}`)
      return counted(first, last, every)
    }),
  )
}

function counted(first: number, last: number, step: number): number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step)
}

function sorted(numbers: number[]): string {
  return [...new Set(numbers)].sort((one, other) => one - other).join(',')
}
