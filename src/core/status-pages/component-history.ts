import { DAY_MS, startOfDay } from '../history/history-span.ts'
import { addTimes, type KnownTimes, knownMs, noTime, type StateTimes, uptimeOf } from '../history/uptime.ts'
import type { ComponentDay, ComponentHistory } from './page-model.ts'

/** The starts of the last `count` days of UTC, oldest first, today last. */
export function lastDays(now: Date, count: number): Date[] {
  return Array.from({ length: count }, (_, index) => startOfDay(now, index + 1 - count))
}

/** A day of which so much is known. What is not known is unknown from when the subject was created until now. */
export function componentDay(
  day: Date,
  known: KnownTimes | undefined,
  { createdAt, now }: { createdAt: Date; now: Date },
): ComponentDay {
  const fromMs = Math.max(day.getTime(), createdAt.getTime())
  const toMs = Math.min(day.getTime() + DAY_MS, now.getTime())
  if (!known && fromMs >= toMs) return { day, times: null }
  const times = { ...noTime(), ...known }
  return { day, times: { ...times, unknownMs: Math.max(0, toMs - fromMs - knownMs(times)) } }
}

/** `hasUptime`: false where a person says the states, which is no measurement. */
export function historyOf(days: ComponentDay[], hasUptime: boolean): ComponentHistory {
  const sum: StateTimes = { ...noTime(), unknownMs: 0 }
  for (const { times } of days) {
    if (!times) continue
    addTimes(sum, times)
    sum.unknownMs += times.unknownMs
  }
  return {
    days,
    uptime: hasUptime ? uptimeOf(sum) : null,
    maintenanceMs: sum.maintenanceMs,
    unknownMs: sum.unknownMs,
  }
}
