import * as z from 'zod'
import { Instant } from '../instant.ts'
import type { Alert } from './alert.ts'

/** When something flaps: more than so many changes, each the beginning or the end of an incident, in so many minutes. */
export const FlapRule = z.object({
  changes: z
    .int()
    .min(2)
    .max(50)
    .describe('Beginnings and ends of incidents within the minutes; one more, and it flaps.'),
  minutes: z
    .int()
    .min(1)
    .max(1_440)
    .describe('The minutes in which changes count, and without a change for as long it is steady again.'),
})
export type FlapRule = z.infer<typeof FlapRule>

/** A part of all that shows a subject: since when it, or the first part of it that does, flaps; null if it does not. */
export const FLAPS = { flapping_since: Instant.nullable() }

/** A subject, or the part of one that has incidents of its own, as far as it changed. */
export type FlapStanding = {
  isFlapping: boolean
  /** When it was steady again; null if it never flapped. */
  endedAt: Date | null
  /** Its last changes, in any order, with the one that is judged. */
  changes: readonly Date[]
}

/** `begin`: the alert of a change is replaced by the one that it flaps. `wait`: nothing is told until it is steady. */
export type Damping = 'tell' | 'begin' | 'wait'

/** Whether a change at `at` is told. Changes from before it was steady last count no more. */
export function dampingOf(rule: FlapRule | null, standing: FlapStanding, at: Date): Damping {
  if (rule === null) return 'tell'
  if (standing.isFlapping) return 'wait'
  return changesWithin(rule, standing, at) > rule.changes ? 'begin' : 'tell'
}

export function changesWithin(
  rule: FlapRule,
  { endedAt, changes }: Pick<FlapStanding, 'endedAt' | 'changes'>,
  at: Date,
): number {
  const sinceMs = at.getTime() - minutesMs(rule)
  return changes.filter((change) => change.getTime() > sinceMs && (endedAt === null || change > endedAt))
    .length
}

/** When something that flaps is steady again, unless it changes before; null: at once, as the team wants every alert. */
export function steadyAt(rule: FlapRule | null, lastChangeAt: Date): Date | null {
  return rule && new Date(lastChangeAt.getTime() + minutesMs(rule))
}

function minutesMs({ minutes }: FlapRule): number {
  return minutes * 60_000
}

/** The alert that something flaps, in place of the one about a change. */
export function flappingAlert(change: Alert, flapping: NonNullable<Alert['flapping']>): Alert {
  if (change.type === 'test') throw new Error('a test does not flap')
  return { ...change, event: `${change.type}.flapping`, downSeconds: null, flapping }
}

/**
 * The alert that something is steady again: that it is down, or has recovered, by the event of that, so that receivers who know
 * nothing of flapping have the right state in the end. `change`: the last alert that waited; `at`: when it last changed.
 */
export function steadyAlert(
  change: Alert,
  {
    isDown,
    at,
    flapping,
    knownAs,
  }: { isDown: boolean; at: string; flapping: NonNullable<Alert['flapping']>; knownAs?: number },
): Alert {
  if (change.type === 'test') throw new Error('a test does not flap')
  const { dependents: _, still: _still, ending: _ending, acknowledged: _had, ...about } = change
  const steady = { ...about, occurredAt: at, downSeconds: null, flapping }
  if (!isDown) {
    const { runbook: _runbook, notes: _notes, server: _server, processes: _processes, ...rest } = steady
    return { ...rest, event: `${change.type}.recovery` }
  }
  const event = change.event.endsWith('.recovery') ? (`${change.type}.down` as const) : change.event
  return { ...steady, event, ...(knownAs !== undefined && { knownAs }) }
}
