import { setTimeout as delay } from 'node:timers/promises'

/** How a command waits. */
export type Delays = {
  /** Returns a signal that aborts after this time. */
  within(ms: number): AbortSignal
  /** Resolves after this time; rejects when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

/** Delays by the real clock. */
export const REAL_DELAYS: Delays = {
  within: (ms) => AbortSignal.timeout(ms),
  pause: (ms, signal) => delay(ms, undefined, { signal }),
}
