import { INCIDENTS } from '../../contract/subjects.ts'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import type { IncidentNote } from '../../core/on-call/acknowledgement.ts'
import { type IncidentResponse, MAX_INCIDENT_NOTES } from '../../core/on-call/response.ts'
import { announceIncident, holdIncident, withdraw } from '../../store/on-call/acknowledgements.ts'
import { countNotes, insertNote } from '../../store/on-call/notes.ts'
import type { Actor } from '../implementation.ts'
import { acknowledge } from '../on-call/acknowledge.ts'
import { readResponse } from '../on-call/present-response.ts'
import type { Services } from '../services.ts'
import { performOnEach } from '../subjects.ts'

export const incidentResponse = {
  ...performOnEach(INCIDENTS, 'acknowledge*', take),
  ...performOnEach(INCIDENTS, 'unacknowledge*', takeBack),
  ...performOnEach(INCIDENTS, 'add*Note', note),
}

async function take(
  services: Services,
  { teamId, userId }: Actor,
  ref: SubjectRef,
  body: { note: string | null },
): Promise<{ body: { data: Awaited<ReturnType<typeof acknowledge>> } }> {
  return { body: { data: await acknowledge(services, teamId, ref, { userId }, body) } }
}

async function takeBack({ db, vault, databaseNow }: Services, { teamId, userId }: Actor, ref: SubjectRef) {
  return answer(
    await db.query.transaction().execute(async (query) => {
      const held = await holdIncident(query, teamId, ref)
      if (!held) throw new Refusal('notFound')
      if (held.isOver) throw new Refusal('conflict', { detail: said('This incident is over.') })
      const wasHeld = await withdraw(query, teamId, ref, userId)
      if (!wasHeld) throw new Refusal('conflict', { detail: said('Nobody has acknowledged this incident.') })
      await announceIncident(query, teamId, ref, held.subjectId)
      return readResponse(query, vault, teamId, ref, { isOver: false, now: databaseNow() })
    }),
  )
}

/** Also on an incident that is over, for what was learned. */
async function note(
  { db, vault, databaseNow }: Services,
  { teamId, userId }: Actor,
  ref: SubjectRef,
  { text }: IncidentNote,
) {
  return answer(
    await db.query.transaction().execute(async (query) => {
      const held = await holdIncident(query, teamId, ref)
      if (!held) throw new Refusal('notFound')
      if ((await countNotes(query, teamId, ref)) >= MAX_INCIDENT_NOTES) {
        const message = said('must wait: an incident has at most {max} notes', { max: MAX_INCIDENT_NOTES })
        throw Refusal.invalid({ text: [message] })
      }
      await insertNote(query, teamId, ref, { userId, text })
      await announceIncident(query, teamId, ref, held.subjectId)
      return readResponse(query, vault, teamId, ref, { isOver: held.isOver, now: databaseNow() })
    }),
  )
}

function answer(response: IncidentResponse) {
  return { body: { data: response } }
}
