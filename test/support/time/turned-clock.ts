import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'

const STEP_MS = 5
const MAX_STEPS = 200
/** The end of the test's own time. What is not over by then waits for something else. */
const ENDLESS_MS = 3_600_000
/** Known to Node, though not to its types. */
const SIGNALS = 'AbortSignal.timeout' as 'setTimeout'

/** Time that passes only when the test lets it: no machine is too slow for what must come before a deadline. */
export type TurnedClock = {
  readonly passedMs: number
  pass(ms: number): Promise<void>
  passWhile(isWaiting: () => boolean): Promise<void>
  /** Lets time pass until this is over, and gives what it came to. */
  passUntil<T>(work: Promise<T>): Promise<T>
  /**
   * Gives what work came to that ends when this time is up, and not a millisecond earlier: not before `saidAll`, by
   * which the other side has done all that it does.
   */
  passLimit<T>(limitMs: number, work: Promise<T>, saidAll?: Promise<unknown>): Promise<T>
}

/** Takes the timers of this process for the length of a test. Sockets and files go on as ever. */
export function turnClock(t: TestContext): TurnedClock {
  t.mock.timers.enable({ apis: ['setTimeout', SIGNALS] })
  let passedMs = 0

  async function step(ms: number): Promise<void> {
    // Pending work runs first, then the callbacks of timers, in this turn of the event loop and the next.
    await nextTurn()
    passedMs += ms
    t.mock.timers.tick(ms)
    await nextTurn()
    await nextTurn()
  }

  async function pass(ms: number): Promise<void> {
    const untilMs = passedMs + ms
    const stepMs = Math.max(STEP_MS, ms / MAX_STEPS)
    while (passedMs < untilMs) await step(Math.min(stepMs, untilMs - passedMs))
  }

  async function passWhile(isWaiting: () => boolean): Promise<void> {
    for (await nextTurn(); isWaiting(); await step(STEP_MS)) {
      assert.ok(passedMs < ENDLESS_MS, 'an hour went by in vain')
    }
  }

  return {
    get passedMs() {
      return passedMs
    },
    pass,
    passWhile,
    async passLimit(limitMs, work, saidAll) {
      const isOver = watch(work)
      await pass(limitMs - 1)
      await Promise.race([saidAll, work])
      assert.ok(!isOver(), 'it was over before its time was up')
      await pass(1)
      return work
    },
    async passUntil(work) {
      const isOver = watch(work)
      await passWhile(() => !isOver())
      return work
    },
  }
}

function watch(work: Promise<unknown>): () => boolean {
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  return () => isOver
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
