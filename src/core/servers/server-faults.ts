import { said } from '../language/said.ts'
import type { FieldError } from '../validation.ts'
import type { LevelKind, NamedKind, ThresholdChanges, Thresholds } from './condition.ts'
import { isFalling } from './condition.ts'

/**
 * Levels to leave a condition at, on the wrong side of those to enter it: it would begin and end at once. And conditions that are on and
 * watch nothing, or one thing twice.
 */
export function serverFaults({ thresholds }: { thresholds?: ThresholdChanges | undefined }): FieldError[] {
  const { silent, container, unit, ...levels } = thresholds ?? {}
  const sent = Object.entries(levels) as [LevelKind, Thresholds[LevelKind]][]
  const named = [...namesFaults('container', container), ...namesFaults('unit', unit)]
  const wrong = sent.flatMap(([kind, { enter, leave }]) => {
    if (isFalling(kind) ? leave >= enter : leave <= enter) return []
    const message = isFalling(kind)
      ? said('must be at least enter, {enter}, got {got}', { enter, got: leave })
      : said('must be at most enter, {enter}, got {got}', { enter, got: leave })
    return [{ field: `thresholds.${kind}.leave`, message }]
  })
  return [...wrong, ...named]
}

function namesFaults(kind: NamedKind, watched: Thresholds[NamedKind] | undefined): FieldError[] {
  if (!watched) return []
  const field = `thresholds.${kind}.names`
  const twice = watched.names.find((name, index) => watched.names.indexOf(name) < index)
  if (twice !== undefined) return [{ field, message: said('must not name {name} twice', { name: twice }) }]
  if (watched.is_on && watched.names.length === 0)
    return [{ field, message: said('must have a name while the condition is on') }]
  return []
}
