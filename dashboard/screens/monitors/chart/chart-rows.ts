import type { MonitorReport as Report, ReportPoint } from '../../../../src/core/history/monitor-report.ts'
import { type Span, secondsOf } from '../../../parts/charts/rows.ts'

/** Values of one line by time, in seconds; null breaks the line. */
export type Series = { label: string; values: ReadonlyMap<number, number | null> }

/** The steps of a report, and where its lines are broken: no point. */
export type ChartRows = { points: ReadonlyMap<number, ReportPoint | null>; longest: number }

const LINES = { p50: 'p50_ms', p95: 'p95_ms', p99: 'p99_ms' } as const

/** Steps without checks are left out of a report; the lines must not run across them. */
export function rowsOf(report: Report, intervalSeconds: number): ChartRows {
  // A monitor whose interval is longer than a step misses steps without missing a check.
  const longest = Math.max(report.step_seconds, intervalSeconds) * 1.5
  return { points: brokenAt(report.points, report, longest, 0), longest }
}

export function percentileSeries({ points }: ChartRows): Series[] {
  return Object.entries(LINES).map(([label, name]) => ({
    label,
    values: new Map([...points].map(([at, point]) => [at, point?.[name] ?? null])),
  }))
}

export function regionSeries(report: Report, { longest }: ChartRows): Series[] {
  return report.region_lines.map(({ region, points }) => ({
    label: region,
    values: mediansOf(brokenAt(points, report, longest, 0)),
  }))
}

/** The medians of another stretch, drawn so many seconds later than they were. */
export function seriesBefore(
  label: string,
  before: Report,
  shown: Report,
  { longest }: ChartRows,
  shiftSeconds: number,
): Series {
  return { label, values: mediansOf(brokenAt(before.points, shown, longest, shiftSeconds)) }
}

function mediansOf(points: ReadonlyMap<number, { p50_ms: number | null } | null>): Series['values'] {
  return new Map([...points].map(([at, point]) => [at, point?.p50_ms ?? null]))
}

/** Points by the time at which they are drawn, with null between those that are too far from each other. */
function brokenAt<Point extends { at: string }>(
  points: readonly Point[],
  shown: Report,
  longest: number,
  shiftSeconds: number,
): Map<number, Point | null> {
  const rows = new Map<number, Point | null>()
  let before: number | null = null
  for (const point of points) {
    const at = middleOf(secondsOf(point.at) + shiftSeconds, shown)
    if (before !== null && at - before > longest) rows.set((before + at) / 2, null)
    rows.set(at, point)
    before = at
  }
  return rows
}

/** A step is drawn at its middle, in line with its shading. */
function middleOf(start: number, report: Report): number {
  const from = Math.max(start, secondsOf(report.from))
  const to = Math.min(start + report.step_seconds, secondsOf(report.to))
  return (from + Math.max(from, to)) / 2
}

/**
 * Columns as uPlot wants them: all times, then the values of each line at them. A line without a value of its own at the
 * time of another has none there (undefined), and runs on; null breaks it.
 */
export function columnsOf(
  rows: ChartRows,
  series: readonly Series[],
): { points: (ReportPoint | null)[]; columns: [number[], ...(number | null | undefined)[][]] } {
  const times = [
    ...new Set([rows.points, ...series.map(({ values }) => values)].flatMap((one) => [...one.keys()])),
  ]
  times.sort((a, b) => a - b)
  return {
    points: times.map((at) => rows.points.get(at) ?? null),
    columns: [times, ...series.map(({ values }) => times.map((at) => values.get(at)))],
  }
}

export function spansOf(report: Report): Span[] {
  const end = secondsOf(report.to)
  const until = (at: string | null) => (at === null ? end : secondsOf(at))
  return [
    ...degradedSpans(report),
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

/** Steps that follow each other are one. */
export function degradedSpans({ points, step_seconds }: Report): Span[] {
  const spans: Span[] = []
  for (const { at, degraded } of points) {
    if (degraded === 0) continue
    const from = secondsOf(at)
    const last = spans.at(-1)
    if (last?.to === from) last.to = from + step_seconds
    else spans.push({ kind: 'degraded', from, to: from + step_seconds })
  }
  return spans
}
