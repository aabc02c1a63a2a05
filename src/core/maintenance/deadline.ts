import type { TimeSpan } from '../history/uptime.ts'
import type { TeamCover } from './team-cover.ts'

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

/** A heartbeat, with the deadline that its last ping or silence gave it. */
export type PlannedDeadline = { monitorId: number; dueAt: Date; intervalSeconds: number }

/** When a silent heartbeat is late: what its team's windows cover of the time since its last ping does not count. */
export function effectiveDeadline(
  { monitorId, dueAt, intervalSeconds }: PlannedDeadline,
  cover: TeamCover | null,
  now: Date,
): Date {
  if (!cover) return dueAt
  const intervalMs = intervalSeconds * 1_000
  const since = new Date(dueAt.getTime() - intervalMs)
  return deadlineOutside({ since, intervalMs, now }, (from, to) => cover.spansOf(monitorId, from, to))
}
