import { monitorEventLoopDelay } from 'node:perf_hooks'

/** A look every 50 ms costs 0.1 % of a core; a shorter standstill may pass unseen. */
const LOOK_EVERY_MS = 50

/** Watches the event loop of this thread. `longestSeconds` covers the time since its last call. */
export function watchLoopDelay(): { longestSeconds(): number; close(): void } {
  const histogram = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS })
  histogram.enable()
  return {
    longestSeconds() {
      const longestMs = histogram.max / 1_000_000
      histogram.reset()
      return Math.max(0, longestMs - LOOK_EVERY_MS) / 1_000
    },
    close: () => void histogram.disable(),
  }
}
