import type { FieldError } from '../validation.ts'
import type { ThresholdChanges, ThresholdKind, Thresholds } from './threshold.ts'

/** Conditions of what there is too little of: they begin at or below their level, all others at or above. */
const BEGINS_BELOW: ReadonlySet<ThresholdKind> = new Set(['memory', 'disk_full_soon'])

export function beginsBelow(kind: ThresholdKind): boolean {
  return BEGINS_BELOW.has(kind)
}

/** Levels to leave a condition at, on the wrong side of those to enter it: it would begin and end at once. */
export function serverFaults({ thresholds }: { thresholds?: ThresholdChanges | undefined }): FieldError[] {
  const { silent, ...levels } = thresholds ?? {}
  const sent = Object.entries(levels) as [ThresholdKind, Thresholds[ThresholdKind]][]
  return sent.flatMap(([kind, { enter, leave }]) => {
    if (beginsBelow(kind) ? leave >= enter : leave <= enter) return []
    const side = beginsBelow(kind) ? 'at least' : 'at most'
    return [{ field: `thresholds.${kind}.leave`, message: `must be ${side} enter, ${enter}, got ${leave}` }]
  })
}
