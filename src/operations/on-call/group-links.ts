import { Refusal } from '../../core/errors.ts'
import { AcknowledgementNote, isIncidentLink } from '../../core/on-call/acknowledgement.ts'
import { parseFields } from '../../core/validation.ts'
import { openLink } from '../../store/on-call/acknowledgement-links.ts'
import {
  findLinkedGroup,
  type GroupedIncident,
  type LinkedGroup,
} from '../../store/on-call/linked-incidents.ts'
import { parseOrRefuse } from '../refusal.ts'
import type { Services } from '../services.ts'
import { recordAddressAudit } from '../teams/audit-trail.ts'
import { acknowledge } from './acknowledge.ts'
import { actionOn, type LinkFault } from './links.ts'

export type { GroupedIncident, LinkedGroup }

/** Whether a link was signed here for several incidents at once. */
export function isGroupLink({ vault }: Services, token: string): boolean {
  const link = openLink(vault, token)
  return link !== null && !isIncidentLink(link)
}

/** Reads what a link of a group is about; changes nothing. It is over once all of its incidents are. */
export async function readLinkedGroup(
  { db, vault }: Services,
  token: string,
): Promise<LinkedGroup | { fault: LinkFault }> {
  const link = openLink(vault, token)
  if (!link || isIncidentLink(link)) return { fault: 'unknown' }
  const group = await findLinkedGroup(db.query, { leaderId: link.incidentId, contactId: link.contactId })
  if (!group) return { fault: 'gone' }
  return group.incidents.every(({ isOver }) => isOver) ? { fault: 'allOver' } : group
}

/** The incidents of a group that somebody can still take. */
export function openOnes({ incidents }: LinkedGroup): GroupedIncident[] {
  return incidents.filter(({ isOver, holder }) => !isOver && holder === null)
}

/**
 * Acknowledges what is open of a group and nobody has, in the name of the link's contact; each incident by itself, so that
 * one that ends meanwhile stops no other. `taken`: those that are the contact's now. Refuses a note that is too long with
 * 422.
 */
export async function acknowledgeLinkedGroup(
  services: Services,
  token: string,
  form: URLSearchParams,
): Promise<{ group: LinkedGroup; taken: GroupedIncident[] } | { fault: LinkFault }> {
  const group = await readLinkedGroup(services, token)
  const link = openLink(services.vault, token)
  if ('fault' in group || !link) return 'fault' in group ? group : { fault: 'unknown' }
  const note = parseOrRefuse(parseFields(AcknowledgementNote, { note: form.get('note') }))
  const taken: GroupedIncident[] = []
  for (const incident of openOnes(group)) {
    if (await take(services, group.teamId, incident, link.contactId, note)) taken.push(incident)
  }
  return { group, taken }
}

/** False where it ended, or somebody else took it, meanwhile. */
async function take(
  services: Services,
  teamId: number,
  { ref, name }: GroupedIncident,
  contactId: number,
  note: AcknowledgementNote,
): Promise<boolean> {
  try {
    const { is_new } = await acknowledge(services, teamId, ref, { contactId }, note)
    if (!is_new) return false
    const fields = note.note ? ['note'] : []
    await recordAddressAudit(services, teamId, actionOn(ref.kind), { id: ref.id, name }, fields)
    return true
  } catch (error) {
    if (error instanceof Refusal && (error.code === 'conflict' || error.code === 'notFound')) return false
    throw error
  }
}
