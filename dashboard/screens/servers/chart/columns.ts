import type { Unit } from '../../../../src/core/servers/series.ts'
import type { ServerIncident } from '../../../../src/core/servers/shown-server.ts'
import type { ColumnBand, TimeModel } from '../../../parts/charts/model.ts'
import { type Span, secondsOf } from '../../../parts/charts/rows.ts'
import { strokeOf } from '../../../parts/charts/strokes.ts'
import { sayValue } from '../../../parts/servers/figures.ts'
import type { ChartModel, Values } from './models.ts'
import type { TimeAxis } from './time-axis.ts'

/** The data that uPlot draws: times, a column for each line, then those of the bands. */
export type Columns = { data: [number[], ...(number | null)[][]]; bands: ColumnBand[] }

/** With more lines, bands would cover each other. */
const MAX_LINES_WITH_BANDS = 3

export function columnsOf({ lines, isStacked, sumBand }: ChartModel, times: number[]): Columns {
  const drawn = isStacked
    ? stacked(lines.map(({ values }) => values))
    : lines.map(({ values }) => [...values])
  const extra: (number | null)[][] = []
  const bands: ColumnBand[] = []
  function addBand(min: Values, max: Values, line: number) {
    const first = 1 + drawn.length + extra.length
    extra.push([...max], [...min])
    bands.push({ high: first, low: first + 1, line })
  }
  if (isStacked && sumBand) addBand(sumBand.min, sumBand.max, lines.length - 1)
  if (!isStacked && lines.length <= MAX_LINES_WITH_BANDS) {
    for (const [index, { band }] of lines.entries()) if (band) addBand(band.min, band.max, index)
  }
  return { data: [times, ...drawn, ...extra], bands }
}

/** Each column on those before it. A row of which nothing is known is a gap in all of them. */
function stacked(columns: readonly Values[]): (number | null)[][] {
  const sums: (number | null)[] = (columns[0] ?? []).map((_, row) =>
    columns.every((column) => (column[row] ?? null) === null) ? null : 0,
  )
  return columns.map((column) => {
    for (const [row, sum] of sums.entries()) if (sum !== null) sums[row] = sum + (column[row] ?? 0)
    return [...sums]
  })
}

const LEAST_TOP: Record<Unit, number> = {
  percent: 5,
  bytes: 1_024,
  bytes_per_second: 1_024,
  per_second: 1,
  seconds: 1,
  count: 1,
  celsius: 50,
}

/** 1, 2, 4 … 512 of each unit: ticks at round numbers of bytes. */
const BYTE_STEPS = Array.from({ length: 52 }, (_, power) => 2 ** power)

export function timeModel(model: ChartModel, { times, from, to, spans }: TimeAxis): TimeModel {
  const { lines, unit, top, isStacked } = model
  const { data, bands } = columnsOf(model, times)
  const isBytes = unit === 'bytes' || unit === 'bytes_per_second'
  return {
    columns: data,
    looks: lines.map(({ label }, index) => ({ label, width: 1.5, ...strokeOf(index) })),
    isStacked,
    bands,
    axis: {
      say: (value) => sayValue(value, unit),
      top,
      leastTop: LEAST_TOP[unit],
      ...(isBytes && { steps: BYTE_STEPS }),
    },
    from,
    to,
    spans,
  }
}

type Planned = { starts_at: string; ends_at: string | null }

/** Incidents and maintenance as stretches behind the lines. One that lasts goes on to the end of the chart. */
export function spansOf(
  incidents: readonly Pick<ServerIncident, 'started_at' | 'resolved_at' | 'warns_only'>[],
  maintenance: readonly Planned[],
  end: string,
): Span[] {
  return [
    ...maintenance.map(({ starts_at, ends_at }) => ({
      kind: 'maintenance' as const,
      from: secondsOf(starts_at),
      to: secondsOf(ends_at ?? end),
    })),
    ...incidents.map(({ started_at, resolved_at, warns_only }) => ({
      kind: warns_only ? ('degraded' as const) : ('down' as const),
      from: secondsOf(started_at),
      to: secondsOf(resolved_at ?? end),
    })),
  ]
}
