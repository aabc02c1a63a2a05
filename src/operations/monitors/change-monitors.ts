import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { BulkChange, bulkRules } from '../../core/monitors/monitor-row.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { attachContact, detachContact } from '../../store/alerting/attachments.ts'
import { knownContactIds } from '../../store/alerting/contacts.ts'
import { type HeldMonitor, lockMonitors } from '../../store/monitors/monitor-changes.ts'
import { announceNews } from '../../store/news.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { pauseMonitors, removeMonitors, resumeMonitors } from './monitor-activity.ts'

/** Changes many monitors at once, all or none; ignores ids that are not the team's. */
export const changeMonitors: Implementation<'changeMonitors'> = {
  validate(_services, _asked, body) {
    return parseFields(BulkChange, body, bulkRules)
  },

  async perform(services, { actor: { teamId }, body }) {
    const changed = await services.db.query.transaction().execute(async (query) => {
      const held = await lockMonitors(query, teamId, body.monitor_ids)
      await announceNews(query, { team_id: teamId, event: 'monitors', data: {} })
      return change(services, query, teamId, held, body)
    })
    return { body: { data: { changed } } }
  },
}

/** Returns how many monitors changed, not counting those already in the wanted state. */
async function change(
  services: Services,
  query: Query,
  teamId: number,
  held: HeldMonitor[],
  { action, notification_contact_id: contactId }: BulkChange,
): Promise<number> {
  const idsOf = (monitors: HeldMonitor[]) => monitors.map(({ id }) => id)
  const active = held.filter(({ is_active }) => is_active)
  const paused = held.filter(({ is_active }) => !is_active)
  switch (action) {
    case 'pause':
      await pauseMonitors(services, query, teamId, idsOf(active))
      return active.length
    case 'resume':
      await resumeMonitors(services, query, teamId, paused)
      return paused.length
    case 'delete':
      await removeMonitors(services, query, teamId, idsOf(held))
      return held.length
    case 'attach':
      return attachContact(query, await contactOf(query, teamId, contactId), 'monitor', idsOf(held))
    case 'detach':
      return detachContact(query, await contactOf(query, teamId, contactId), 'monitor', idsOf(held))
  }
}

/** The contact's id; the contact cannot be deleted until the transaction ends. */
async function contactOf(query: Query, teamId: number, id: number | null): Promise<number> {
  const known = await knownContactIds(query, teamId, id === null ? [] : [id])
  if (id !== null && known.has(id)) return id
  const message = said('must be the ID of a contact of the team, got {got}', { got: id })
  throw Refusal.invalid({ notification_contact_id: [message] })
}
