import type { ScheduleChange, ScheduledMonitor } from '../store/scheduling.ts'
import type { Scheduler } from './schedule.ts'

/** Whoever checks a schedule: a scheduler, or threads that have one each. */
export type Checking = Pick<Scheduler, 'load' | 'apply' | 'pulse' | 'close'>

/** What the leading thread says to a thread that checks. */
export type Instruction =
  | { kind: 'load'; monitors: ScheduledMonitor[] }
  | { kind: 'apply'; changes: ScheduleChange[] }
  | { kind: 'pulse'; nowMs: number }
  /** The database has another socket since it was restarted. */
  | { kind: 'move'; connection: object }
  | { kind: 'close' }

/** A thread that checks a share of the monitors. */
export type CheckingThread = {
  post(instruction: Instruction): void
  /** Resolves when the thread has ended, as it was told to or not. */
  ended: Promise<void>
}

const RESTART_MS = 1_000

/**
 * Shares the schedule out over threads that probe and record by themselves, so that neither disturbs requests.
 * A thread that ends unasked is replaced, and `reload` is called for a schedule to fill the new one with.
 */
export function createCheckingThreads(deps: {
  count: number
  startThread: () => CheckingThread
  reload: () => void
  onTrouble: (error: unknown) => void
}): Checking & { moveTo(connection: object): void } {
  let closed = false
  const threads = Array.from({ length: deps.count }, (_, index) => start(index))

  function start(index: number): CheckingThread {
    const thread = deps.startThread()
    thread.ended.then(() => {
      if (closed) return
      deps.onTrouble(new Error(`checking thread ${index} ended unasked; another one takes its place`))
      setTimeout(() => replace(index), RESTART_MS)
    })
    return thread
  }

  function replace(index: number) {
    if (closed) return
    threads[index] = start(index)
    deps.reload()
  }

  /** A monitor stays with its thread: there is never a second check of it at once. */
  function share<T extends { id: number }>(items: T[], index: number): T[] {
    return threads.length === 1 ? items : items.filter(({ id }) => id % threads.length === index)
  }

  return {
    load(monitors) {
      for (const [index, thread] of threads.entries()) {
        thread.post({ kind: 'load', monitors: share(monitors, index) })
      }
    },
    apply(changes) {
      for (const [index, thread] of threads.entries()) {
        const own = share(changes, index)
        if (own.length > 0) thread.post({ kind: 'apply', changes: own })
      }
    },
    pulse(nowMs) {
      for (const thread of threads) thread.post({ kind: 'pulse', nowMs })
    },
    moveTo(connection) {
      for (const thread of threads) thread.post({ kind: 'move', connection })
    },
    async close() {
      closed = true
      for (const thread of threads) thread.post({ kind: 'close' })
      await Promise.all(threads.map(({ ended }) => ended))
    },
  }
}
