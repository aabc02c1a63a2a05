import { WEEKDAYS } from '../../src/core/maintenance/recurrence.ts'
import { LOCALE } from './language.ts'

/** In the order of WEEKDAYS. The fifth of January 2026 was a Monday. */
const dayNames = (weekday: 'long' | 'short') =>
  WEEKDAYS.map((_, index) =>
    new Intl.DateTimeFormat(LOCALE, { weekday, timeZone: 'UTC' }).format(Date.UTC(2026, 0, 5 + index)),
  )
export const DAY_NAMES = dayNames('long')
export const SHORT_DAY_NAMES = dayNames('short')
