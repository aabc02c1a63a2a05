import { MONITOR_TYPES, type MonitorType } from '../monitors/monitor-types.ts'

/**
 * What a thread is given before another one shares the work. It checks several thousand a second over HTTP, several
 * hundred over HTTPS; the rest is for slow machines and ticks that fall together. 10,000 monitors at 60 s need one.
 */
const DUE_PER_THREAD = 250
const MAX_THREADS = 8
/** A thread is given up only when so much more would still fit into the others. */
const SHRINK_MARGIN = 1.25

/** Checks due per second, from how many monitors have which interval. */
export function duePerSecond(monitorsPerInterval: ReadonlyMap<number, number>): number {
  let due = 0
  for (const [intervalSeconds, monitors] of monitorsPerInterval) due += monitors / intervalSeconds
  return due
}

/** So many monitors tell what the others will be like. */
const SAMPLE = 250

/** What will be due per second when all of the schedule is there, of which only a part is yet. */
export function expectedDue(known: { monitors: number; perSecond: () => number }, part: number): number {
  return known.monitors < SAMPLE ? known.perSecond() : known.perSecond() / part
}

/** A heartbeat is not looked at: it calls. Its silence is noted at most once an interval. */
export function isLookedAt(monitor: { type: MonitorType }): boolean {
  return MONITOR_TYPES[monitor.type].isLookedAt
}

/** How many threads check so much. */
export function threadsFor(due: number, cores: number): number {
  const most = Math.max(1, Math.min(cores, MAX_THREADS))
  return Math.min(Math.max(Math.ceil(due / DUE_PER_THREAD), 1), most)
}

/** The same where `threads` are checking already: a load that hovers around a step changes nothing. */
export function threadsFrom(threads: number, due: number, cores: number): number {
  return Math.max(threadsFor(due, cores), Math.min(threads, threadsFor(due * SHRINK_MARGIN, cores)))
}
