import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import type { Participant } from '../../core/on-call/schedule.ts'
import type { Faults } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { knownContactIds } from '../../store/alerting/contacts.ts'
import { listMembers } from '../../store/teams/members.ts'

/** Refuses participants whose contacts or accounts are not the team's, each by its field. */
export async function refuseUnknownPeople(
  query: Query,
  teamId: number,
  participants: readonly Participant[],
): Promise<void> {
  const contacts = await knownContactIds(query, teamId, [
    ...new Set(participants.flatMap(({ contact_ids }) => contact_ids)),
  ])
  const members = new Set((await listMembers(query, teamId)).map(({ id }) => id))
  const errors: Faults = {}
  for (const [index, { user_id, contact_ids }] of participants.entries()) {
    const member = `participants.${index}.user_id`
    if (user_id !== null && !members.has(user_id))
      errors[member] = [said('must be the ID of a member of the team, got {got}', { got: user_id })]
    for (const [place, id] of contact_ids.entries()) {
      const contact = `participants.${index}.contact_ids.${place}`
      if (!contacts.has(id))
        errors[contact] = [said('must be the ID of a contact of the team, got {got}', { got: id })]
    }
  }
  if (Object.keys(errors).length > 0) throw Refusal.invalid(errors)
}
