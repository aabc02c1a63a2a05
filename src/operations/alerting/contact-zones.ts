import type { ContactTimeZone } from '../../core/alerting/contact-zone.ts'
import { Refusal } from '../../core/errors.ts'
import type { Query } from '../../postgres/database.ts'
import { readContactZone, updateContactZone } from '../../store/alerting/contact-zones.ts'
import type { Implementation } from '../implementation.ts'

export const showContactTimeZone: Implementation<'showContactTimeZone'> = {
  async perform({ db }, { actor, record }) {
    return { body: { data: await zoneOf(db.query, actor.teamId, record.id) } }
  },
}

export const updateContactTimeZone: Implementation<'updateContactTimeZone'> = {
  async perform({ db }, { actor, record, body: { time_zone: zone } }) {
    if (zone !== undefined && !(await updateContactZone(db.query, actor.teamId, record.id, zone)))
      throw new Refusal('notFound')
    return { body: { data: await zoneOf(db.query, actor.teamId, record.id) } }
  },
}

async function zoneOf(query: Query, teamId: number, contactId: number): Promise<ContactTimeZone> {
  const zone = await readContactZone(query, teamId, contactId)
  if (!zone) throw new Refusal('notFound')
  return zone
}
