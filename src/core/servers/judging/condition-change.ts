import { formatInstant } from '../../instant.ts'
import type { Condition } from '../condition.ts'
import type { ThresholdKind, Thresholds } from '../threshold.ts'
import { isEntered, isLeft } from './threshold-value.ts'

/** The value of a condition now; `gone`: of a file system that is not mounted any more. */
export type Figure = number | 'gone'

/** The condition as it goes on; null if there is none, or none any more. */
export type ConditionChange = { after: Condition | null; ended: 'left' | 'changed' | null }

/** `at`: when the figure came; `gapMs`: a longer time without one starts durations again. */
type Moment = { at: Date; gapMs: number }

/**
 * Applies a known figure to a condition, or to none. It begins once the figure was at or beyond the level to enter for the
 * threshold's minutes, and ends once it was at or beyond the level to leave for as long.
 */
export function changeOf(
  kind: ThresholdKind,
  part: string | null,
  before: Condition | null,
  figure: Figure,
  threshold: Thresholds[ThresholdKind],
  { at, gapMs }: Moment,
): ConditionChange {
  const entered = figure !== 'gone' && isEntered(kind, figure, threshold)
  const left = figure === 'gone' || isLeft(kind, figure, threshold)
  const { warns_only, enter, minutes } = threshold
  const now = formatInstant(at)
  const seenMs = before?.seen_at === undefined ? null : at.getTime() - Date.parse(before.seen_at)
  const goesOn = seenMs !== null && seenMs <= gapMs
  const timed = (phase: 'beginning' | 'ending') => {
    const since = before?.phase === phase && goesOn ? before.since : now
    // A file system that one report left out, because it was slow or came in another request, is still there.
    const leastMs = Math.max(minutes * 60_000, figure === 'gone' ? gapMs : 0)
    return { since, isOver: at.getTime() - Date.parse(since) >= leastMs }
  }
  const identity = { kind, part, warns_only, incident_id: before?.incident_id ?? null }

  if (before === null || before.phase === 'beginning') {
    if (!entered) return { after: null, ended: null }
    const { since, isOver } = timed('beginning')
    return isOver
      ? { after: { ...identity, phase: 'on', since: now, entered_at_level: enter }, ended: null }
      : { after: { ...identity, phase: 'beginning', since, seen_at: now }, ended: null }
  }
  const wasChanged = before.entered_at_level !== undefined && before.entered_at_level !== enter
  if (wasChanged && !entered && figure !== 'gone') return { after: null, ended: 'changed' }
  if (!left && before.phase === 'on' && !wasChanged) return { after: before, ended: null }
  if (!left) {
    const since = before.phase === 'on' ? before.since : now
    return { after: { ...identity, phase: 'on', since, entered_at_level: enter }, ended: null }
  }
  const { since, isOver } = timed('ending')
  return isOver
    ? { after: null, ended: 'left' }
    : {
        after: { ...identity, phase: 'ending', since, seen_at: now, entered_at_level: enter },
        ended: null,
      }
}
