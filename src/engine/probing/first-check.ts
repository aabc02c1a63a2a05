import { regionAt, type Turns } from '../../core/probing/turns.ts'
import type { ScheduledMonitor } from '../../store/probing/schedule.ts'
import { isProbedDifferently, type KeptMonitor } from './kept-monitor.ts'
import {
  answersHere,
  type DueCheck,
  deadlineMs,
  isNeverChecked,
  isRequested,
  type NextCheck,
  nextTick,
  type ScheduleEntry,
  tickMissedInHandOver,
} from './schedule-entry.ts'

/** Where and when a scheduler decides. */
export type SchedulingContext = { turns: Turns; region: string; nowMs: number }

/**
 * When to check a monitor that has come to this scheduler or has new settings, and its entry. `planned` is the next
 * check of the scheduler that gave it up; `known` is its entry with the settings before.
 */
export function firstCheck(
  monitor: ScheduledMonitor,
  entry: ScheduleEntry,
  { planned, known }: { planned: NextCheck | undefined; known: ScheduleEntry | undefined },
  { turns, region, nowMs }: SchedulingContext,
): DueCheck {
  if (monitor.type === 'heartbeat') return { dueMs: deadlineMs(monitor, nowMs), tickMs: null }
  if (planned && planned.revision === monitor.revision) return planned
  const atOnce = planned !== undefined || isAskedFor(monitor, entry, known)
  if (monitor.cut || (atOnce && answersHere(entry, turns, region, nowMs)))
    return { dueMs: nowMs, tickMs: null }
  const attemptMs = attemptDueMs(monitor, entry, { turns, region, nowMs })
  if (attemptMs !== null) return { dueMs: attemptMs, tickMs: null }
  const missedMs = tickMissedInHandOver(monitor, entry, turns, region, nowMs)
  if (missedMs !== null) return { dueMs: nowMs, tickMs: missedMs }
  const tickMs = nextTick(entry, nowMs)
  return { dueMs: tickMs, tickMs }
}

/** When this region makes the further attempt that a check of another process left to make; null where it makes none. */
function attemptDueMs(
  { next_attempt_at: at }: ScheduledMonitor,
  entry: ScheduleEntry,
  { turns, region, nowMs }: SchedulingContext,
): number | null {
  if (at === null) return null
  const dueMs = Math.max(at.getTime(), nowMs)
  return regionAt(turns, entry, dueMs) === region ? dueMs : null
}

/** Whether the monitor waits for a check without a tick: its first one, a request, or the answer to a change. */
function isAskedFor(
  monitor: ScheduledMonitor,
  entry: ScheduleEntry,
  known: ScheduleEntry | undefined,
): boolean {
  const { pending, last_checked_at } = monitor
  return (
    pending ||
    !last_checked_at ||
    known?.running != null ||
    isRequested(monitor, known ? known.monitor.requestedMs : last_checked_at.getTime()) ||
    (known !== undefined && isProbedDifferently(known.monitor, entry.monitor))
  )
}

/**
 * Takes the news of a monitor whose settings are as before into its entry; returns the check that they ask for, or null
 * when the next one stands.
 */
export function refresh(
  entry: ScheduleEntry,
  monitor: ScheduledMonitor,
  kept: KeptMonitor,
  { turns, region, nowMs }: SchedulingContext,
): DueCheck | null {
  const { changedMs, requestedMs } = entry.monitor
  const requested = isRequested(monitor, requestedMs)
  // The settings of its team may have changed.
  entry.monitor = { ...kept, changedMs }
  entry.ownRegions = kept.shared.own_regions
  if (entry.running) {
    // A check that is under way answers the request, unless its result may have been seen already.
    if (requested && entry.running.judged) entry.running.isAskedAgain = true
    return null
  }
  // A deadline may have moved without a change of settings.
  if (monitor.type === 'heartbeat') return { dueMs: deadlineMs(monitor, nowMs), tickMs: null }
  const asks = requested || isNeverChecked(monitor, entry)
  return asks && answersHere(entry, turns, region, nowMs) ? { dueMs: nowMs, tickMs: null } : null
}
