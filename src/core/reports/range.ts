import { HOUR_MS, nextWhole } from '../history/history-span.ts'
import type { TimeSpan } from '../history/uptime.ts'
import { localDateOf, wallMsOf } from '../maintenance/local-time.ts'
import { instantOf } from '../maintenance/wall-clock.ts'
import { type DayRange, dayAfter } from './calendar-days.ts'

/**
 * The instant at which a day of a zone begins, as reports count it: at the next full hour of UTC where the zone is off by a
 * part of one, as times are kept by the hour. Ranges that follow each other then neither overlap nor leave a gap.
 */
export function startOfReportDay(date: string, timeZone: string): Date {
  return nextWhole(new Date(instantOf(wallMsOf(date), timeZone)), HOUR_MS)
}

/** From the beginning of the first day to the end of the last one. */
export function spanOf({ from, to }: DayRange, timeZone: string): TimeSpan {
  return {
    fromMs: startOfReportDay(from, timeZone).getTime(),
    toMs: startOfReportDay(dayAfter(to), timeZone).getTime(),
  }
}

/** The day that the clocks of a zone show. */
export function localDay(at: Date, timeZone: string): string {
  const { year, month, day } = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(
    timeZone,
  )
  return localDateOf(Date.UTC(year, month - 1, day))
}
