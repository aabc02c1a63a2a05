/** A stretch of a chart with a look of its own. Times are in seconds, as uPlot counts them. */
export type Span = { kind: 'down' | 'paused' | 'degraded' | 'maintenance'; from: number; to: number }

/** Points without a neighbor, which a line cannot show. */
export function lonelyRows(column: readonly (number | null)[]): number[] {
  return column.flatMap((value, index) => {
    const isAlone = (column[index - 1] ?? null) === null && (column[index + 1] ?? null) === null
    return value !== null && isAlone ? [index] : []
  })
}

export function secondsOf(instant: string): number {
  return Date.parse(instant) / 1_000
}
