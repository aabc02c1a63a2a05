import { setTimeout as delay } from 'node:timers/promises'

/** After each step it rests for this many times as long as the step took: other work comes first. */
const REST = 3
const MIN_REST_MS = 5

export type Upkeep = { close(): Promise<void> }

/**
 * Goes through rounds of steps, each of which yields how long it took, in milliseconds. `pauseMs` is the time between one
 * round, of so many steps, and the next.
 */
export function startRounds(round: () => AsyncGenerator<number>, pauseMs: (steps: number) => number): Upkeep {
  const stop = new AbortController()

  async function runUntilStopped() {
    while (!stop.signal.aborted) {
      let steps = 0
      for await (const tookMs of round()) {
        if (stop.signal.aborted) break
        steps++
        await rest(Math.max(MIN_REST_MS, REST * tookMs))
      }
      await rest(pauseMs(steps))
    }
  }

  function rest(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: stop.signal }).catch(() => {})
  }

  const running = runUntilStopped()
  return {
    async close() {
      stop.abort()
      await running
    },
  }
}

/** Yields after every step of some work how long it took, in milliseconds. */
export async function* timed(steps: AsyncGenerator<void>): AsyncGenerator<number> {
  let began = performance.now()
  for await (const _step of steps) {
    yield performance.now() - began
    began = performance.now()
  }
}
