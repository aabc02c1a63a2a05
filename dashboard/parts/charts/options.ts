import type uPlot from 'uplot'
import { FONT, sayTick } from './axes.ts'
import type { Colours } from './look.ts'
import {
  type Axis,
  CHART_SIZES,
  type ChartSize,
  FAINT_OPACITY,
  type LineLook,
  type TimeModel,
} from './model.ts'
import { lonelyRows } from './rows.ts'

/** Narrower is a click that trembled. */
const MIN_DRAG_PIXELS = 6
const FILL_ALPHA = '40'
const BAND_ALPHA = '30'

export function chartOptions({
  width,
  size,
  model: { looks, isStacked, bands },
  axis,
  colours,
  sync,
  range,
  shade,
  onCursor,
  onZoom,
}: {
  width: number
  size: ChartSize
  model: TimeModel
  axis: () => Axis
  colours: Colours
  /** Charts of one name have their cursors at the same time. */
  sync: string | undefined
  /** The ends of the x axis, in seconds. */
  range: () => [number, number]
  shade: (chart: uPlot) => void
  onCursor: (chart: uPlot) => void
  /** A stretch was drawn with the pointer, in seconds. */
  onZoom: (from: number, to: number) => void
}): uPlot.Options {
  const { height, right, ticks, values, point, cursor } = CHART_SIZES[size]
  const line = {
    stroke: colours.soft,
    font: FONT,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1, size: 4 },
  }
  const steps = axis().steps
  const fillOf = (index: number, alpha: string) => `${colours[looks[index]?.colour ?? 'ink']}${alpha}`
  return {
    width,
    height,
    legend: { show: false },
    // The name of a tick at the right end is half of it beyond the plot.
    padding: [8, right, 0, 0],
    scales: {
      x: { time: true, range },
      y: {
        range: (_, __, highest) => [0, axis().top ?? Math.max(axis().leastTop, (highest ?? 0) * 1.1)],
      },
    },
    axes: [
      { ...line, ...ticks, values: (_, splits, __, ___, step) => splits.map((at) => sayTick(at, step)) },
      {
        ...line,
        ...values,
        values: (_, splits) => splits.map((value) => axis().say(value)),
        ...(steps && { incrs: [...steps] }),
      },
    ],
    bands: [
      ...(isStacked ? looks.slice(1) : []).map((_, index) => ({
        series: [index + 2, index + 1] as [number, number],
        fill: fillOf(index + 1, FILL_ALPHA),
      })),
      ...bands.map(({ high, low, line: of }) => ({
        series: [high, low] as [number, number],
        fill: fillOf(of, BAND_ALPHA),
      })),
    ],
    series: [
      {},
      ...looks.map((look, index) => ({
        label: look.label,
        stroke: strokeColour(look, colours),
        width: look.width,
        dash: [...look.dash],
        // Those above the first are filled down to the one below them.
        ...(isStacked && index === 0 && { fill: fillOf(0, FILL_ALPHA) }),
        points: {
          show: true,
          size: point,
          fill: strokeColour(look, colours),
          filter: (chart: uPlot, at: number) => lonelyRows(chart.data[at] as (number | null)[]),
        },
      })),
      ...bands.flatMap(() => [
        { stroke: 'transparent', points: { show: false } },
        { stroke: 'transparent', points: { show: false } },
      ]),
    ],
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      // Another chart is only where the pointer is: what is drawn with it stays here.
      ...(sync && {
        sync: { key: sync, filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' } },
      }),
      points: {
        size: (_, index) => (index <= looks.length ? cursor : 0),
        fill: (_, index) => colours[looks[index - 1]?.colour ?? 'ink'],
      },
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
