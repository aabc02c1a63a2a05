import type uPlot from 'uplot'
import { FONT, sayTick } from '../../../parts/charts/axes.ts'
import type { Colours } from '../../../parts/charts/look.ts'
import { lonelyRows } from '../../../parts/charts/rows.ts'
import { sayMs } from '../../../parts/figures.ts'
import { FAINT_OPACITY, type LineLook } from './chart-model.ts'
import { PLOT_HEIGHT } from './chart-place.ts'

const MIN_TOP_MS = 10

/** Narrower is a click that trembled. */
const MIN_DRAG_PIXELS = 6

export function chartOptions({
  width,
  looks,
  colours,
  range,
  shade,
  onCursor,
  onZoom,
}: {
  width: number
  looks: readonly LineLook[]
  colours: Colours
  /** The ends of the x axis, in seconds. */
  range: () => [number, number]
  shade: (chart: uPlot) => void
  onCursor: (chart: uPlot) => void
  /** A stretch was drawn with the pointer, in seconds. */
  onZoom: (from: number, to: number) => void
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
    // The name of a tick at the right end is half of it beyond the plot.
    padding: [8, 28, 0, 0],
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
      ...looks.map((look) => ({
        label: look.label,
        stroke: strokeColour(look, colours),
        width: look.width,
        dash: [...look.dash],
        points: {
          show: true,
          size: 5,
          fill: strokeColour(look, colours),
          filter: (chart: uPlot, index: number) => lonelyRows(chart.data[index] as (number | null)[]),
        },
      })),
    ],
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: 7, fill: (_, index) => colours[looks[index - 1]?.colour ?? 'ink'] },
    },
    hooks: {
      drawClear: [shade],
      setCursor: [onCursor],
      setSelect: [
        (chart) => {
          const { left, width: drawn } = chart.select
          if (drawn < MIN_DRAG_PIXELS) return
          onZoom(chart.posToVal(left, 'x'), chart.posToVal(left + drawn, 'x'))
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}

function strokeColour({ colour, isFaint }: LineLook, colours: Colours): string {
  const alpha = Math.round(255 * FAINT_OPACITY).toString(16)
  return isFaint ? `${colours[colour]}${alpha}` : colours[colour]
}
