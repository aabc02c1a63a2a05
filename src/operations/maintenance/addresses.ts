import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { replaceSecret } from '../../store/sealing/secret-addresses.ts'
import type { Implementation } from '../implementation.ts'
import { calendarAddress } from './calendar-address.ts'
import { readDetail } from './present-window.ts'

export const rotateMaintenanceAddress: Implementation<'rotateMaintenanceAddress'> = {
  async perform(services, { actor, record }) {
    const { db, vault } = services
    if (record.kind !== 'switch') {
      throw Refusal.invalid({
        window: [said('must be a switch to have an address, got {kind}', { kind: record.kind })],
      })
    }
    const { teamId } = actor
    await replaceSecret(db.query, vault, 'switch', { teamId, id: record.id }, randomUUID())
    return { body: { data: await readDetail(services, actor, record.id) } }
  },
}

const calendar = calendarAddress('windowsCalendar', ({ actor: { teamId } }) => ({ teamId, id: teamId }))

export const showMaintenanceCalendar: Implementation<'showMaintenanceCalendar'> = calendar.show
export const createMaintenanceCalendar: Implementation<'createMaintenanceCalendar'> = calendar.create
export const deleteMaintenanceCalendar: Implementation<'deleteMaintenanceCalendar'> = calendar.remove
