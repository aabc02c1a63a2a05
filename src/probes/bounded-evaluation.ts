import { createContext, Script } from 'node:vm'
import type { Assertion } from '../core/expectations/assertion.ts'
import type { JudgedAnswer, Unmet, Wanted } from '../core/expectations/evaluate.ts'

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

/**
 * The first expectation that is not met, within a bound of time. The libraries of paths and patterns are loaded for the first
 * answer that needs them.
 */
export async function judgedWithinBound(
  assertions: readonly Assertion[],
  read: JudgedAnswer,
  maxCpuMs = MAX_CPU_MS,
): Promise<Unmet | 'not judged' | null> {
  const { beyondBound, isCostly, judge } = await import('../core/expectations/evaluate.ts')
  let current = { assertion: assertions[0] as Assertion, at: 0 }
  const work = () =>
    judge(assertions, read, (assertion, at) => {
      current = { assertion, at }
    })
  try {
    return isCostly(assertions) ? withinBound(work, maxCpuMs, 2 * maxCpuMs) : work()
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    const { assertion, at } = current
    return error.spent ? { severity: 'down', cause: beyondBound(assertion), at } : 'not judged'
  }
}

/** Values that were read of an answer, by name; null where there is none. `beyond bound`: that took too long, or too much of memory. */
export type Captured = ReadonlyMap<string, string | null> | 'beyond bound' | 'not judged'

/** Reads what is wanted of an answer, by name, within a bound of time for all of it. */
export async function capturedWithinBound(
  wanted: Readonly<Record<string, Wanted>>,
  read: JudgedAnswer,
): Promise<Captured> {
  const { captured } = await import('../core/expectations/evaluate.ts')
  const { TooMuch } = await import('../core/expectations/json-path.ts')
  try {
    return withinBound(
      () => new Map(Object.entries(wanted).map(([name, one]) => [name, captured(one, read)])),
    )
  } catch (error) {
    if (error instanceof TooMuch) return 'beyond bound'
    if (!(error instanceof OutOfTime)) throw error
    return error.spent ? 'beyond bound' : 'not judged'
  }
}
