import type { Implementation } from '../implementation.ts'
import { calendarAddress } from '../maintenance/calendar-address.ts'

const address = calendarAddress('scheduleCalendar', ({ actor: { teamId }, record: { id } }) => ({
  teamId,
  id,
}))

export const showScheduleCalendar: Implementation<'showScheduleCalendar'> = address.show
export const createScheduleCalendar: Implementation<'createScheduleCalendar'> = address.create
export const deleteScheduleCalendar: Implementation<'deleteScheduleCalendar'> = address.remove
