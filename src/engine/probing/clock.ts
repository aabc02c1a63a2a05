import { type ClockSample, offsetAfter } from '../../core/probing/clock.ts'

/** When the clock is set by more than this, checks are planned anew. */
export const JUMP_MS = 500

/** The database's clock as a process knows it: steady even when this machine's clock is set. */
export type Clock = {
  now(): Date
  /** How far it is ahead of the monotonic clock, which all threads share. */
  readonly offsetMs: number
  /** Returns the change. */
  set(offsetMs: number): number
  compare(sample: ClockSample): number
}

/** Starts with the time of this machine, and follows the database's once samples differ. */
export function createClock(monotonicMs: () => number, wallMs: () => number): Clock {
  let offsetMs = wallMs() - monotonicMs()

  function set(nextMs: number): number {
    const changeMs = nextMs - offsetMs
    offsetMs = nextMs
    return changeMs
  }

  return {
    now: () => new Date(monotonicMs() + offsetMs),
    get offsetMs() {
      return offsetMs
    },
    set,
    compare: (sample) => set(offsetAfter(offsetMs, sample)),
  }
}

/** Milliseconds of a monotonic clock; unlike `performance.now()`, the same in all threads. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1_000_000
}
