import type uPlot from 'uplot'
import type { Unit } from '../../../../src/core/servers/series.ts'
import { FONT, sayTick } from '../../../parts/charts/axes.ts'
import type { Colours } from '../../../parts/charts/look.ts'
import { lonelyRows } from '../../../parts/charts/rows.ts'
import { strokeOf } from '../../../parts/charts/strokes.ts'
import { sayValue } from '../../../parts/servers/figures.ts'
import type { ColumnBand } from './columns.ts'
import type { ChartModel } from './models.ts'

export const PLOT_HEIGHT = 170
/** Narrower is a click that trembled. */
const MIN_DRAG_PIXELS = 6
const FILL = '40'
const BAND = '30'

/** The lowest end of the axis, so that noise does not look like trouble. */
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

export function serverChartOptions({
  width,
  model,
  bands,
  colours,
  range,
  shade,
  onCursor,
  onZoom,
}: {
  width: number
  model: ChartModel
  bands: readonly ColumnBand[]
  colours: Colours
  /** The ends of the x axis, in seconds. */
  range: () => [number, number]
  shade: (chart: uPlot) => void
  onCursor: (index: number | null) => void
  /** A stretch was drawn with the pointer, in seconds. */
  onZoom: (from: number, to: number) => void
}): uPlot.Options {
  const axis = {
    stroke: colours.soft,
    font: FONT,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1, size: 4 },
  }
  const isBytes = model.unit === 'bytes' || model.unit === 'bytes_per_second'
  const fillOf = (index: number) => `${colours[strokeOf(index).colour]}${FILL}`
  const stackBands = model.lines
    .slice(1)
    .map((_, index) => ({ series: [index + 2, index + 1] as [number, number], fill: fillOf(index + 1) }))
  return {
    width,
    height: PLOT_HEIGHT,
    legend: { show: false },
    padding: [8, 10, 0, 0],
    scales: {
      x: { time: true, range },
      y: {
        range: (_, __, highest) => [0, model.top ?? Math.max(LEAST_TOP[model.unit], (highest ?? 0) * 1.1)],
      },
    },
    axes: [
      {
        ...axis,
        size: 28,
        space: 64,
        values: (_, splits, __, ___, step) => splits.map((at) => sayTick(at, step)),
      },
      {
        ...axis,
        size: 72,
        space: 26,
        values: (_, splits) => splits.map((value) => sayValue(value, model.unit)),
        ...(isBytes && { incrs: BYTE_STEPS }),
      },
    ],
    bands: [
      ...(model.isStacked ? stackBands : []),
      ...bands.map(({ high, low, line }) => ({
        series: [high, low] as [number, number],
        fill: `${colours[strokeOf(line).colour]}${BAND}`,
      })),
    ],
    series: [
      {},
      ...model.lines.map(({ label }, index) => {
        const { colour, dash } = strokeOf(index)
        return {
          label,
          stroke: colours[colour],
          width: 1.5,
          dash: [...dash],
          // Those above the first are filled down to the one below them.
          ...(model.isStacked && index === 0 && { fill: fillOf(0) }),
          points: {
            show: true,
            size: 4,
            fill: colours[colour],
            filter: (chart: uPlot, at: number) => lonelyRows(chart.data[at] as (number | null)[]),
          },
        }
      }),
      ...bands.flatMap(() => [
        { stroke: 'transparent', points: { show: false } },
        { stroke: 'transparent', points: { show: false } },
      ]),
    ],
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      // Of another chart only where the pointer is, not what is drawn with it.
      sync: { key: 'server', filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' } },
      points: {
        size: (_, index) => (index <= model.lines.length ? 6 : 0),
        fill: (_, index) => colours[strokeOf(index - 1).colour],
      },
    },
    hooks: {
      drawClear: [shade],
      setCursor: [
        ({ cursor: { idx, left = -1 } }) =>
          onCursor(idx === null || idx === undefined || left < 0 ? null : idx),
      ],
      setSelect: [
        (chart) => {
          const { left, width: dragged } = chart.select
          if (dragged < MIN_DRAG_PIXELS) return
          onZoom(chart.posToVal(left, 'x'), chart.posToVal(left + dragged, 'x'))
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}
