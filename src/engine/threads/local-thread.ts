import { followInstruction, type ThreadChecks } from './follow-instructions.ts'
import type { CheckingThread, ThreadReport } from './thread-messages.ts'

/** A checking thread that runs in the main one, for a process that does nothing else. */
export function createLocalThread(
  create: (report: (report: ThreadReport) => void) => ThreadChecks,
): CheckingThread {
  const listeners = new Set<(report: ThreadReport) => void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  // Later, as from a thread: no listener runs in the middle of a report.
  const report = (said: ThreadReport) => {
    setImmediate(() => {
      for (const listener of listeners) listener(said)
    })
  }
  const checking = create(report)
  const follower = { ...checking, moveTo() {}, close: () => checking.close().then(end) }
  report({ kind: 'ready' })
  return {
    post: (instruction) => followInstruction(instruction, follower, report),
    onReport(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ended,
  }
}
