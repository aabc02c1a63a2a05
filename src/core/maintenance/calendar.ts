import { occurrencesBetween, type WindowTimes } from './occurrence.ts'

export const MAX_CALENDAR_EVENTS = 5_000
const CALENDAR_MONTHS = 12
const MONTH_MS = (366 * 86_400_000) / CALENDAR_MONTHS
/** RFC 5545, section 3.1: octets of a line, its break not counted. */
const MAX_LINE_BYTES = 75

type CalendarWindow = { id: number; name: string; note: string; times: WindowTimes }
type CalendarTerms = {
  /** Of the calendar, as a program that subscribes to it shows it. */
  title: string
  /** The host of the service, which makes the ids of events its own. */
  host: string
  now: Date
}

type Event = { window: CalendarWindow; startsAt: Date; endsAt: Date }

/**
 * The occurrences of twelve months as iCalendar (RFC 5545), the running ones included, in UTC: no reader needs our
 * zones. Of more than MAX_CALENDAR_EVENTS the first are there.
 */
export function calendarOf(windows: readonly CalendarWindow[], { title, host, now }: CalendarTerms): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Upbeat//Maintenance windows//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(title)}`,
    ...eventsOf(windows, now).flatMap(({ window, startsAt, endsAt }) => [
      'BEGIN:VEVENT',
      `UID:${window.id}-${stamp(startsAt)}@${host}`,
      `DTSTAMP:${stamp(now)}`,
      `DTSTART:${stamp(startsAt)}`,
      `DTEND:${stamp(endsAt)}`,
      `SUMMARY:${escaped(window.name)}`,
      ...(window.note === '' ? [] : [`DESCRIPTION:${escaped(window.note)}`]),
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** Month by month, so that the work is bounded whatever the number of windows. */
function eventsOf(windows: readonly CalendarWindow[], now: Date): Event[] {
  const events: Event[] = []
  for (let month = 0; month < CALENDAR_MONTHS && events.length < MAX_CALENDAR_EVENTS; month++) {
    const from = new Date(now.getTime() + month * MONTH_MS)
    const to = new Date(from.getTime() + MONTH_MS)
    for (const window of windows) {
      for (const { startsAt, endsAt } of occurrencesBetween(window.times, from, to)) {
        if (month === 0 || startsAt >= from) events.push({ window, startsAt, endsAt })
      }
    }
  }
  events.sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
  return events.slice(0, MAX_CALENDAR_EVENTS)
}

function stamp(at: Date): string {
  const text = at.toISOString()
  const date = text.slice(0, 4) + text.slice(5, 7) + text.slice(8, 10)
  return `${date}T${text.slice(11, 13)}${text.slice(14, 16)}${text.slice(17, 19)}Z`
}

function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ')
}

const isShort = new RegExp(`^[ -~]{0,${MAX_LINE_BYTES}}$`)

/** Breaks a line so that no part is too long in UTF-8; a code point is never cut. */
function folded(line: string): string {
  if (isShort.test(line)) return line
  let text = ''
  let bytes = 0
  for (const character of line) {
    const size = utf8Length(character)
    if (bytes + size > MAX_LINE_BYTES) {
      text += '\r\n '
      bytes = 1
    }
    text += character
    bytes += size
  }
  return text
}

function utf8Length(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
