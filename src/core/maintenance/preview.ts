import { nextOccurrences, type Occurrence, occurrencesBetween, type WindowTimes } from './occurrence.ts'

export const PREVIEWED_OCCURRENCES = 5
/** A window that hides more of any week is warned of. */
export const MAX_QUIET_SHARE = 0.1

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const YEAR_MS = 366 * DAY_MS

/** A change of clocks, with the offsets from UTC around it. */
export type ClockChange = { at: Date; before: string; after: string }

/** An occurrence as the clocks of a zone show it, with offsets: `2027-03-28T03:30+02:00`. */
export type ShownOccurrence = Occurrence & {
  localStart: string
  localEnd: string
  /** The first change of clocks on any day that the occurrence touches. */
  clockChange: ClockChange | null
}

/** The occurrences that come next, in the window's zone or a reader's. */
export function shownNext(window: WindowTimes, after: Date, timeZone: string): ShownOccurrence[] {
  return nextOccurrences(window, after, PREVIEWED_OCCURRENCES).map((occurrence) =>
    shownIn(occurrence, timeZone),
  )
}

export function shownIn({ startsAt, endsAt }: Occurrence, timeZone: string): ShownOccurrence {
  const start = zoned(startsAt, timeZone)
  const end = zoned(endsAt, timeZone)
  return {
    startsAt,
    endsAt,
    localStart: localText(start),
    localEnd: localText(end),
    clockChange: clockChangeBetween(start, end),
  }
}

/**
 * The largest share of any seven days that a window hides, in the year from `from` on, or from its first occurrence where
 * that is later. 0 for a switch, which cannot be foreseen.
 */
export function hiddenShareOfWeek(window: WindowTimes, from: Date): number {
  const [first] = nextOccurrences(window, from, 1)
  const start = first && first.startsAt.getTime() > from.getTime() + YEAR_MS ? first.startsAt : from
  const occurrences = occurrencesBetween(window, start, new Date(start.getTime() + YEAR_MS))
  const timeZone = window.kind === 'recurring' ? window.time_zone : 'UTC'
  let fullestMs = 0
  // The fullest week is one that begins with an occurrence. Its clocks say when it is over: a week of 167 hours would
  // have a daily window eight times else.
  for (const [index, { startsAt }] of occurrences.entries()) {
    const weekEnd = zoned(startsAt, timeZone).add({ weeks: 1 }).epochMilliseconds
    fullestMs = Math.max(fullestMs, hiddenBefore(weekEnd, occurrences, index))
  }
  return Math.min(1, fullestMs / WEEK_MS)
}

function hiddenBefore(endMs: number, occurrences: readonly Occurrence[], index: number): number {
  let hiddenMs = 0
  for (let at = index; at < occurrences.length; at++) {
    const { startsAt, endsAt } = occurrences[at] as Occurrence
    if (startsAt.getTime() >= endMs) break
    hiddenMs += Math.min(endsAt.getTime(), endMs) - startsAt.getTime()
  }
  return hiddenMs
}

/** The change on the days from that of the start to that of the end, each taken whole. */
function clockChangeBetween(start: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime): ClockChange | null {
  const dayAfter = end.subtract({ milliseconds: 1 }).startOfDay().add({ days: 1 })
  let at = start.startOfDay().subtract({ nanoseconds: 1 }).getTimeZoneTransition('next')
  for (; at && at.epochMilliseconds <= dayAfter.epochMilliseconds; at = at.getTimeZoneTransition('next')) {
    const before = at.subtract({ milliseconds: 1 }).offset
    if (before !== at.offset) return { at: new Date(at.epochMilliseconds), before, after: at.offset }
  }
  return null
}

function zoned(at: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
}

function localText(at: Temporal.ZonedDateTime): string {
  return at.toString({ timeZoneName: 'never', smallestUnit: 'minute' })
}
