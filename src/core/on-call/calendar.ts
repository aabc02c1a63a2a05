import { type CalendarEvent, calendarText, stampOf } from '../maintenance/calendar-text.ts'
import { type ScheduleTimes, shifts } from './who.ts'

/** How far ahead a calendar has shifts. */
export const CALENDAR_DAYS = 90
/** A shift that began earlier has its start cut off. */
const LOOK_BACK_DAYS = 84
const DAY_MS = 86_400_000

type CalendarSchedule = ScheduleTimes<{ key: number; name: string }> & { id: number; name: string }
type CalendarTerms = {
  /** The host of the service, which makes the ids of events its own. */
  host: string
  now: Date
}

/** The running shift and those of the next 90 days as iCalendar; gaps are no events. */
export function scheduleCalendar(schedule: CalendarSchedule, { host, now }: CalendarTerms): string {
  // Whole days: what is cut off is cut at the same time all day, so that a subscriber is not sent the same again.
  const today = Math.floor(now.getTime() / DAY_MS)
  const from = new Date((today - LOOK_BACK_DAYS) * DAY_MS)
  const until = new Date((today + 1 + CALENDAR_DAYS) * DAY_MS)
  const events = shifts(schedule, from, until).flatMap<CalendarEvent>(({ participant, startsAt, endsAt }) =>
    participant && endsAt > now
      ? {
          uid: `on-call-${schedule.id}-${stampOf(startsAt)}@${host}`,
          startsAt,
          endsAt,
          summary: `${participant.name}: ${schedule.name}`,
          description: '',
        }
      : [],
  )
  return calendarText({ title: `On call: ${schedule.name}`, stampedAt: now }, events)
}
