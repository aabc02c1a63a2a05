import type { ScheduledMonitor } from '../store/scheduling.ts'
import type { Watch } from './overrun.ts'

/** A monitor as a scheduler plans it. */
export type Entry = {
  monitor: ScheduledMonitor
  intervalMs: number
  phase: number
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
}

export type Running = {
  controller: AbortController
  /** The target has been judged; what is left is to record it. */
  judged: boolean
  /** Where regions take turns: sees to it that two of them never look at once. */
  watch: Watch | null
  /** Resolves when nothing of it is under way any more. */
  done: Promise<void>
}

/** When a monitor is to be looked at next, as one scheduler hands it to another. */
export type Plan = { id: number; revision: number; dueMs: number; tickMs: number | null }

/** Whether it is still waiting for its first check, wherever that is to be made. */
export function isNew(monitor: ScheduledMonitor, { begun }: Entry): boolean {
  return !begun && monitor.last_checked_at === null
}

/** Whether a check was asked for since the last request that was seen, or since the last check. */
export function isRequested({ check_requested_at }: ScheduledMonitor, since: Date | null): boolean {
  return check_requested_at !== null && (since === null || check_requested_at > since)
}

/** Whether the probe would do something else now; the interval does not count. */
export function probesOtherwise(before: ScheduledMonitor, after: ScheduledMonitor): boolean {
  return JSON.stringify(probedPartOf(before)) !== JSON.stringify(probedPartOf(after))
}

function probedPartOf(monitor: ScheduledMonitor) {
  const { revision, interval_seconds, last_checked_at, check_requested_at, pending, up, ...others } = monitor
  const { slot, changed_at, due_from, cut, ...probed } = others
  return probed
}
