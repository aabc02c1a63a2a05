import type { ShownShift } from '../../../src/core/on-call/shown-schedule.ts'

export type Named = { key: number; name: string }
/** A stretch of time with whom an override puts on call in it. */
export type ShownSpan = { starts_at: string; ends_at: string }

/** Whether an override puts the participant of a shift there. */
export function isOverridden(
  { participant, starts_at, ends_at }: ShownShift,
  overrides: readonly (ShownSpan & { participant: number })[],
): boolean {
  return overrides.some(
    (one) =>
      one.participant === participant?.key &&
      Date.parse(one.starts_at) < Date.parse(ends_at) &&
      Date.parse(one.ends_at) > Date.parse(starts_at),
  )
}
