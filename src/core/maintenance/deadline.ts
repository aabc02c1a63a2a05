import type { TimeSpan } from '../history/uptime.ts'
import type { SubjectCover } from './team-cover.ts'

/** How far ahead windows are looked at. A deadline that they move beyond it is worked out again then. */
const LOOK_MS = 8 * 86_400_000

/**
 * When `intervalMs` have passed since `since` outside of the spans: the time in windows does not count. Time that would
 * be up just when a span begins is up after it. `spansOf` has those that touch [from, to), in order of their starts.
 */
export function deadlineOutside(
  { since, intervalMs, now }: { since: Date; intervalMs: number; now: Date },
  spansOf: (from: Date, to: Date) => readonly TimeSpan[],
): Date {
  const dueMs = since.getTime() + intervalMs
  const toMs = Math.max(dueMs, now.getTime()) + LOOK_MS
  let atMs = since.getTime()
  let leftMs = intervalMs
  for (const span of spansOf(since, new Date(toMs))) {
    const outsideMs = Math.max(0, span.fromMs - atMs)
    if (outsideMs > leftMs) break
    leftMs -= outsideMs
    atMs = Math.max(atMs, span.toMs)
  }
  return new Date(atMs + leftMs)
}

/**
 * A heartbeat, with the deadline that its last ping or silence gave it, and when it was heard of, or began to be waited
 * for. Our own downtime may have moved the deadline since.
 */
export type PlannedDeadline = {
  monitorId: number
  dueAt: Date
  intervalSeconds: number
  heardAt: Date | null
}

/** From when on windows move the deadline. */
export function waitedSince({ dueAt, intervalSeconds, heardAt }: Omit<PlannedDeadline, 'monitorId'>): Date {
  const since = new Date(dueAt.getTime() - intervalSeconds * 1_000)
  return heardAt && heardAt < since ? heardAt : since
}

/**
 * When a silent heartbeat is late: what its team's windows cover of the time since it was heard of does not count. Downtime
 * within a window counts as both: rather late than too early.
 */
export function effectiveDeadline(planned: PlannedDeadline, cover: SubjectCover | null, now: Date): Date {
  const { monitorId, dueAt } = planned
  if (!cover) return dueAt
  const since = waitedSince(planned)
  const intervalMs = dueAt.getTime() - since.getTime()
  return deadlineOutside({ since, intervalMs, now }, (from, to) => cover.spansOf(monitorId, from, to))
}
