import { duePerSecond, isProbed } from '../../core/probing/thread-count.ts'
import type { ScheduleChange, ScheduledMonitor } from '../../store/probing/schedule.ts'

export type DueRate = ReturnType<typeof createDueRate>

/** Counts the checks that a schedule makes due per second, and the monitors in each slot. */
export function createDueRate() {
  /** The intervals of the monitors of each slot. */
  const slots = new Map<number, Map<number, number>>()
  const monitorsPerInterval = new Map<number, number>()
  let monitors = 0

  function put(monitor: ScheduledMonitor) {
    const { id, slot, interval_seconds } = monitor
    remove(id, slot)
    if (!isProbed(monitor)) return
    const intervals = slots.get(slot) ?? new Map<number, number>()
    slots.set(slot, intervals.set(id, interval_seconds))
    count(interval_seconds, 1)
  }

  function remove(id: number, slot: number) {
    const intervals = slots.get(slot)
    const interval = intervals?.get(id)
    if (interval === undefined) return
    intervals?.delete(id)
    count(interval, -1)
  }

  function count(intervalSeconds: number, change: 1 | -1) {
    monitors += change
    const same = (monitorsPerInterval.get(intervalSeconds) ?? 0) + change
    if (same > 0) monitorsPerInterval.set(intervalSeconds, same)
    else monitorsPerInterval.delete(intervalSeconds)
  }

  return {
    /** Replaces the monitors of these slots. */
    load(loaded: number[], monitors: ScheduledMonitor[]) {
      for (const slot of loaded) {
        for (const interval of slots.get(slot)?.values() ?? []) count(interval, -1)
        slots.delete(slot)
      }
      for (const monitor of monitors) put(monitor)
    },
    apply(changes: ScheduleChange[]) {
      for (const change of changes) {
        if (!('stopped' in change)) put(change)
        else for (const slot of slots.keys()) remove(change.id, slot)
      }
    },
    perSecond: () => duePerSecond(monitorsPerInterval),
    monitorsOf: (slot: number) => slots.get(slot)?.size ?? 0,
    slots: () => [...slots.keys()],
    get monitors() {
      return monitors
    },
  }
}
