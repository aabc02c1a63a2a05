import { waitUnlessAborted } from '../../postgres/delays.ts'
import { type Loop, type LoopReports, startLoop } from '../../postgres/loop.ts'

/** After each step it rests for this many times as long as the step took: other work comes first. */
const REST = 3
const MIN_REST_MS = 5

/**
 * Goes through rounds of steps, each of which yields how long it took, in milliseconds. `pauseMs` is the time between one
 * round, of so many steps, and the next.
 */
export function startRounds(
  round: () => AsyncGenerator<number>,
  pauseMs: (steps: number) => number,
  { begins, onTrouble, onEnd }: LoopReports,
): Loop {
  return startLoop({
    async work({ stopped }) {
      let steps = 0
      for await (const tookMs of round()) {
        if (stopped.aborted) break
        steps++
        await waitUnlessAborted(stopped, Math.max(MIN_REST_MS, REST * tookMs))
      }
      return pauseMs(steps)
    },
    begins,
    onTrouble,
    onEnd,
  })
}

/** Yields after every step of some work how long it took, in milliseconds. */
export async function* timed(steps: AsyncGenerator<void>): AsyncGenerator<number> {
  let began = performance.now()
  for await (const _step of steps) {
    yield performance.now() - began
    began = performance.now()
  }
}
