import type { CheckStatus } from '../monitors/check.ts'
import { type CheckRun, disjoint, type TimeSpan, type WatchedTime } from './uptime.ts'

/** The known history of a server or site. */
export type StatusTime = {
  /** In order; the first may be long before what is asked about. Before it, nothing is known. */
  changes: readonly { atMs: number; status: CheckStatus }[]
  /**
   * The times of a site's looks; for a server, from a first to a last report between which no silence was longer than the
   * server may be silent.
   */
  reports: readonly TimeSpan[]
  /** When it was told silent: that is known, too. */
  silences: readonly TimeSpan[]
  maintenance: readonly TimeSpan[]
  deletedMs: number | null
  /** A report is an answer for as long as the server may be silent. */
  validMs: number
}

/**
 * Its time, for the rule that monitors have: the latest status counts while it reports or is told silent. Where it
 * is neither, we were not there to hear it, and nothing is known. Pending is a rest: it is paused, or has not reported yet.
 */
export function watchedByStatus(subject: StatusTime): WatchedTime {
  const { changes, reports, silences, maintenance, deletedMs, validMs } = subject
  const known = disjoint([
    ...reports.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs + validMs })),
    ...silences.map(({ fromMs, toMs }) => ({ fromMs, toMs })),
  ])
  const spans = changes.map(({ atMs, status }, index) => ({
    status,
    fromMs: atMs,
    toMs: changes[index + 1]?.atMs ?? Number.POSITIVE_INFINITY,
  }))
  const runs = runsOf(spans, known)
  const asSpan = ({ firstMs, lastMs }: CheckRun) => ({ fromMs: firstMs, toMs: lastMs })
  const rests = spans.filter(({ status }) => status === 'pending')
  return {
    runs,
    incidents: spans.filter(({ status }) => status === 'down'),
    // Its status says so at a report, whatever became of the window since.
    maintenance: [...maintenance, ...runs.filter(({ status }) => status === 'maintenance').map(asSpan)],
    rests: deletedMs === null ? rests : [...rests, { fromMs: deletedMs, toMs: Number.POSITIVE_INFINITY }],
    validMs: 0,
    isHeartbeat: false,
  }
}

/** The known part of each status. Both are in order and without overlaps. */
function runsOf(
  spans: readonly (TimeSpan & { status: CheckStatus })[],
  known: readonly TimeSpan[],
): CheckRun[] {
  const runs: CheckRun[] = []
  let next = 0
  for (const { status, fromMs, toMs } of spans) {
    while (next < known.length && (known[next] as TimeSpan).toMs <= fromMs) next++
    for (let index = next; index < known.length; index++) {
      const one = known[index] as TimeSpan
      if (one.fromMs >= toMs) break
      runs.push({ status, firstMs: Math.max(one.fromMs, fromMs), lastMs: Math.min(one.toMs, toMs) })
    }
  }
  return runs
}
