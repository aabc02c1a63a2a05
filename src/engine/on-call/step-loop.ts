import type { Database } from '../../postgres/database.ts'
import { type Loop, type LoopReports, type Round, startLoop } from '../../postgres/loop.ts'
import { secondsToNextStep } from '../../store/on-call/due-steps.ts'
import { endNextFlap } from '../alerting/end-flap.ts'
import { createKnownWindows } from '../maintenance/known-windows.ts'
import { executeNextStep } from './execute-step.ts'

/** Steps that one process executes at once: each takes a connection for a few milliseconds. */
const AT_ONCE = 8
const MAX_SLEEP_MS = 1_000
/** Something is due, and with another process at this moment. */
const MIN_SLEEP_MS = 25

/** Executes steps and reminders when they are due, and looks at what flaps, by the database's clock. Several processes may: rows are the queue. */
export function startStepLoop({ db, ...reports }: { db: Database } & LoopReports): Loop {
  const windows = createKnownWindows()

  async function executeUntilNothingIsDue(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted && (await executeNextStep(db, windows)));
  }

  async function endFlapsUntilNoneIsDue(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted && (await endNextFlap(db, windows)));
  }

  async function work({ stopped }: Round): Promise<number> {
    const seconds = await secondsToNextStep(db)
    if (seconds === null) return MAX_SLEEP_MS
    if (seconds > 0) return Math.min(seconds * 1_000 + 1, MAX_SLEEP_MS)
    await Promise.all([
      ...Array.from({ length: AT_ONCE }, () => executeUntilNothingIsDue(stopped)),
      endFlapsUntilNoneIsDue(stopped),
    ])
    return MIN_SLEEP_MS
  }

  return startLoop({ work, ...reports })
}
