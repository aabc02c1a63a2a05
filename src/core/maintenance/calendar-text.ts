import { shownLines } from '../language/hidden-characters.ts'

/** RFC 5545, section 3.1: octets of a line, its break not counted. */
const MAX_LINE_BYTES = 75

export type CalendarEvent = {
  /** The same whenever the same event is written again, and no other's in the world. */
  uid: string
  startsAt: Date
  endsAt: Date
  summary: string
  /** Plain text; none is written if it is empty. */
  description: string
  /** The page that says more. */
  url?: string
}

type CalendarHead = {
  /** As a program that subscribes to it shows it. */
  title: string
  stampedAt: Date
}

/** Events as iCalendar (RFC 5545), in UTC: no reader needs our zones. */
export function calendarText({ title, stampedAt }: CalendarHead, events: readonly CalendarEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Upbeat//Calendars//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(title)}`,
    ...events.flatMap(({ uid, startsAt, endsAt, summary, description, url }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTAMP:${stampOf(stampedAt)}`,
      `DTSTART:${stampOf(startsAt)}`,
      `DTEND:${stampOf(endsAt)}`,
      `SUMMARY:${escaped(summary)}`,
      ...(description === '' ? [] : [`DESCRIPTION:${escaped(description)}`]),
      ...(url === undefined ? [] : [`URL:${url}`]),
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** A time in UTC: `20270110T120000Z`. */
export function stampOf(at: Date): string {
  const text = at.toISOString()
  const date = text.slice(0, 4) + text.slice(5, 7) + text.slice(8, 10)
  return `${date}T${text.slice(11, 13)}${text.slice(14, 16)}${text.slice(17, 19)}Z`
}

function escaped(text: string): string {
  return shownLines(text)
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
