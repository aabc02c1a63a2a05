import { maxConfirmationMs } from '../../core/monitors/confirmation.ts'
import { type MonitorPatience, patienceOf } from '../../core/monitors/options/patience.ts'
import { nextTickMs, phaseMs } from '../../core/probing/schedule.ts'
import { longestAttemptMs } from '../../core/probing/time-limit.ts'
import { isShared, missedTickMs, regionAt, regionToAnswer, type Turns } from '../../core/probing/turns.ts'
import type { MonitorToCheck, ScheduledMonitor } from '../../store/probing/schedule.ts'
import type { KeptMonitor } from './kept-monitor.ts'
import type { OverrunGuard } from './overrun.ts'

/**
 * A region makes at most so many checks in a row of a target that is too slow for other regions to have their turns.
 */
const MAX_IN_A_ROW = 2

/** A monitor in the schedule of one scheduler. */
export type ScheduleEntry = {
  monitor: KeptMonitor
  intervalMs: number
  phase: number
  /** The reserved regions that are open to it. */
  ownRegions: readonly string[]
  /** When it is next checked; entries of the heap that say otherwise are void. */
  dueMs: number
  /** The tick that the next check is for; null for a check that does not wait for one. */
  tickMs: number | null
  running: RunningCheck | null
  /** A check was begun since the monitor came here. */
  begun: boolean
  /** Checks, or silences of a heartbeat, in a row that could not be judged. */
  unjudged: number
  /** The last check passed without a warning: another such one is no news. */
  wasUp: boolean
  /** Where regions take turns: when the last check here was over. */
  endedMs: number
  /** The number of checks in a row that have each taken the turns of all other regions before they were over. */
  tookTurns: number
}

export type RunningCheck = {
  controller: AbortController
  /** The target has been judged; only the recording is left. */
  judged: boolean
  /** A check was asked for while the result of this one was being recorded. */
  isAskedAgain: boolean
  /** Where regions take turns: keeps two of them from checking at once. */
  overrun: OverrunGuard | null
  /** Resolves when nothing of it is under way any more. */
  done: Promise<void>
}

/** When to check a monitor, and for which tick. */
export type DueCheck = { dueMs: number; tickMs: number | null }

/** When to check a monitor next, as one scheduler hands it to another. */
export type NextCheck = DueCheck & { id: number; slot: number; revision: number }

/** Monitors that one scheduler gave up for others. */
export type ReleasedMonitors = { monitors: ScheduledMonitor[]; nextChecks: NextCheck[] }

/** The entry of a monitor that no scheduler here had, or not with these settings. */
export function entryOf(monitor: KeptMonitor, wasUp: boolean): ScheduleEntry {
  return {
    monitor,
    ...rhythmOf(monitor),
    dueMs: 0,
    tickMs: null,
    running: null,
    begun: false,
    unjudged: 0,
    wasUp,
    endedMs: 0,
    tookTurns: 0,
  }
}

export function rhythmOf({ id, shared }: KeptMonitor) {
  const intervalMs = shared.interval_seconds * 1_000
  return { intervalMs, phase: phaseMs(id, intervalMs), ownRegions: shared.own_regions }
}

/** The monitor's next tick, in milliseconds of the clock. */
export function nextTick({ intervalMs, phase }: ScheduleEntry, nowMs: number): number {
  return nextTickMs(nowMs, intervalMs, phase)
}

export function nextCheckOf(entry: ScheduleEntry, nowMs: number): NextCheck {
  const { monitor, running, dueMs, tickMs } = entry
  const { id, slot, revision } = monitor
  if (!running) return { id, slot, revision, dueMs, tickMs }
  if (!running.judged) return { id, slot, revision, dueMs: nowMs, tickMs: null }
  const nextMs = nextTick(entry, nowMs)
  return { id, slot, revision, dueMs: nextMs, tickMs: nextMs }
}

/** How long a check of the monitor takes at most, apart from the recording; see `maxConfirmationMs`. */
export function maxCheckMs({ shared }: KeptMonitor): number {
  const attemptMs = longestAttemptMs(shared.request_timeout_seconds * 1_000)
  return attemptMs + maxConfirmationMs(attemptMs, patienceOfMonitor(shared).confirmations)
}

/** How many failures and passes of a monitor count. */
export function patienceOfMonitor(
  monitor: Pick<MonitorToCheck, 'options' | 'confirmations' | 'recovery_checks'>,
): MonitorPatience {
  return patienceOf(monitor.options, monitor)
}

/** When a heartbeat is checked for silence. */
export function deadlineMs({ heartbeat_due_at, interval_seconds }: ScheduledMonitor, nowMs: number): number {
  return heartbeat_due_at?.getTime() ?? nowMs + interval_seconds * 1_000
}

/** Whether a check is still to be made: one that was begun and is not judged, or one that was due by then. */
export function isDueBefore({ running, dueMs, tickMs }: ScheduleEntry, untilMs: number): boolean {
  return running ? !running.judged : tickMs === null || dueMs < untilMs
}

/** Whether it still waits for its first check, in whichever region that is to be made. */
export function isNeverChecked(monitor: ScheduledMonitor, { begun }: ScheduleEntry): boolean {
  return !begun && monitor.last_checked_at === null
}

/** Whether a check was asked for since the last request that was seen, or since the last check. */
export function isRequested({ check_requested_at }: ScheduledMonitor, sinceMs: number | null): boolean {
  return check_requested_at !== null && (sinceMs === null || check_requested_at.getTime() > sinceMs)
}

/** Whether this region makes the check that a change or a request asks for. */
export function answersHere(entry: ScheduleEntry, turns: Turns, region: string, nowMs: number): boolean {
  const { changedMs, requestedMs } = entry.monitor
  const askedAtMs = Math.max(changedMs, requestedMs ?? 0)
  return regionToAnswer(turns, entry, askedAtMs, nowMs) === region
}

/** Whether a tick is this region's: until the next one begins in another region. */
export function hasTurn(entry: ScheduleEntry, turns: Turns, region: string, nowMs: number): boolean {
  const { tickMs, intervalMs } = entry
  if (tickMs === null) return true
  const isOver = nowMs >= tickMs + intervalMs && isShared(turns, region)
  return !isOver && regionAt(turns, entry, tickMs) === region
}

/** Before a check: whether its tick is left out, so that other regions check a slow target, too. Counts. */
export function yieldsTick(entry: ScheduleEntry, turns: Turns, region: string): boolean {
  const { tickMs, intervalMs, endedMs } = entry
  if (tickMs === null) return false
  const beforeMs = tickMs - intervalMs
  // A clock that was set back leaves an end in the future, which says nothing.
  const tookAll = endedMs > beforeMs && endedMs <= tickMs && regionAt(turns, entry, beforeMs) !== region
  entry.tookTurns = tookAll ? (entry.tookTurns + 1) % MAX_IN_A_ROW : 0
  return tookAll && entry.tookTurns === 0
}

/** The tick of this region that fell while the monitor changed hands. */
export function tickMissedInHandOver(
  { due_from, last_checked_at }: ScheduledMonitor,
  entry: ScheduleEntry,
  turns: Turns,
  region: string,
  nowMs: number,
): number | null {
  if (due_from === null) return null
  const sinceMs = Math.max(due_from.getTime() - 1, last_checked_at?.getTime() ?? 0)
  return missedTickMs(turns, region, entry, sinceMs, nowMs)
}
