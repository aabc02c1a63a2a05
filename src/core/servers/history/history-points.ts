import { DAY_MS } from '../../history/history-span.ts'
import { REPORT_INTERVAL_SECONDS } from '../server.ts'
import { MAX_HISTORY_POINTS, type SeriesHistory } from '../shown-server.ts'
import { ofCode, toCode } from './sample-code.ts'
import { ColumnsByKey, type SampleColumns } from './sample-columns.ts'
import type { Summary } from './server-hour.ts'

/** The longest history that one answer shows. */
export const MAX_HISTORY_DAYS = 400
/** Up to this long a history is made from samples, and from then on from hours. */
const DAYS_OF_SAMPLES = 7

const MINUTE_STEPS = [1, 2, 3, 4, 5, 6, 10, 12, 15].map((minutes) => minutes * 60)
const HOUR_STEPS = [1, 2, 3, 4, 6, 8, 12, 24].map((hours) => hours * 3_600)

/** `from` and `to` are whole steps, so that points stay where they are while time goes on. */
export type HistoryPlan = { unit: 'sample' | 'hour'; from: Date; to: Date; stepSeconds: number }

/** How a history is made, of as many points as fit. `samplesSince`: older samples are gone; null: none is. */
export function planHistory(from: Date, to: Date, samplesSince: Date | null): HistoryPlan {
  const hasSamples = samplesSince === null || from >= samplesSince
  const isShort = to.getTime() - from.getTime() <= DAYS_OF_SAMPLES * DAY_MS
  const unit: HistoryPlan['unit'] = hasSamples && isShort ? 'sample' : 'hour'
  const plans = (unit === 'sample' ? MINUTE_STEPS : HOUR_STEPS).map((stepSeconds) => {
    const stepMs = stepSeconds * 1_000
    const fromMs = Math.floor(from.getTime() / stepMs) * stepMs
    const toMs = Math.ceil(to.getTime() / stepMs) * stepMs
    return { unit, from: new Date(fromMs), to: new Date(toMs), stepSeconds, points: (toMs - fromMs) / stepMs }
  })
  const fitting = plans.find(({ points }) => points <= MAX_HISTORY_POINTS) ?? plans.at(-1)
  const { points: _points, ...plan } = fitting as (typeof plans)[number]
  return plan
}

/** The values of one series, by point. */
type PointColumn = Pick<Summary, 'name' | 'part'> & {
  counts: Float64Array
  sums: Float64Array
  min: Float64Array
  max: Float64Array
  /** The value of the report before, for a minute that has none of its own. */
  carried: Float64Array
}

/** Merges samples and hours into the points of a plan. */
export class HistoryPoints {
  readonly #columns: ColumnsByKey<PointColumn>
  readonly #from: number
  readonly #step: number
  readonly #points: number

  constructor({ from, to, stepSeconds }: HistoryPlan) {
    this.#from = from.getTime() / 1_000
    this.#step = stepSeconds
    this.#points = (to.getTime() / 1_000 - this.#from) / stepSeconds
    const empty = () => new Float64Array(this.#points)
    const unknown = () => empty().fill(Number.NaN)
    this.#columns = new ColumnsByKey((name, part) => {
      return {
        name,
        part,
        counts: empty(),
        sums: empty(),
        min: unknown(),
        max: unknown(),
        carried: unknown(),
      }
    })
  }

  /** Those outside of the plan are left out. */
  addSamples({ times, columns }: SampleColumns): void {
    const points = times.map((time) => this.#pointAt(time))
    if (points.every((point) => point < 0)) return
    for (const { name, part, codes } of columns) {
      const column = this.#columns.of(name, part)
      if (!column) continue
      for (let index = 0; index < points.length; index++) {
        const point = points[index] as number
        const code = codes[index] as number
        if (point < 0 || Number.isNaN(code)) continue
        const value = ofCode(name, code)
        add(column, point, 1, value, value, value)
        if (this.#isLate(times[index] as number)) column.carried[point + 1] = value
      }
    }
  }

  addHour(hour: Date, summaries: readonly Summary[]): void {
    const point = this.#pointAt(hour.getTime() / 1_000)
    if (point < 0) return
    for (const { name, part, count, min, mean, max } of summaries) {
      const column = this.#columns.of(name, part)
      if (column) add(column, point, count, ofCode(name, mean), ofCode(name, min), ofCode(name, max))
    }
  }

  /** Series with values, in order. */
  finish(): SeriesHistory[] {
    const isMerged = this.#step > REPORT_INTERVAL_SECONDS
    return this.#columns.sorted().flatMap(({ name, part, counts, sums, min, max, carried }) => {
      if (!counts.some((count) => count > 0)) return []
      const values = Array.from(counts, (count, point) =>
        count > 0 ? rounded((sums[point] as number) / count) : orNull(carried[point] as number),
      )
      const extremes = (of: Float64Array) => (isMerged ? Array.from(of, orNull) : null)
      return { name, part, values, min: extremes(min), max: extremes(max) }

      function rounded(mean: number): number {
        const code = toCode(name, mean)
        return code === null ? mean : ofCode(name, code)
      }
    })
  }

  /** Its number, or -1 outside. */
  #pointAt(seconds: number): number {
    const point = Math.floor((seconds - this.#from) / this.#step)
    return point < this.#points ? Math.max(-1, point) : -1
  }

  /**
   * Reports come a minute apart, more or less, so that a minute now and then has two and the next has none. One without is no
   * gap if a report came in the second half of the minute before.
   */
  #isLate(seconds: number): boolean {
    return this.#step === REPORT_INTERVAL_SECONDS && (seconds - this.#from) % this.#step > this.#step / 2
  }
}

function add(column: PointColumn, point: number, count: number, mean: number, min: number, max: number) {
  column.counts[point] = (column.counts[point] as number) + count
  column.sums[point] = (column.sums[point] as number) + mean * count
  if (!(min >= (column.min[point] as number))) column.min[point] = min
  if (!(max <= (column.max[point] as number))) column.max[point] = max
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value
}
