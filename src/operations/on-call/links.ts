import { INCIDENTS, operationOf } from '../../contract/subjects.ts'
import { Refusal } from '../../core/errors.ts'
import {
  type Acknowledged,
  AcknowledgementNote,
  type IncidentLink,
  isIncidentLink,
} from '../../core/on-call/acknowledgement.ts'
import { parseFields } from '../../core/validation.ts'
import { openLink } from '../../store/on-call/acknowledgement-links.ts'
import { findAcknowledgement } from '../../store/on-call/acknowledgements.ts'
import { findLinked, type LinkedIncident } from '../../store/on-call/linked-incidents.ts'
import { parseOrRefuse } from '../refusal.ts'
import type { Services } from '../services.ts'
import { recordAddressAudit } from '../teams/audit-trail.ts'
import { acknowledge } from './acknowledge.ts'
import { presentAcknowledgement } from './present-response.ts'

export type { LinkedIncident }

/**
 * Why a link does nothing: it was not made here or was changed; its incident or contact is gone; or the incident is over,
 * of a group all of them.
 */
export type LinkFault = 'unknown' | 'gone' | 'over' | 'allOver'

export type OpenedLink = {
  incident: LinkedIncident
  acknowledgement: Acknowledged['acknowledgement'] | null
}

/** Reads what a link is about; changes nothing. The link is the permission: it was sent to its contact alone. */
export async function readLinked(
  services: Services,
  token: string,
): Promise<OpenedLink | { fault: LinkFault; incident?: LinkedIncident }> {
  const link = openLink(services.vault, token)
  if (!link || !isIncidentLink(link)) return { fault: 'unknown' }
  const incident = await findLinked(services.db.query, link)
  if (!incident) return { fault: 'gone' }
  if (incident.isOver) return { fault: 'over', incident }
  const found = await findAcknowledgement(services.db.query, incident.teamId, refOf(link))
  return { incident, acknowledgement: found && presentAcknowledgement(found) }
}

/** Acknowledges what a link is about, in the name of its contact. Refuses a note that is too long with 422. */
export async function acknowledgeLinked(
  services: Services,
  token: string,
  form: URLSearchParams,
): Promise<(Acknowledged & { incident: LinkedIncident }) | { fault: LinkFault; incident?: LinkedIncident }> {
  const opened = await readLinked(services, token)
  const link = openLink(services.vault, token)
  if ('fault' in opened || !link || !isIncidentLink(link))
    return 'fault' in opened ? opened : { fault: 'unknown' }
  const note = parseOrRefuse(parseFields(AcknowledgementNote, { note: form.get('note') }))
  const { incident } = opened
  try {
    const by = { contactId: link.contactId }
    const acknowledged = await acknowledge(services, incident.teamId, refOf(link), by, note)
    if (acknowledged.is_new) {
      const subject = { id: link.incidentId, name: incident.name }
      await recordAddressAudit(
        services,
        incident.teamId,
        actionOn(link.kind),
        subject,
        note.note ? ['note'] : [],
      )
    }
    return { ...acknowledged, incident }
  } catch (error) {
    // It ended between the two looks.
    if (error instanceof Refusal && error.code === 'conflict') return { fault: 'over', incident }
    throw error
  }
}

/** The operation that does the same. */
export function actionOn(kind: IncidentLink['kind']) {
  return kind === 'drill' ? 'acknowledgeDrill' : operationOf(INCIDENTS, kind, 'acknowledge*')
}

function refOf({ kind, incidentId }: IncidentLink) {
  return { kind, id: incidentId }
}
