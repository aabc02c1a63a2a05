import { createContext, Script } from 'node:vm'

/** One evaluation may take this long of a core; it is ended after twice as long by the clock. */
export const MAX_CPU_MS = 1_000
const MAX_WALL_MS = 2 * MAX_CPU_MS

/** The work took all of its time: on a core (`spent`), or because the machine had none for it. */
export class OutOfTime extends Error {
  readonly spent: boolean

  constructor(spent: boolean) {
    super('the evaluation took too long')
    this.spent = spent
  }
}

const slot: { work: (() => unknown) | null } = { work: null }
const context = createContext(slot)
const run = new Script('work()')

/**
 * Does synchronous work that others wrote the input of, and ends it in the middle of whatever it does when its time is over.
 * Throws `OutOfTime` then.
 */
export function withinBound<T>(work: () => T, maxCpuMs = MAX_CPU_MS, maxWallMs = MAX_WALL_MS): T {
  const before = process.threadCpuUsage()
  slot.work = work
  try {
    return run.runInContext(context, { timeout: maxWallMs }) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    const { user, system } = process.threadCpuUsage(before)
    throw new OutOfTime((user + system) / 1_000 >= maxCpuMs)
  } finally {
    slot.work = null
  }
}
