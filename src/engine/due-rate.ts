import { duePerSecond, isLookedAt } from '../core/checking-threads.ts'
import type { ScheduleChange, ScheduledMonitor } from '../store/scheduling.ts'

/** Keeps count of how many checks a schedule makes due per second. */
export function createDueRate() {
  const intervals = new Map<number, number>()
  const monitorsPerInterval = new Map<number, number>()

  function put(id: number, intervalSeconds: number | null) {
    const before = intervals.get(id)
    if (before !== undefined) count(before, -1)
    if (intervalSeconds === null) return void intervals.delete(id)
    intervals.set(id, intervalSeconds)
    count(intervalSeconds, 1)
  }

  function count(intervalSeconds: number, change: 1 | -1) {
    const monitors = (monitorsPerInterval.get(intervalSeconds) ?? 0) + change
    if (monitors > 0) monitorsPerInterval.set(intervalSeconds, monitors)
    else monitorsPerInterval.delete(intervalSeconds)
  }

  function apply(changes: ScheduleChange[]) {
    for (const change of changes) {
      const isChecked = !('stopped' in change) && isLookedAt(change)
      put(change.id, isChecked ? change.interval_seconds : null)
    }
  }

  return {
    load(monitors: ScheduledMonitor[]) {
      intervals.clear()
      monitorsPerInterval.clear()
      apply(monitors)
    },
    apply,
    perSecond: () => duePerSecond(monitorsPerInterval),
  }
}
