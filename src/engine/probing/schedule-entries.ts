import { RestingEntries } from './resting-entries.ts'
import type { RunningCheck, ScheduleEntry } from './schedule-entry.ts'

/**
 * The monitors of one scheduler. Those with a check under way are objects; all others rest in a few arrays, and `get`
 * makes an object of one: changes to it count once they are `put`.
 */
export type ScheduleEntries = {
  get(id: number): ScheduleEntry | undefined
  put(entry: ScheduleEntry): void
  delete(id: number): void
  underWay(): { entry: ScheduleEntry; running: RunningCheck }[]
  idsWhere(isWanted: (id: number, slot: number) => boolean): number[]
  where(isWanted: (id: number, slot: number) => boolean): ScheduleEntry[]
  readonly size: number
}

export function createScheduleEntries(): ScheduleEntries {
  const running = new Map<number, ScheduleEntry>()
  const resting = new RestingEntries()

  const get = (id: number) => running.get(id) ?? resting.get(id)

  return {
    get,
    put(entry) {
      const { id } = entry.monitor
      // A check that runs keeps the place of its monitor.
      resting.put(entry)
      if (entry.running) running.set(id, entry)
      else running.delete(id)
    },
    delete(id) {
      running.delete(id)
      resting.delete(id)
    },
    underWay: () =>
      [...running.values()].flatMap((entry) => (entry.running ? { entry, running: entry.running } : [])),
    idsWhere: (isWanted) => resting.idsWhere(isWanted),
    where: (isWanted) => resting.idsWhere(isWanted).map((id) => get(id) as ScheduleEntry),
    get size() {
      return resting.size
    },
  }
}
