import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Watches the event loop of this thread, without waking it: by how long each of its turns takes. `longestSeconds` covers
 * the time since its last call.
 */
export function watchLoopDelay(): { longestSeconds(): number; close(): void } {
  const histogram = monitorEventLoopDelay({ samplePerIteration: true })
  histogram.enable()
  return {
    longestSeconds() {
      const longestNanos = histogram.max
      const isAny = histogram.count > 0
      histogram.reset()
      return isAny ? longestNanos / 1_000_000_000 : 0
    },
    close: () => void histogram.disable(),
  }
}
