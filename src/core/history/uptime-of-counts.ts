import { DAY_MS } from './history-span.ts'
import { type StateTimes, stateTimes, type TimeSpan, type WatchedTime } from './uptime.ts'

/** The counts of judged checks that releases before uptime by time stored for a day. */
export type CountedDay = { atMs: number; up: number; degraded: number; down: number }

/** A day and the time of each state in it. */
export type TimedDay = { atMs: number; times: StateTimes }

/**
 * The times that counted days, in order, stand for. Incidents and rests are exact. The rest of a day passed, as far as its
 * checks cover it, and was degraded for as much of it as of the checks that passed. A heartbeat has a check only where
 * its job pinged: the days between, up to `untilMs`, are known by the last ping and by incidents.
 */
export function timesOfCounts(
  watched: Omit<WatchedTime, 'runs'>,
  counted: readonly CountedDay[],
  untilMs: number,
): TimedDay[] {
  const judged = counted.filter(({ up, degraded, down }) => up + degraded + down > 0)
  if (!watched.isHeartbeat) {
    return judged.map((day) => {
      const { up, degraded, down } = day
      const coveredMs = Math.min(DAY_MS, (up + degraded + down) * watched.validMs)
      return { atMs: day.atMs, times: shared(timesOfDay(watched, day.atMs, [day]), day, coveredMs) }
    })
  }
  const days: TimedDay[] = []
  let last = -1
  for (let atMs = judged[0]?.atMs ?? untilMs; atMs < untilMs; atMs += DAY_MS) {
    if (judged[last + 1]?.atMs === atMs) last++
    days.push({ atMs, times: timesOfDay(watched, atMs, judged.slice(Math.max(0, last - 1), last + 1)) })
  }
  return days
}

/** As if it had been checked without a gap in each of `days`. */
function timesOfDay(
  watched: Omit<WatchedTime, 'runs'>,
  atMs: number,
  days: readonly CountedDay[],
): StateTimes {
  const span: TimeSpan = { fromMs: atMs, toMs: atMs + DAY_MS }
  const runs = days.map((day) => ({ status: 'up' as const, firstMs: day.atMs, lastMs: day.atMs + DAY_MS }))
  const incidents = watched.incidents.filter(({ fromMs, toMs }) => fromMs < span.toMs && toMs >= span.fromMs)
  return stateTimes({ ...watched, runs, incidents }, span)
}

/** Divides the time that passed as its checks are divided; what they do not cover is unknown. */
function shared(times: StateTimes, { up, degraded }: CountedDay, coveredMs: number): StateTimes {
  const passed = up + degraded
  const uncoveredMs = Math.max(0, DAY_MS - coveredMs - times.unknownMs)
  const passedMs = passed === 0 ? 0 : Math.max(0, times.upMs - uncoveredMs)
  const degradedMs = passed === 0 ? 0 : Math.floor((passedMs * degraded) / passed)
  return {
    ...times,
    upMs: passedMs - degradedMs,
    degradedMs,
    unknownMs: times.unknownMs + times.upMs - passedMs,
  }
}
