import { Refusal } from '../../core/errors.ts'
import { formatInstant } from '../../core/instant.ts'
import { said } from '../../core/language/said.ts'
import type { Acknowledged, AcknowledgementNote } from '../../core/on-call/acknowledgement.ts'
import type { IncidentRef } from '../../store/incidents/incident-ref.ts'
import { tellAcknowledged } from '../../store/on-call/acknowledged-deliveries.ts'
import {
  type Acknowledger,
  announceIncident,
  findAcknowledgement,
  acknowledge as hold,
  holdIncident,
} from '../../store/on-call/acknowledgements.ts'
import type { Services } from '../services.ts'
import { presentAcknowledgement } from './present-response.ts'

/**
 * Acknowledges an open incident: what waits for it ends in the same transaction. A step that is executed at this moment is
 * waited for, and told as already sent. The second one to acknowledge learns who was first. Refuses with 404, and with 409
 * what is over.
 */
export async function acknowledge(
  { db }: Pick<Services, 'db'>,
  teamId: number,
  ref: IncidentRef,
  by: Acknowledger,
  { note }: AcknowledgementNote,
): Promise<Acknowledged> {
  return db.query.transaction().execute(async (query) => {
    const held = await holdIncident(query, teamId, ref)
    if (!held) throw new Refusal('notFound')
    if (held.isOver)
      throw new Refusal('conflict', {
        detail: said('This incident is over: there is nothing to acknowledge.'),
      })
    const before = await findAcknowledgement(query, teamId, ref)
    if (before) return { acknowledgement: presentAcknowledgement(before), is_new: false, already_sent: [] }
    const sent = await hold(query, teamId, ref, by, note)
    const acknowledgement = await findAcknowledgement(query, teamId, ref)
    if (!acknowledgement) throw new Refusal('notFound')
    await tellAcknowledged(query, teamId, ref, acknowledgement)
    await announceIncident(query, teamId, ref, held.subjectId)
    return {
      acknowledgement: presentAcknowledgement(acknowledgement),
      is_new: true,
      already_sent: sent.map(({ at, ...step }) => ({ ...step, at: formatInstant(at) })),
    }
  })
}
