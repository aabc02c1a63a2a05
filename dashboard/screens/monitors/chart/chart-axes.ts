import type uPlot from 'uplot'
import { FONT, sayTick } from '../../../parts/charts/axes.ts'
import type { Colours } from '../../../parts/charts/look.ts'
import { lonelyRows } from '../../../parts/charts/rows.ts'
import { sayMs } from '../../../parts/figures.ts'
import { PLOT_HEIGHT } from './chart-place.ts'

const MIN_TOP_MS = 10

/** Lines that can be told apart without color, as in the legend below the chart. */
export const STROKES = [
  { name: 'p50', colour: 'accent', width: 2, dash: [] },
  { name: 'p95', colour: 'ink', width: 1.25, dash: [6, 3] },
  { name: 'p99', colour: 'soft', width: 1.25, dash: [1.5, 3] },
] as const

export function chartOptions({
  width,
  colours,
  range,
  shade,
  onCursor,
}: {
  width: number
  colours: Colours
  /** The ends of the x axis, in seconds. */
  range: () => [number, number]
  shade: (chart: uPlot) => void
  onCursor: (chart: uPlot) => void
}): uPlot.Options {
  const axis = {
    stroke: colours.soft,
    font: FONT,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1, size: 4 },
  }
  return {
    width,
    height: PLOT_HEIGHT,
    legend: { show: false },
    padding: [8, 12, 0, 0],
    scales: {
      x: { time: true, range },
      y: { range: (_, __, highest) => [0, Math.max(MIN_TOP_MS, (highest ?? 0) * 1.1)] },
    },
    axes: [
      {
        ...axis,
        size: 32,
        space: 70,
        values: (_, splits, __, ___, step) => splits.map((at) => sayTick(at, step)),
      },
      { ...axis, size: 68, values: (_, splits) => splits.map((ms) => sayMs(ms)) },
    ],
    series: [
      {},
      ...STROKES.map(({ name, colour, width, dash }) => ({
        label: name,
        stroke: colours[colour],
        width,
        dash: [...dash],
        points: {
          show: true,
          size: 5,
          fill: colours[colour],
          filter: (chart: uPlot, index: number) => lonelyRows(chart.data[index] as (number | null)[]),
        },
      })),
    ],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 7, fill: (_, index) => colours[STROKES[index - 1]?.colour ?? 'ink'] },
    },
    hooks: { drawClear: [shade], setCursor: [onCursor] },
  }
}
