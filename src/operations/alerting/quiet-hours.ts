import {
  type ContactQuietHours,
  type QuietHours,
  QuietHoursChange,
  quietHoursFaults,
} from '../../core/alerting/quiet-hours.ts'
import { quietUntil } from '../../core/alerting/quiet-until.ts'
import { Refusal } from '../../core/errors.ts'
import { formatInstantOrNull } from '../../core/instant.ts'
import { parseFields } from '../../core/validation.ts'
import { readQuietHours, updateQuietHours } from '../../store/alerting/quiet-hours.ts'
import type { Implementation } from '../implementation.ts'

export const showContactQuietHours: Implementation<'showContactQuietHours'> = {
  async perform({ db, now }, { actor, record }) {
    return { body: { data: present(await readQuietHours(db.query, actor.teamId, record.id), now()) } }
  },
}

export const updateContactQuietHours: Implementation<'updateContactQuietHours'> = {
  validate(_services, _asked, body) {
    return parseFields(QuietHoursChange, body, quietHoursFaults)
  },

  async perform({ db, now }, { actor, record, body: { quiet_hours: rule } }) {
    if (!(await updateQuietHours(db, actor.teamId, record.id, rule))) throw new Refusal('notFound')
    return { body: { data: present(rule, now()) } }
  },
}

/** `quiet_until` is about alerts that no exception lets through. */
function present(rule: QuietHours | null, at: Date): ContactQuietHours {
  return { quiet_hours: rule, quiet_until: formatInstantOrNull(quietUntil(rule, 'monitor.recovery', at)) }
}
