import { DAY_MS, HOUR_MS, nextWhole, startOfDay } from './history-span.ts'
import { REPORT_RANGES } from './monitor-report.ts'
import type { ReportRange } from './report-range.ts'

/** A stretch that is asked for by its ends is no shorter than this. */
export const MIN_STRETCH_SECONDS = 300
export const MAX_STRETCH_DAYS = 400

/** A stretch of a history: where its points come from, and how long the step of each is. */
export type Stretch = {
  unit: 'check' | 'quarter' | 'hour' | 'day'
  stepSeconds: number
  from: Date
  to: Date
}

/** The steps of stretches up to so many hours: more than 100 points wherever checks are as close. */
const STEPS = [
  { hours: 3, unit: 'check', stepSeconds: 60 },
  { hours: 12, unit: 'check', stepSeconds: 300 },
  { hours: 36, unit: 'check', stepSeconds: 900 },
  { hours: 9 * 24, unit: 'hour', stepSeconds: 3_600 },
  { hours: 45 * 24, unit: 'hour', stepSeconds: 3 * 3_600 },
  { hours: Number.POSITIVE_INFINITY, unit: 'day', stepSeconds: 24 * 3_600 },
] as const

/** The newest stretch of a usual length, from the first whole step that `keptFrom` (null: always) leaves of it. */
export function newestStretch(range: ReportRange, keptFrom: Date | null, now: Date): Stretch {
  const { days, unit, stepSeconds } = REPORT_RANGES[range]
  const from = new Date(Math.max(now.getTime() - days * DAY_MS, keptFrom?.getTime() ?? 0))
  return { unit, stepSeconds, from: nextWhole(from, stepSeconds * 1_000), to: now }
}

/** A stretch between two instants, made of whole steps; what is to come is left out. */
export function askedStretch(from: Date, to: Date, now: Date): Stretch {
  const hours = (to.getTime() - from.getTime()) / HOUR_MS
  const { unit, stepSeconds } = STEPS.find((step) => hours <= step.hours) as (typeof STEPS)[number]
  return inWholeSteps({ unit, stepSeconds, from, to }, now)
}

/** The same stretch from roll-ups, where it has more checks than are read one by one. */
export function withoutChecks({ from, to }: Stretch, now: Date): Stretch {
  // Quarters of an hour are counted in the checks of today and yesterday.
  const isRecent = from >= startOfDay(now, -1)
  const step = isRecent
    ? ({ unit: 'quarter', stepSeconds: 900 } as const)
    : ({ unit: 'hour', stepSeconds: 3_600 } as const)
  return inWholeSteps({ ...step, from, to }, now)
}

function inWholeSteps({ unit, stepSeconds, from, to }: Stretch, now: Date): Stretch {
  const stepMs = stepSeconds * 1_000
  const fromMs = Math.floor(from.getTime() / stepMs) * stepMs
  const toMs = Math.ceil(to.getTime() / stepMs) * stepMs
  return {
    unit,
    stepSeconds,
    from: new Date(fromMs),
    to: new Date(Math.max(fromMs + stepMs, Math.min(toMs, now.getTime()))),
  }
}
