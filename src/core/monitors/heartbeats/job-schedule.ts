import { Cron, type CronOptions } from 'croner'
import { putLast } from '../../bounded-map.ts'
import { describe } from '../../describe.ts'
import { type Said, said } from '../../language/said.ts'
import { TimeZone } from '../../maintenance/local-time.ts'
import { instantOf } from '../../maintenance/wall-clock.ts'
import { CalendarError, readCalendar } from './on-calendar.ts'

/** The times at which a job is to run. */
export type JobSchedule = {
  /** The first time after an instant; null where there is none any more. */
  next: (after: Date) => Date | null
  /** The last time at or before an instant; null where there was none yet. */
  last: (until: Date) => Date | null
  timeZone: string
}

export const DEFAULT_ZONE = 'UTC'
/** Schedules that were read, as reading one takes as long as finding a time by it. */
const known = new Map<string, JobSchedule>()
const MAX_KNOWN = 1_000

/** The schedule of a text that was judged before. Throws where it is none. */
export function jobScheduleOf(schedule: string, timeZone: string = DEFAULT_ZONE): JobSchedule {
  const key = JSON.stringify([schedule, timeZone])
  const found = known.get(key) ?? readSchedule(schedule, timeZone)
  putLast(known, key, found, MAX_KNOWN)
  return found
}

/** Why a schedule cannot be taken at this time; null if it can. */
export function scheduleFault(schedule: string, timeZone: string | undefined, now: Date): Said | null {
  const got = describe(schedule)
  try {
    if (jobScheduleOf(schedule, timeZone).next(now) !== null) return null
  } catch (error) {
    return said('must be a cron expression of five fields or an OnCalendar expression ({words}), got {got}', {
      words: error instanceof Error ? error.message : String(error),
      got,
    })
  }
  return said('must match a time in the future, got {got}', { got })
}

/** Throws in words where the text is neither cron nor a calendar event. */
function readSchedule(text: string, timeZone: string): JobSchedule {
  return isCron(text) ? readCron(text, timeZone) : readEvent(text, timeZone)
}

/** Five fields of cron, or a short form such as `@daily`. Events of systemd have at most four parts, and a colon or words. */
function isCron(text: string): boolean {
  const parts = text.trim().split(/\s+/)
  return text.trim().startsWith('@') || (parts.length >= 5 && !text.includes(':'))
}

/** Clocks skip or repeat at most two hours, of which an event has so many minutes; one that they always skip never comes. */
const MAX_LEFT_OUT = 200
const AS_CRON_DOES: CronOptions = { fixedTimeRule: 'no-wildcard' }

/** A time that clocks skip is moved to the end of the gap, one that they repeat comes once: as cron does it. */
function readCron(text: string, timezone: string): JobSchedule {
  const pattern = text.trim()
  const [, , day = '*', , weekday = '*'] = pattern.split(/\s+/)
  const cron = new Cron(pattern, {
    ...AS_CRON_DOES,
    timezone,
    mode: pattern.startsWith('@') ? 'auto' : '5-part',
    // Either a day of the month or one of the week will do, unless one has a star, be it `*/2`.
    domAndDow: day.startsWith('*') || weekday.startsWith('*'),
  })
  return remembered({
    timeZone: timezone,
    next: (after) => cron.nextRun(after),
    last: (until) => cron.previousRuns(1, justAfter(until))[0] ?? null,
  })
}

/** A time that clocks skip is left out, and one that they repeat comes once, whatever the event says: as systemd does it. */
function readEvent(text: string, zone: string): JobSchedule {
  const { pattern, timeZone } = readCalendar(text)
  const named = TimeZone.safeParse(timeZone ?? zone)
  if (!named.success) throw new CalendarError(`there is no time zone ${timeZone}`)
  const timezone = named.data
  const cron = new Cron(pattern, { ...AS_CRON_DOES, timezone, mode: '7-part', domAndDow: true })
  const comes = (at: Date) => cron.match(at) && !isRepeated(at, timezone)
  return remembered({
    timeZone: timezone,
    next(after) {
      let at = cron.nextRun(after)
      for (let left = MAX_LEFT_OUT; at && !comes(at); left--) at = left > 0 ? cron.nextRun(at) : null
      return at
    },
    last(until) {
      let at = cron.previousRuns(1, justAfter(until))[0]
      for (let left = MAX_LEFT_OUT; at && !comes(at); left--)
        at = left > 0 ? cron.previousRuns(1, at)[0] : undefined
      return at ?? null
    },
  })
}

/** Whether clocks show this time for the second time. */
function isRepeated(at: Date, timeZone: string): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  const wallMs = local.toPlainDateTime().toZonedDateTime('UTC').epochMilliseconds
  return instantOf(wallMs, timeZone) !== at.getTime()
}

/** The library looks for times before an instant, and does not find one at it. */
function justAfter(at: Date): Date {
  return new Date(at.getTime() + 1)
}

/** Most questions are about the same time between two runs; looking back takes milliseconds. */
function remembered({ next, last, timeZone }: JobSchedule): JobSchedule {
  let from: Date | null = null
  let to: Date | null = null
  const isWithin = (at: Date) => from !== null && to !== null && from <= at && at < to
  return {
    timeZone,
    next(after) {
      return isWithin(after) ? to : next(after)
    },
    last(until) {
      if (isWithin(until)) return from
      const found = last(until)
      ;[from, to] = [found, next(until)]
      return found
    },
  }
}
