import type { CheckResult } from '../../core/monitors/check.ts'
import { maxConfirmationMs } from '../../core/monitors/confirmation.ts'
import { nextTickMs, phaseMs } from '../../core/probing/schedule.ts'
import { longestAttemptMs } from '../../core/probing/time-limit.ts'
import { missedTickMs, regionAt, regionToAnswer, type Turns } from '../../core/probing/turns.ts'
import type { ScheduledMonitor } from '../../store/probing/schedule.ts'
import type { Watch } from './overrun.ts'

/** So many checks of one region may follow each other because the target is too slow for others to have their turns. */
const MAX_IN_A_ROW = 2

/** A monitor as a scheduler plans it. */
export type Entry = {
  monitor: ScheduledMonitor
  intervalMs: number
  phase: number
  /** The reserved regions that are open to it. */
  ownRegions: readonly string[]
  /** When it is next looked at; entries of the heap that say otherwise are void. */
  dueMs: number
  /** The tick that this is for; null for what does not wait for one. */
  tickMs: number | null
  running: Running | null
  /** A check was begun since it is planned here. */
  begun: boolean
  /** Checks, or silences of a heartbeat, in a row that could not be judged. */
  unjudged: number
  /** The last check passed without a warning: another such one is no news. */
  wasUp: boolean
  /** Where regions take turns: when the last check here was over. */
  endedMs: number
  /** So many checks in a row have each taken the turns of all other regions before they were over. */
  tookTurns: number
}

export type Running = {
  controller: AbortController
  /** The target has been judged; what is left is to record it. */
  judged: boolean
  /** A check was asked for while the result of this one was being recorded. */
  isAskedAgain: boolean
  /** Where regions take turns: sees to it that two of them never look at once. */
  watch: Watch | null
  /** Resolves when nothing of it is under way any more. */
  done: Promise<void>
}

export function entryOf(monitor: ScheduledMonitor): Entry {
  const intervalMs = monitor.interval_seconds * 1_000
  return {
    monitor,
    intervalMs,
    phase: phaseMs(monitor.id, intervalMs),
    ownRegions: monitor.own_regions,
    dueMs: 0,
    tickMs: null,
    running: null,
    begun: false,
    unjudged: 0,
    wasUp: monitor.up,
    endedMs: 0,
    tookTurns: 0,
  }
}

/** The tick of a monitor that comes next, in milliseconds of the clock. */
export function nextTick({ intervalMs, phase }: Entry, nowMs: number): number {
  return nextTickMs(nowMs, intervalMs, phase)
}

/** When a monitor is to be looked at next, as one scheduler hands it to another. */
export type Plan = { id: number; slot: number; revision: number; dueMs: number; tickMs: number | null }

/** What one scheduler gave up for others. */
export type Released = { monitors: ScheduledMonitor[]; plans: Plan[] }

export function planOf(entry: Entry, nowMs: number): Plan {
  const { monitor, running, dueMs, tickMs } = entry
  const { id, slot, revision } = monitor
  if (!running) return { id, slot, revision, dueMs, tickMs }
  if (!running.judged) return { id, slot, revision, dueMs: nowMs, tickMs: null }
  const nextMs = nextTick(entry, nowMs)
  return { id, slot, revision, dueMs: nextMs, tickMs: nextMs }
}

/** What became of a look at a monitor, for whoever counts. */
export type Looked = {
  type: ScheduledMonitor['type']
  status: CheckResult['status']
  /** From the time it was due to its start. */
  lateMs: number
  /** Until it was judged; null for a silence, which takes no time. */
  tookMs: number | null
}

/** How long a check of it takes at most, apart from the recording; see `maxConfirmationMs`. */
export function longestMs({ request_timeout_seconds, confirmations }: ScheduledMonitor): number {
  const attemptMs = longestAttemptMs(request_timeout_seconds * 1_000)
  return attemptMs + maxConfirmationMs(attemptMs, confirmations)
}

/** Whether it is to be checked now, however far its next tick is. */
export function isOwed({ running, dueMs, tickMs }: Entry, untilMs: number): boolean {
  return running ? !running.judged : tickMs === null || dueMs < untilMs
}

/** Whether it is still waiting for its first check, wherever that is to be made. */
export function isNew(monitor: ScheduledMonitor, { begun }: Entry): boolean {
  return !begun && monitor.last_checked_at === null
}

/** Whether a check was asked for since the last request that was seen, or since the last check. */
export function isRequested({ check_requested_at }: ScheduledMonitor, since: Date | null): boolean {
  return check_requested_at !== null && (since === null || check_requested_at > since)
}

/** Whether it is this region that answers what has changed, or was asked for. */
export function answersHere(entry: Entry, turns: Turns, region: string, nowMs: number): boolean {
  const { changed_at, check_requested_at } = entry.monitor
  const askedAtMs = Math.max(changed_at.getTime(), check_requested_at?.getTime() ?? 0)
  return regionToAnswer(turns, entry, askedAtMs, nowMs) === region
}

/** Before a check: whether its tick is left out, so that a slow target is looked at from elsewhere, too. Counts. */
export function leavesToOthers(entry: Entry, turns: Turns, region: string): boolean {
  const { tickMs, intervalMs, endedMs } = entry
  if (tickMs === null) return false
  const beforeMs = tickMs - intervalMs
  // A clock that was set back leaves an end in the future, which says nothing.
  const tookAll = endedMs > beforeMs && endedMs <= tickMs && regionAt(turns, entry, beforeMs) !== region
  entry.tookTurns = tookAll ? (entry.tookTurns + 1) % MAX_IN_A_ROW : 0
  return tookAll && entry.tookTurns === 0
}

/** The tick of this region that fell while its monitor changed hands. */
export function tickLeftHere(entry: Entry, turns: Turns, region: string, nowMs: number): number | null {
  const { due_from, last_checked_at } = entry.monitor
  if (due_from === null) return null
  const sinceMs = Math.max(due_from.getTime() - 1, last_checked_at?.getTime() ?? 0)
  return missedTickMs(turns, region, entry, sinceMs, nowMs)
}

/** Whether the probe would do something else now; the interval does not count. */
export function probesOtherwise(before: ScheduledMonitor, after: ScheduledMonitor): boolean {
  return JSON.stringify(probedPartOf(before)) !== JSON.stringify(probedPartOf(after))
}

function probedPartOf(monitor: ScheduledMonitor) {
  const { revision, interval_seconds, last_checked_at, check_requested_at, pending, up, ...others } = monitor
  const { slot, changed_at, due_from, cut, confirmations, recovery_checks, own_regions, ...probed } = others
  return probed
}
