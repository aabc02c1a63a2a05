/** A stretch of a chart with a look of its own. Times are in seconds, as uPlot counts them. */
export type Span = { kind: 'down' | 'paused' | 'degraded' | 'maintenance'; from: number; to: number }

/** Points without a neighbor, which a line cannot show; undefined is a row of other lines. */
export function lonelyRows(column: readonly (number | null | undefined)[]): number[] {
  const own = [...column.keys()].filter((index) => column[index] !== undefined)
  const isShown = (index: number | undefined) => index !== undefined && column[index] !== null
  return own.filter((row, index) => isShown(row) && !isShown(own[index - 1]) && !isShown(own[index + 1]))
}

export function secondsOf(instant: string): number {
  return Date.parse(instant) / 1_000
}
