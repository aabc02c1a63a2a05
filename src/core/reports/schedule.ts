import { wallMsOf } from '../maintenance/local-time.ts'
import { instantOf } from '../maintenance/wall-clock.ts'
import { monthAfter, monthOf } from './calendar-days.ts'
import { localDay } from './range.ts'

/** The time on the clocks of a report's zone: the night is over, and the last hours of the month are rolled up. */
const MAILED_AT = '06:00'

/** When a month is mailed: in the morning of the first of the next one. */
export function mailedAt(month: string, timeZone: string): Date {
  return new Date(instantOf(wallMsOf(`${monthAfter(month)}-01T${MAILED_AT}`), timeZone))
}

/** The last month that is due to be mailed. After a long absence it is that one alone: nobody wants a year of reports at once. */
export function monthDue(now: Date, timeZone: string): string {
  const last = monthAfter(monthOf(localDay(now, timeZone)), -1)
  return mailedAt(last, timeZone) <= now ? last : monthAfter(last, -1)
}

/** When the month after the one that is due is mailed. */
export function nextMailAt(now: Date, timeZone: string): Date {
  return mailedAt(monthAfter(monthDue(now, timeZone)), timeZone)
}
