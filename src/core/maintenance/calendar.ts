import { calendarText, stampOf } from './calendar-text.ts'
import { occurrencesBetween, type WindowTimes } from './occurrence.ts'

export const MAX_CALENDAR_EVENTS = 5_000
const CALENDAR_MONTHS = 12
const MONTH_MS = (366 * 86_400_000) / CALENDAR_MONTHS

type CalendarWindow = { id: number; name: string; note: string; times: WindowTimes }
type CalendarTerms = {
  /** The name of the calendar, as a program that subscribes to it shows it. */
  title: string
  /** The host of the service, which makes the ids of events its own. */
  host: string
  now: Date
}

type Event = { window: CalendarWindow; startsAt: Date; endsAt: Date }

/**
 * The occurrences of twelve months as iCalendar, the running ones included. Of more than MAX_CALENDAR_EVENTS the first
 * are there.
 */
export function calendarOf(windows: readonly CalendarWindow[], { title, host, now }: CalendarTerms): string {
  const events = eventsOf(windows, now).map(({ window, startsAt, endsAt }) => ({
    uid: `${window.id}-${stampOf(startsAt)}@${host}`,
    startsAt,
    endsAt,
    summary: window.name,
    description: window.note,
  }))
  return calendarText({ title, stampedAt: now }, events)
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
