import { INCIDENTS } from '../../contract/subjects.ts'
import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import { listIncidentPages } from '../../store/status-pages/incident-pages.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'
import { performOnEach } from '../subjects.ts'

export const incidentPages = performOnEach(INCIDENTS, 'list*Pages', list)

async function list({ db }: Services, { teamId }: Actor, incident: SubjectRef) {
  return { body: { data: await listIncidentPages(db.query, teamId, incident) } }
}
