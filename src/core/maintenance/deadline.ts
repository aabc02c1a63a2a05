import type { TimeSpan } from '../history/uptime.ts'

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
