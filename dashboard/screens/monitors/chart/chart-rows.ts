import type { ReportPoint } from '../../../../src/core/history/monitor-report.ts'
import { type Span, secondsOf } from '../../../parts/charts/rows.ts'
import type { Report } from '../monitor-data.ts'

/** Columns as uPlot wants them, and the points they come from: null where the line is broken. */
export type ChartRows = {
  points: (ReportPoint | null)[]
  columns: [number[], ...(number | null)[][]]
}

const LINES = ['p50_ms', 'p95_ms', 'p99_ms'] as const

/** Steps without checks are left out of a report; the lines must not run across them. */
export function rowsOf(report: Report, intervalSeconds: number): ChartRows {
  // A monitor whose interval is longer than a step misses steps without missing a check.
  const longest = Math.max(report.step_seconds, intervalSeconds) * 1.5
  const points: (ReportPoint | null)[] = []
  const times: number[] = []
  for (const point of report.points) {
    const at = middleOf(point, report)
    const before = times.at(-1)
    if (before !== undefined && at - before > longest) {
      points.push(null)
      times.push((before + at) / 2)
    }
    points.push(point)
    times.push(at)
  }
  const columns = LINES.map((line) => points.map((point) => point?.[line] ?? null))
  return { points, columns: [times, ...columns] }
}

/** A step is drawn at its middle, in line with its shading. */
function middleOf(point: ReportPoint, report: Report): number {
  const from = Math.max(secondsOf(point.at), secondsOf(report.from))
  const to = Math.min(secondsOf(point.at) + report.step_seconds, secondsOf(report.to))
  return (from + Math.max(from, to)) / 2
}

export function spansOf(report: Report): Span[] {
  const end = secondsOf(report.to)
  const until = (at: string | null) => (at === null ? end : secondsOf(at))
  return [
    ...report.points
      .filter(({ degraded }) => degraded > 0)
      .map(({ at }) => ({
        kind: 'degraded' as const,
        from: secondsOf(at),
        to: secondsOf(at) + report.step_seconds,
      })),
    ...report.pauses.map(({ from, to }) => ({
      kind: 'paused' as const,
      from: secondsOf(from),
      to: until(to),
    })),
    ...report.maintenance.map(({ from, to }) => ({
      kind: 'maintenance' as const,
      from: secondsOf(from),
      to: until(to),
    })),
    ...report.incidents.map(({ started_at, resolved_at }) => ({
      kind: 'down' as const,
      from: secondsOf(started_at),
      to: until(resolved_at),
    })),
  ]
}
