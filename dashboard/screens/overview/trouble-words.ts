import type { TroubledKind, TroubleGroup } from '../../../src/core/overview/trouble.ts'
import { sayCount } from '../../language/count.ts'

/** `3 monitors`. */
export function sayKind(kind: TroubledKind, count: number): string {
  return `${sayCount(count)} ${kind}${count === 1 ? '' : 's'}`
}

/** A single subject by its name and reason; several by their number and cause, and their names. */
export function sayTrouble({
  kind,
  cause,
  ids,
  subjects,
}: Pick<TroubleGroup, 'kind' | 'cause' | 'ids' | 'subjects'>): { title: string; detail: string } {
  const names = subjects.map(({ name }) => name).join(', ')
  if (ids.length === 1) return { title: names, detail: cause ?? subjects[0]?.target ?? '' }
  return { title: `${sayKind(kind, ids.length)}: ${cause}`, detail: names }
}
