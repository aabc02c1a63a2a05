import type { News } from '../../core/live-event.ts'
import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import type { Connection } from '../../postgres/database.ts'
import type { IncidentRef } from '../incidents/incident-ref.ts'
import { announceSubjectNews } from '../news.ts'

/** News that makes pages ask again for an incident: of somebody who has it, a note, a step. */
export function newsOf(teamId: number, ref: IncidentRef, subjectId: number | null): News {
  if (ref.kind === 'monitor' && subjectId !== null) {
    return { team_id: teamId, event: 'incident', data: { id: ref.id, monitor_id: subjectId, state: 'open' } }
  }
  const event = ref.kind === 'drill' || ref.kind === 'monitor' ? 'on_call' : (`${ref.kind}s` as const)
  return { team_id: teamId, event, data: {} }
}

export async function announceStep(
  client: Connection,
  { teamId, ref, subject }: { teamId: number; ref: IncidentRef; subject: SubjectRef | null },
): Promise<void> {
  await announceSubjectNews(client, [newsOf(teamId, ref, subject?.id ?? null)])
}
