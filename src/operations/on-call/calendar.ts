import { Refusal } from '../../core/errors.ts'
import { scheduleCalendar } from '../../core/on-call/calendar.ts'
import { findSchedule } from '../../store/on-call/schedules.ts'
import type { Services } from '../services.ts'

/** The shifts of a schedule as iCalendar. */
export async function scheduleCalendarOf(
  { db, siteUrl, databaseNow }: Services,
  { teamId, id }: { teamId: number; id: number },
): Promise<string> {
  const schedule = await findSchedule(db.query, teamId, id)
  if (!schedule) throw new Refusal('notFound')
  return scheduleCalendar(schedule, { host: new URL(siteUrl).host, now: databaseNow() })
}
