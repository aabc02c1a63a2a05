import { setTimeout as delay } from 'node:timers/promises'

/** How a command waits. */
export type Patience = {
  /** A signal that aborts after so much time. */
  within(ms: number): AbortSignal
  /** Resolves after so much time; rejects when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

/** By the clock. */
export const PATIENCE: Patience = {
  within: (ms) => AbortSignal.timeout(ms),
  pause: (ms, signal) => delay(ms, undefined, { signal }),
}
