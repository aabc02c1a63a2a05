import { type ClockSample, offsetAfter } from '../../core/probing/clock.ts'

/** A clock that was set by more than this makes what was planned by it void. */
export const JUMP_MS = 500

/** The database's clock, as far as a process knows it: steady whatever is done to the clock of this machine. */
export type Clock = {
  now(): Date
  /** How far it is ahead of the monotonic clock, which all threads share. */
  readonly offsetMs: number
  /** Returns by how much that changed. */
  set(offsetMs: number): number
  compare(sample: ClockSample): number
}

/** Begins with the time of this machine, and follows the database's once samples show another. */
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
