/** Times of the clocks in a zone, by Intl: not every browser has Temporal. */

const MINUTE_MS = 60_000
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/
/** More than a zone can be off UTC. */
const DAY_MS = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  formats.set(zone, format)
  return format
}

export function readerZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
}

export function isZone(zone: string): boolean {
  try {
    return formatOf(zone) !== undefined
  } catch {
    return false
  }
}

/** Every zone that the browser knows by its usual name. */
export function knownZones(): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]
}

/** The time that clocks in a zone show, to the minute: `2027-01-31T02:30`. */
export function localTimeOf(at: Date, zone: string): string {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`
}

/** The day in a zone: `2027-01-31`. */
export function localDateOf(at: Date, zone: string): string {
  return localTimeOf(at, zone).slice(0, 10)
}

/**
 * The instant at which clocks in a zone show a time; null for what is no time. One that a clock change skips is moved on
 * by the length of the gap, of one that occurs twice this is the first: as the service does it.
 */
export function instantOf(local: string, zone: string): Date | null {
  const wallMs = LOCAL_TIME.test(local) ? Date.parse(`${local}Z`) : Number.NaN
  if (Number.isNaN(wallMs)) return null
  const offsetBefore = offsetMs(wallMs - DAY_MS, zone)
  const offsetAfter = offsetMs(wallMs + DAY_MS, zone)
  const fits = [offsetBefore, offsetAfter]
    .map((offset) => wallMs - offset)
    .filter((ms) => ms + offsetMs(ms, zone) === wallMs)
  // In a gap neither fits; the offset before it carries the time past its end.
  return new Date(fits.length > 0 ? Math.min(...fits) : wallMs - offsetBefore)
}

/** The next or former day of the calendar. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** `UTC+02:00`, or `UTC`. */
export function sayOffset(at: Date, zone: string): string {
  const minutes = offsetMs(at.getTime(), zone) / MINUTE_MS
  if (minutes === 0) return 'UTC'
  const text = (part: number) => String(Math.floor(part)).padStart(2, '0')
  const sign = minutes < 0 ? '-' : '+'
  return `UTC${sign}${text(Math.abs(minutes) / 60)}:${text(Math.abs(minutes) % 60)}`
}

function offsetMs(atMs: number, zone: string): number {
  const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS
  return Date.parse(`${localTimeOf(new Date(minuteMs), zone)}Z`) - minuteMs
}
