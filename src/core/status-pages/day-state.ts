import type { StateTimes } from '../history/uptime.ts'
import type { ComponentDay } from './page-model.ts'

/** How a day's bar is drawn. `none`: before the component had a monitor. */
export const DAY_STATES = ['up', 'short_outage', 'outage', 'maintenance', 'unknown', 'none'] as const
export type DayState = (typeof DAY_STATES)[number]

/** From here on an outage is not short: 5 minutes, as the key below the bars says. */
export const LONG_OUTAGE_MS = 300_000

export function dayStateOf(times: StateTimes | null): DayState {
  if (times === null) return 'none'
  const { upMs, degradedMs, downMs, maintenanceMs, unknownMs } = times
  const judgedMs = upMs + degradedMs + downMs
  if (downMs > 0) return downMs >= LONG_OUTAGE_MS ? 'outage' : 'short_outage'
  if (judgedMs + maintenanceMs < unknownMs || judgedMs + maintenanceMs === 0) return 'unknown'
  return maintenanceMs > 0 ? 'maintenance' : 'up'
}

/** Days side by side that look alike and say nothing of their own, as one; every other day is alone. */
export type DayRun = { state: DayState; from: number; isPlain: boolean; days: readonly ComponentDay[] }

/** `from` counts days from the first. */
export function runsOfDays(days: readonly ComponentDay[]): DayRun[] {
  const runs: (DayRun & { days: ComponentDay[] })[] = []
  for (const [from, day] of days.entries()) {
    const state = dayStateOf(day.times)
    const isPlain = day.times === null || !hasTrouble(day.times)
    const last = runs.at(-1)
    if (last?.isPlain && isPlain && last.state === state) last.days.push(day)
    else runs.push({ state, from, isPlain, days: [day] })
  }
  return runs
}

/** A restart of the service leaves gaps shorter than this, which nobody needs to read about. */
export const MIN_SHOWN_UNKNOWN_MS = 60_000

/** Whether the numbers of a day say more than that all was well. */
export function hasTrouble({ downMs, maintenanceMs, unknownMs }: StateTimes): boolean {
  return downMs + maintenanceMs > 0 || unknownMs >= MIN_SHOWN_UNKNOWN_MS
}
