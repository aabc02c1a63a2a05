import { randomUUID } from 'node:crypto'
import { readScheduleToken, replaceScheduleToken } from '../../store/on-call/addresses.ts'
import type { Implementation } from '../implementation.ts'
import { calendarUrl } from '../maintenance/addresses.ts'

export const showScheduleCalendar: Implementation<'showScheduleCalendar'> = {
  async perform(services, { actor, record }) {
    const token = await readScheduleToken(services.db.query, services.vault, actor.teamId, record.id)
    return { body: { data: { url: token && calendarUrl(services, token) } } }
  },
}

export const createScheduleCalendar: Implementation<'createScheduleCalendar'> = {
  async perform(services, { actor: { teamId }, record: { id } }) {
    const token = randomUUID()
    await replaceScheduleToken(services.db.query, services.vault, { teamId, id }, token)
    return { body: { data: { url: calendarUrl(services, token) } } }
  },
}

export const deleteScheduleCalendar: Implementation<'deleteScheduleCalendar'> = {
  async perform({ db, vault }, { actor: { teamId }, record: { id } }) {
    await replaceScheduleToken(db.query, vault, { teamId, id }, null)
    return {}
  },
}
