import type { Database } from '../../postgres/database.ts'
import { secondsToNextStep } from '../../store/on-call/due-steps.ts'
import type { LoopReports } from '../loops.ts'
import { createKnownWindows } from '../maintenance/known-windows.ts'
import { executeNextStep } from './execute-step.ts'

/** Steps that one process executes at once: each takes a connection for a few milliseconds. */
const AT_ONCE = 8
const MAX_SLEEP_MS = 1_000
/** Something is due, and with another process at this moment. */
const MIN_SLEEP_MS = 25
const TROUBLE_MS = 1_000

export type StepLoop = {
  /** Something new may be due. */
  wake(): void
  close(): Promise<void>
}

/** Executes steps and reminders when they are due, by the database's clock. Several processes may: rows are the queue. */
export function startStepLoop(deps: { db: Database } & LoopReports): StepLoop {
  const { db, onTrouble } = deps
  const windows = createKnownWindows()
  let stopped = false
  let woken = false
  let wakeUp = () => {}

  async function executeUntilNothingIsDue(): Promise<void> {
    while (!stopped && (await executeNextStep(db, windows)));
  }

  /** Returns for how many milliseconds there is nothing to do. */
  async function work(): Promise<number> {
    const seconds = await secondsToNextStep(db)
    if (seconds === null) return MAX_SLEEP_MS
    if (seconds > 0) return Math.min(seconds * 1_000 + 1, MAX_SLEEP_MS)
    await Promise.all(Array.from({ length: AT_ONCE }, executeUntilNothingIsDue))
    return MIN_SLEEP_MS
  }

  async function runUntilStopped() {
    while (!stopped) {
      woken = false
      const sleepMs = await work().catch((error) => {
        onTrouble(error)
        return TROUBLE_MS
      })
      deps.onRound?.()
      if (!stopped && !woken) await sleep(sleepMs)
    }
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(awake, ms)
      function awake() {
        clearTimeout(timer)
        wakeUp = () => {}
        resolve()
      }
      wakeUp = awake
    })
  }

  function wake() {
    woken = true
    wakeUp()
  }

  const running = runUntilStopped()
  return {
    wake,
    async close() {
      stopped = true
      wake()
      await running
    },
  }
}
