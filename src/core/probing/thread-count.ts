import { MONITOR_TYPES, type MonitorType } from '../monitors/monitor-types.ts'

/**
 * The load of a thread before another one shares the work. A thread makes several thousand checks a second over HTTP,
 * several hundred over HTTPS; the rest is for slow machines and ticks that coincide. 10,000 monitors at 60 s need one.
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

/** This many monitors predict the load of the others. */
const SAMPLE = 250

/** Checks due per second once the whole schedule is loaded; `part` of it is, from 0 to 1. */
export function expectedDue(known: { monitors: number; perSecond: () => number }, part: number): number {
  return known.monitors < SAMPLE ? known.perSecond() : known.perSecond() / part
}

/** A heartbeat is not probed: it calls. Its silence is recorded at most once an interval. */
export function isProbed(monitor: { type: MonitorType }): boolean {
  return MONITOR_TYPES[monitor.type].isProbed
}

/** The number of threads for so many checks due per second. */
export function threadsFor(due: number, cores: number): number {
  const most = Math.max(1, Math.min(cores, MAX_THREADS))
  return Math.min(Math.max(Math.ceil(due / DUE_PER_THREAD), 1), most)
}

/** The same while `threads` are checking: a load that hovers around a step changes nothing. */
export function threadsFrom(threads: number, due: number, cores: number): number {
  return Math.max(threadsFor(due, cores), Math.min(threads, threadsFor(due * SHRINK_MARGIN, cores)))
}
