import type { ServerHistory } from '../../../../src/core/servers/shown-server.ts'
import { type Span, secondsOf } from '../../../parts/charts/rows.ts'

/** The common ground of all charts of a page. */
export type TimeAxis = {
  /** The middle of each step, in seconds. */
  times: number[]
  stepSeconds: number
  /** The ends of the x axis, in seconds. */
  from: number
  to: number
  spans: readonly Span[]
}

export function timeAxisOf(
  history: Pick<ServerHistory, 'from' | 'to' | 'step_seconds' | 'series'>,
  spans: readonly Span[],
): TimeAxis {
  const { from, to, step_seconds: stepSeconds, series } = history
  const count = Math.max(0, ...series.map(({ values }) => values.length))
  const start = secondsOf(from) + stepSeconds / 2
  const times = Array.from({ length: count }, (_, index) => start + index * stepSeconds)
  return { times, stepSeconds, from: secondsOf(from), to: secondsOf(to), spans }
}
