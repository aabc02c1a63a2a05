import { wait, withinMs } from '../../postgres/delays.ts'
import { scheduledAgain } from './kept-monitor.ts'
import type { ScheduleEntries } from './schedule-entries.ts'
import { isDueBefore, nextCheckOf, type ReleasedMonitors, type ScheduleEntry } from './schedule-entry.ts'

/** Gives monitors of a scheduler up, to another thread or another process. */
export type ScheduleLeaving = {
  /** Gives monitors of these slots up: cancels their checks, and resolves once none is under way. */
  release(slots: number[], isOthers: (id: number) => boolean): Promise<ReleasedMonitors>
  /**
   * Gives the monitors of slots up to another process: from `fromMs` on none of their ticks is begun here. Checks that
   * are under way get `graceMs` to end. Resolves when none is, to the monitors whose check has to be made again.
   */
  handOver(slots: number[], fromMs: number, graceMs: number): Promise<number[]>
  /** From when on the ticks of a slot are another process's; Infinity where the slot stays. */
  fromMs(slot: number): number
  /** Cancels the check of a monitor, and takes it out of the schedule. */
  drop(id: number): void
}

export function createScheduleLeaving(entries: ScheduleEntries, nowMs: () => number): ScheduleLeaving {
  const leavingFromMs = new Map<number, number>()

  function drop(id: number) {
    entries.get(id)?.running?.controller.abort()
    entries.delete(id)
  }

  /** Resolves when no check of theirs is under way. */
  async function dropAll(leaving: ScheduleEntry[]): Promise<void> {
    const unfinished = leaving.map(({ running }) => running?.done)
    for (const { monitor } of leaving) drop(monitor.id)
    await Promise.all(unfinished)
  }

  return {
    fromMs: (slot) => leavingFromMs.get(slot) ?? Number.POSITIVE_INFINITY,
    drop,
    async release(slots, isOthers) {
      const released = new Set(slots)
      const leaving = entries.where((id, slot) => released.has(slot) && isOthers(id))
      const nextChecks = leaving.map((entry) => nextCheckOf(entry, nowMs()))
      await dropAll(leaving)
      return { monitors: leaving.map(({ monitor, wasUp }) => scheduledAgain(monitor, wasUp)), nextChecks }
    },
    async handOver(slots, fromMs, graceMs) {
      for (const slot of slots) leavingFromMs.set(slot, fromMs)
      const isLeaving = (_: number, slot: number) => leavingFromMs.has(slot)
      await wait(Math.max(0, fromMs - nowMs()))
      await withinMs(graceMs, Promise.all(entries.where(isLeaving).map(({ running }) => running?.done)))
      const leaving = entries.where(isLeaving)
      const unmade = leaving.filter((entry) => isDueBefore(entry, fromMs))
      await dropAll(leaving)
      for (const slot of slots) leavingFromMs.delete(slot)
      return unmade.map(({ monitor }) => monitor.id)
    },
  }
}
