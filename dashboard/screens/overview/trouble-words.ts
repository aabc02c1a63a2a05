import type { TroubleGroup } from '../../../src/core/overview/trouble.ts'
import { sayKindCount } from '../../data/subjects/shown-kinds.ts'

/** A single subject by its name and reason; several by their number and cause, and their names. */
export function sayTrouble({
  kind,
  cause,
  ids,
  subjects,
}: Pick<TroubleGroup, 'kind' | 'cause' | 'ids' | 'subjects'>): { title: string; detail: string } {
  const names = subjects.map(({ name }) => name).join(', ')
  if (ids.length === 1) return { title: names, detail: cause ?? subjects[0]?.target ?? '' }
  return { title: `${sayKindCount(kind, ids.length)}: ${cause}`, detail: names }
}
