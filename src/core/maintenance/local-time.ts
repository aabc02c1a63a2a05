import * as z from 'zod'
import { putLast } from '../bounded-map.ts'
import { describe } from '../describe.ts'
import { phrase } from '../language/phrase.ts'
import { issueOf, type Said, said, saidOf } from '../language/said.ts'

/** Whole years, so that a rule of any start is worked out in bounded time. */
export const MIN_LOCAL_YEAR = 2000
export const MAX_LOCAL_YEAR = 2100

const LOCAL_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})$/
const LOCAL_DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/

/** A day of the calendar, of no zone. */
export const LocalDate = z.string().superRefine((value, context) => {
  const fault = faultOf(value, LOCAL_DATE, phrase('must be a date such as 2027-01-31, got {got}'))
  if (fault) context.addIssue(issueOf(fault))
})

/** A wall-clock time to the minute, of no zone. */
export const LocalTime = z.string().superRefine((value, context) => {
  const fault = faultOf(
    value,
    LOCAL_TIME,
    phrase('must be a date and time such as 2027-01-31T02:30, got {got}'),
  )
  if (fault) context.addIssue(issueOf(fault))
})

/** A time of day to the minute, of no zone: `09:30`. */
export const LocalTimeOfDay = z.string().superRefine((value, context) => {
  if (!TIME_OF_DAY.test(value))
    context.addIssue(
      issueOf(said('must be a time of day such as 09:30, got {got}', { got: describe(value) })),
    )
})

/** The name of a zone as the zone database writes it; the case that it is given in does not matter. */
export const TimeZone = z.string().transform((value, context) => {
  const name = knownZone(value)
  if (name !== null) return name
  context.addIssue(
    issueOf(
      said('must be a time zone of the IANA database such as Europe/Berlin or UTC, got {got}', {
        got: describe(value),
      }),
    ),
  )
  return z.NEVER
})

/** A wall-clock time as the milliseconds that UTC would have at it: a number to calculate with, and no instant. */
export function wallMsOf(localTime: string): number {
  return Date.parse(`${localTime.length === 10 ? `${localTime}T00:00` : localTime}Z`)
}

/** The day of a wall-clock time: `2027-01-31`. */
export function localDateOf(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 10)
}

function faultOf(value: string, pattern: RegExp, text: string): Said | null {
  const year = Number(pattern.exec(value)?.[1])
  const wallMs = wallMsOf(value)
  // The parser moves the 31st of a short month on to the next: only what comes back unchanged is a date.
  const exists = !Number.isNaN(wallMs) && new Date(wallMs).toISOString().startsWith(value)
  if (Number.isNaN(year) || !exists) return saidOf(text, { got: describe(value) })
  if (year >= MIN_LOCAL_YEAR && year <= MAX_LOCAL_YEAR) return null
  return said('must be in the years {first} to {last}, got {got}', {
    first: MIN_LOCAL_YEAR,
    last: MAX_LOCAL_YEAR,
    got: describe(value),
  })
}

/** Names that were found, as Intl takes longer to look one up than a rule takes to be worked out. */
const foundZones = new Map<string, string>()
/** The zone database has about 600 names. */
const MAX_FOUND_ZONES = 1_000

function knownZone(value: string): string | null {
  const found = foundZones.get(value) ?? findZone(value)
  if (found !== null && !foundZones.has(value)) putLast(foundZones, value, found, MAX_FOUND_ZONES)
  return found
}

function findZone(value: string): string | null {
  // An offset such as +02:00 is known to Intl, too: it has no clock changes, so it is hardly intended.
  if (!/^[a-z]/i.test(value)) return null
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions()
    return timeZone.toLowerCase() === value.toLowerCase() ? timeZone : value
  } catch {
    return null
  }
}
