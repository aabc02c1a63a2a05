import { followInstruction, type ThreadChecks } from '../../../src/engine/threads/follow-instructions.ts'
import type { CheckingThread, ThreadReport } from '../../../src/engine/threads/thread-messages.ts'

export type FakeThread = CheckingThread & {
  /** Ends it as a thread ends that has met a bug. */
  die(): void
}

/** A thread that is none: what is said to it, and what it says, arrives as a copy in another turn of the loop. */
export function createFakeThread(
  start: (report: (report: ThreadReport) => void) => ThreadChecks,
  bootMs = 0,
): FakeThread {
  const listeners = new Set<(report: ThreadReport) => void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let alive = true
  const report = (report: ThreadReport) =>
    setImmediate(() => {
      for (const listener of alive ? listeners : []) listener(structuredClone(report))
    })
  const checking = start(report)
  const close = async () => {
    await checking.close()
    die()
  }
  function die() {
    alive = false
    end()
  }
  const booted = new Promise<void>((resolve) => setTimeout(resolve, bootMs))
  void booted.then(() => report({ kind: 'ready' }))
  return {
    post(instruction) {
      const copy = structuredClone(instruction)
      void booted.then(() =>
        setImmediate(() => {
          if (alive) followInstruction(copy, { ...checking, close, moveTo() {} }, report)
        }),
      )
    },
    onReport(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    ended,
    die() {
      die()
      void checking.close()
    },
  }
}
