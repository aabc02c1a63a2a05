import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import type { SubjectName } from '../../core/maintenance/shown-window.ts'
import {
  type Chosen,
  chosenField,
  ofEachKind,
  SUBJECT_KINDS,
  type SubjectKind,
} from '../../core/maintenance/window.ts'
import type { Faults } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { knownSubjects } from '../../store/maintenance/subjects.ts'

const MAX_NAMED = 10

/** The subjects of these ids, by name. Refuses those that are not the team's. */
export async function refuseUnknownSubjects(
  query: Query,
  teamId: number,
  chosen: Chosen,
): Promise<Record<SubjectKind, SubjectName[]>> {
  const found = ofEachKind<SubjectName[]>(() => [])
  const errors: Faults = {}
  for (const kind of SUBJECT_KINDS) {
    const field = chosenField(kind)
    const ids = chosen[field]
    found[kind] = await knownSubjects(query, teamId, kind, ids)
    const known = new Set(found[kind].map(({ id }) => id))
    const unknown = [...new Set(ids)].filter((id) => !known.has(id))
    if (unknown.length === 0) continue
    const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : ''
    const got = `${unknown.slice(0, MAX_NAMED).join(', ')}${more}`
    errors[field] = [said('must be IDs of {kind} of the team, got {got}', { kind: `${kind}s`, got })]
  }
  if (Object.keys(errors).length > 0) throw Refusal.invalid(errors)
  return found
}
