import { said } from '../language/said.ts'
import type { FieldError } from '../validation.ts'
import type { ThresholdChanges, ThresholdKind, Thresholds } from './condition.ts'
import { isFalling } from './condition.ts'

/** Levels to leave a condition at, on the wrong side of those to enter it: it would begin and end at once. */
export function serverFaults({ thresholds }: { thresholds?: ThresholdChanges | undefined }): FieldError[] {
  const { silent, ...levels } = thresholds ?? {}
  const sent = Object.entries(levels) as [ThresholdKind, Thresholds[ThresholdKind]][]
  return sent.flatMap(([kind, { enter, leave }]) => {
    if (isFalling(kind) ? leave >= enter : leave <= enter) return []
    const message = isFalling(kind)
      ? said('must be at least enter, {enter}, got {got}', { enter, got: leave })
      : said('must be at most enter, {enter}, got {got}', { enter, got: leave })
    return [{ field: `thresholds.${kind}.leave`, message }]
  })
}
