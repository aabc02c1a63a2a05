import type { MonitorReport as Report, ReportPoint } from '../../../../src/core/history/monitor-report.ts'
import type { ChartLine } from '../../../data/history-search.ts'
import type { Zoom } from '../../../data/zoom.ts'
import type { LineLook, TimeModel } from '../../../parts/charts/model.ts'
import { strokeOf } from '../../../parts/charts/strokes.ts'
import { sayMs } from '../../../parts/figures.ts'
import {
  columnsOf,
  percentileSeries,
  regionSeries,
  rowsOf,
  type Series,
  seriesBefore,
  spansOf,
} from './chart-rows.ts'

/** The lines of a chart as they are drawn, and the checks of each time; null where only other lines have values. */
export type ChartModel = {
  points: (ReportPoint | null)[]
  columns: [number[], ...(number | null | undefined)[][]]
  looks: LineLook[]
  /** The lines from this one on are not of the checks of all regions together. */
  firstOther: number
}

/** The medians of another stretch, to be drawn so many seconds later. */
export type Before = { label: string; report: Report; shiftSeconds: number }

export const PERCENTILE_LOOKS: readonly LineLook[] = [
  { label: 'p50', colour: 'accent', width: 2, dash: [] },
  { label: 'p95', colour: 'ink', width: 1.25, dash: [6, 3] },
  { label: 'p99', colour: 'soft', width: 1.25, dash: [1.5, 3] },
]

export function chartModel(
  report: Report,
  intervalSeconds: number,
  line: ChartLine | undefined,
  before: Before | null,
): ChartModel {
  const rows = rowsOf(report, intervalSeconds)
  if (line === 'regions' && report.region_lines.length > 0) {
    const series = regionSeries(report, rows)
    const looks = series.map(({ label }, index) => ({ label, width: 1.5, ...strokeOf(index) }))
    return { ...columnsOf(rows, series), looks, firstOther: 0 }
  }
  const series: Series[] = percentileSeries(rows)
  const looks = [...PERCENTILE_LOOKS]
  if (line === 'before' && before) {
    series.push(seriesBefore(before.label, before.report, report, rows, before.shiftSeconds))
    looks.push({ label: before.label, colour: 'accent', width: 2, dash: [], isFaint: true })
  }
  return { ...columnsOf(rows, series), looks, firstOther: PERCENTILE_LOOKS.length }
}

const MIN_TOP_MS = 10

export function timeModel({ columns, looks }: ChartModel, report: Report, shown: Zoom): TimeModel {
  return {
    columns,
    looks,
    isStacked: false,
    bands: [],
    axis: { say: sayMs, top: null, leastTop: MIN_TOP_MS },
    from: shown.from,
    to: shown.to,
    spans: spansOf(report),
  }
}
