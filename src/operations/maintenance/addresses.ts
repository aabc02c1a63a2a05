import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import {
  readCalendarToken,
  replaceAddressToken,
  replaceCalendarToken,
} from '../../store/maintenance/addresses.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { readDetail } from './present-window.ts'

export const rotateMaintenanceAddress: Implementation<'rotateMaintenanceAddress'> = {
  async perform(services, { actor, record }) {
    const { db, vault } = services
    if (record.kind !== 'switch') {
      throw Refusal.invalid({
        window: [said('must be a switch to have an address, got {kind}', { kind: record.kind })],
      })
    }
    await replaceAddressToken(db.query, vault, actor.teamId, record.id, randomUUID())
    return { body: { data: await readDetail(services, actor, record.id) } }
  },
}

export const showMaintenanceCalendar: Implementation<'showMaintenanceCalendar'> = {
  async perform(services, { actor }) {
    const token = await readCalendarToken(services.db.query, services.vault, actor.teamId)
    return { body: { data: { url: token && calendarUrl(services, token) } } }
  },
}

export const createMaintenanceCalendar: Implementation<'createMaintenanceCalendar'> = {
  async perform(services, { actor }) {
    const token = randomUUID()
    await replaceCalendarToken(services.db.query, services.vault, actor.teamId, token)
    return { body: { data: { url: calendarUrl(services, token) } } }
  },
}

export const deleteMaintenanceCalendar: Implementation<'deleteMaintenanceCalendar'> = {
  async perform({ db, vault }, { actor }) {
    await replaceCalendarToken(db.query, vault, actor.teamId, null)
    return {}
  },
}

/** The address of the calendar of windows, or of schedules. */
export function calendarUrl({ siteUrl }: Services, token: string): string {
  return `${siteUrl}/calendars/${token}.ics`
}
