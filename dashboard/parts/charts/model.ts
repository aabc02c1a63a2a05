import type { Span } from './rows.ts'
import type { strokeOf } from './strokes.ts'

/** How a line is drawn, in the plot and in the legend: lines can be told apart without color. */
export type LineLook = {
  label: string
  colour: 'accent' | 'ink' | 'soft' | ReturnType<typeof strokeOf>['colour']
  width: number
  dash: readonly number[]
  isFaint?: boolean
}

/** The opacity of a faint line. */
export const FAINT_OPACITY = 0.45

/** The axis of the values. */
export type Axis = {
  say: (value: number) => string
  /** Its end, where it has one by nature; otherwise the least one, so that noise does not look like trouble. */
  top: number | null
  leastTop: number
  /** The steps between its ticks, where not any will do. */
  steps?: readonly number[]
}

/** A band between two columns of a plot, in the color of a line. */
export type ColumnBand = { high: number; low: number; line: number }

/** A chart over time, before anything is known of pixels. Times are in seconds. */
export type TimeModel = {
  /**
   * The times of the points, then the values of each line at them, then the edges of bands. Null breaks a line; undefined is
   * a point of other lines only.
   */
  columns: [number[], ...(number | null | undefined)[][]]
  looks: readonly LineLook[]
  /** Each line stands on the one before it. */
  isStacked: boolean
  bands: readonly ColumnBand[]
  axis: Axis
  /** The ends of the time that is shown. */
  from: number
  to: number
  spans: readonly Span[]
}

/** Heights and widths in pixels: of the one chart of a page, and of charts side by side. */
export const CHART_SIZES = {
  large: {
    height: 250,
    right: 34,
    ticks: { size: 32, space: 70 },
    values: { size: 68 },
    point: 5,
    cursor: 7,
  },
  small: {
    height: 170,
    right: 34,
    ticks: { size: 28, space: 64 },
    values: { size: 72, space: 26 },
    point: 4,
    cursor: 6,
  },
} as const

export type ChartSize = keyof typeof CHART_SIZES
