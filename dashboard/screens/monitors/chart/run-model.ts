import { formatDuration } from '../../../../src/core/duration.ts'
import { t } from '../../../language/language.ts'
import type { TimeModel } from '../../../parts/charts/model.ts'
import { secondsOf } from '../../../parts/charts/rows.ts'
import { strokeOf } from '../../../parts/charts/strokes.ts'
import type { Ping } from '../monitor-data.ts'

/** Two runs make a line. */
export const LEAST_RUNS = 2

/** Steps in seconds as clocks have them: others would be said by several units, which find no room beside the chart. */
const STEPS = [
  ...[0.001, 0.01, 0.1].flatMap((unit) => [unit, 2 * unit, 5 * unit]),
  ...[1, 2, 5, 10, 15, 30],
  ...[60, 120, 300, 600, 900, 1_800],
  ...[3_600, 7_200, 14_400, 21_600, 43_200, 86_400],
]

/** A run of a job by its end, in seconds. */
export type Run = { at: number; seconds: number }

/** The runs that ended with these pings, oldest first. */
export function runsOf(pings: readonly Ping[]): Run[] {
  return pings
    .flatMap(({ received_at, duration_ms }) =>
      duration_ms === null ? [] : [{ at: secondsOf(received_at), seconds: duration_ms / 1_000 }],
    )
    .toSorted((one, other) => one.at - other.at)
}

/** How long runs took, and how long they may take where that is set. */
export function runModel(runs: readonly Run[], maxSeconds: number | undefined): TimeModel {
  const took = { label: t('Duration'), width: 1.5, ...strokeOf(0) }
  const limit = { label: t('Limit'), width: 1, colour: 'soft' as const, dash: [4, 4] }
  const columns: TimeModel['columns'] = [runs.map(({ at }) => at), runs.map(({ seconds }) => seconds)]
  if (maxSeconds !== undefined) columns.push(runs.map(() => maxSeconds))
  return {
    columns,
    looks: maxSeconds === undefined ? [took] : [took, limit],
    isStacked: false,
    bands: [],
    axis: { say: sayRun, top: null, leastTop: 1, steps: STEPS },
    from: runs[0]?.at ?? 0,
    to: runs.at(-1)?.at ?? 0,
    spans: [],
  }
}

/** `420 ms`, `1 min 30 s`. */
export function sayRun(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1_000)} ms` : formatDuration(seconds)
}
