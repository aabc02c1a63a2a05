import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import type { Faults } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { knownContactIds } from '../../store/alerting/contacts.ts'

/** Refuses ids that are not contacts of the team, each by its position in the list. */
export async function refuseUnknownContacts(
  query: Query,
  teamId: number,
  ids: number[] | null | undefined,
  list = 'notification_contact_ids',
): Promise<void> {
  if (!ids || ids.length === 0) return
  const known = await knownContactIds(query, teamId, ids)
  const errors: Faults = {}
  ids.forEach((id, index) => {
    const field = `${list}.${index}`
    if (!known.has(id))
      errors[field] = [said('must be the ID of a contact of the team, got {got}', { got: id })]
  })
  if (Object.keys(errors).length > 0) throw Refusal.invalid(errors)
}
