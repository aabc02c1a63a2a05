import type { ScheduleChange, ScheduledMonitor } from '../../store/probing/schedule.ts'
import type { NextCheck } from '../probing/schedule-entry.ts'
import { type CheckingThread, nextReport, shareOf } from './thread-messages.ts'

/** Decides which thread checks a monitor: a monitor stays with its thread, so it never has two checks at once. */
export type ThreadShares = {
  /** How many threads share the slots that have no number of their own. */
  count: number
  /** Keeps the slots with the threads that they have, even when `count` changes. */
  pin(slots: number[]): void
  /** Shares the slots out over `count` threads from now on. */
  unpin(slots: number[]): void
  /** The slots that another number of threads shares than `count`. */
  pinnedElsewhere(): number[]
  /** Sends each thread its share; resolves when all have taken theirs, so that none gets more than it can take. */
  load(slots: number[], monitors: ScheduledMonitor[], nextChecks: NextCheck[]): Promise<void>
  apply(changes: ScheduleChange[]): void
}

export function createThreadShares(threads: () => readonly CheckingThread[]): ThreadShares {
  const sharers = new Map<number, number>()

  const sharersOf = (slot: number) => sharers.get(slot) ?? shares.count
  const indexOf = ({ id, slot }: { id: number; slot: number }) => shareOf(id, sharersOf(slot))

  function pin(slots: number[]) {
    for (const slot of slots) sharers.set(slot, sharersOf(slot))
  }

  const shares: ThreadShares = {
    count: 0,
    pin,
    unpin(slots) {
      for (const slot of slots) sharers.set(slot, shares.count)
    },
    pinnedElsewhere: () => [...sharers.keys()].filter((slot) => sharersOf(slot) !== shares.count),
    async load(slots, monitors, nextChecks) {
      const own = threads().map(() => ({ monitors: [] as ScheduledMonitor[], nextChecks: [] as NextCheck[] }))
      pin(slots)
      for (const monitor of monitors) own[indexOf(monitor)]?.monitors.push(monitor)
      for (const next of nextChecks) own[indexOf(next)]?.nextChecks.push(next)
      const loaded = threads().map((thread, index) => {
        const report = nextReport(thread, 'loaded')
        thread.post({ kind: 'load', slots, ...(own[index] as (typeof own)[number]) })
        return report
      })
      await Promise.all(loaded)
    },
    apply(changes) {
      for (const [index, thread] of threads().entries()) {
        // A monitor that has stopped does not say which slot it had: every thread hears of it.
        const own = changes.filter((change) => 'stopped' in change || indexOf(change) === index)
        if (own.length > 0) thread.post({ kind: 'apply', changes: own })
      }
    },
  }
  return shares
}
