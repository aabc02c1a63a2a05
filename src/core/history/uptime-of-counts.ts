import { HOUR_MS } from './history-span.ts'
import { type StateTimes, type Stretch, stateTimes, type WatchedTime } from './uptime.ts'

/** What releases before uptime by time kept of an hour: how many checks were judged how. */
export type CountedHour = { atMs: number; up: number; degraded: number; down: number }

/** An hour and the time of each state in it. */
export type TimedHour = { atMs: number; times: StateTimes }

/**
 * The times that counted hours, in order, stand for. Incidents and rests are exact. The rest of an hour passed, as far as
 * its checks cover it, and was degraded for as much of it as of the checks that passed. A heartbeat has a check only
 * where its job pinged: the hours between, up to `untilMs`, are known by the last ping and by incidents.
 */
export function timesOfCounts(
  watched: Omit<WatchedTime, 'runs'>,
  counted: readonly CountedHour[],
  untilMs: number,
): TimedHour[] {
  const judged = counted.filter(({ up, degraded, down }) => up + degraded + down > 0)
  if (!watched.isHeartbeat) {
    return judged.map((hour) => {
      const { up, degraded, down } = hour
      const coveredMs = Math.min(HOUR_MS, (up + degraded + down) * watched.validMs)
      return { atMs: hour.atMs, times: shared(timesOfHour(watched, hour.atMs, [hour]), hour, coveredMs) }
    })
  }
  const hours: TimedHour[] = []
  let last = -1
  for (let atMs = judged[0]?.atMs ?? untilMs; atMs < untilMs; atMs += HOUR_MS) {
    if (judged[last + 1]?.atMs === atMs) last++
    hours.push({ atMs, times: timesOfHour(watched, atMs, judged.slice(Math.max(0, last - 1), last + 1)) })
  }
  return hours
}

/** As if it had been checked without a gap in each of `hours`. */
function timesOfHour(
  watched: Omit<WatchedTime, 'runs'>,
  atMs: number,
  hours: readonly CountedHour[],
): StateTimes {
  const span: Stretch = { fromMs: atMs, toMs: atMs + HOUR_MS }
  const runs = hours.map((hour) => ({
    status: 'up' as const,
    firstMs: hour.atMs,
    lastMs: hour.atMs + HOUR_MS,
  }))
  const incidents = watched.incidents.filter(({ fromMs, toMs }) => fromMs < span.toMs && toMs >= span.fromMs)
  return stateTimes({ ...watched, runs, incidents }, span)
}

/** Divides the time that passed as its checks are divided; what they do not cover is unknown. */
function shared(times: StateTimes, { up, degraded }: CountedHour, coveredMs: number): StateTimes {
  const passed = up + degraded
  const uncoveredMs = Math.max(0, HOUR_MS - coveredMs - times.unknownMs)
  const passedMs = passed === 0 ? 0 : Math.max(0, times.upMs - uncoveredMs)
  const degradedMs = passed === 0 ? 0 : Math.floor((passedMs * degraded) / passed)
  return {
    ...times,
    upMs: passedMs - degradedMs,
    degradedMs,
    unknownMs: times.unknownMs + times.upMs - passedMs,
  }
}
