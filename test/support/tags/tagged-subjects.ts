import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { MONITORS } from '../services/api-bodies.ts'
import type { Team } from '../services/people.ts'

const FIELDS = { monitor: MONITORS.http, server: {}, site: { url: 'https://shop.example.com/' } }

/** The owner of a team adds a subject; its id. */
export async function askForSubject({ id, owner }: Team, kind: SubjectKind, name: string): Promise<number> {
  return (await owner.data(id, 'POST', `/${kind}s`, { ...FIELDS[kind], name })).id
}

/** The tags are all that it has then. */
export async function askForTags(
  { id, owner }: Team,
  kind: SubjectKind,
  subjectId: number,
  tags: string[],
): Promise<void> {
  await owner.data(id, 'PUT', `/${kind}s/${subjectId}/tags`, { tags })
}
