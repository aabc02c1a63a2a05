import type { Registry } from '../../store/probing/registry.ts'
import type { CheckingThreads } from '../threads/checking-threads.ts'
import type { Clock } from './clock.ts'
import type { ScheduleReading } from './schedule-reading.ts'

/** After this time all threads have heard which ticks are not theirs any more. */
const HAND_OVER_AFTER_MS = 100
/** How long checks under way hold up a hand-over. */
export const HAND_OVER_GRACE_MS = 4_000

/** Hands slots over that other processes are to have, one batch after the other. */
export type SlotHandOver = {
  isLeaving(slot: number): boolean
  /** Hands those of the wanted slots over that can be now; the others are wanted again at the next renewal. */
  begin(membership: number, wanted: number[]): void
  /** The membership has ended: nothing is left to hand over. */
  reset(): void
  /** Resolves when nothing is being handed over. */
  settled(): Promise<void>
}

export function createSlotHandOver(deps: {
  registry: Pick<Registry, 'handOver'>
  checking: Pick<CheckingThreads, 'handOver'>
  reading: () => Pick<ScheduleReading, 'isUnderWay' | 'isLoaded' | 'drop' | 'read'>
  clock: Clock
  /** The slots of this process; those that are handed over leave the set. */
  slots: () => Set<number>
  onTrouble: (error: unknown) => void
}): SlotHandOver {
  const { registry, checking, clock } = deps
  const leaving = new Set<number>()
  let running: Promise<void> = Promise.resolve()

  async function giveAway(membership: number, wanted: number[]) {
    const reading = deps.reading()
    try {
      // A slot that was not read yet goes as it came, with the checks that have fallen due in it.
      const [loaded = [], unread = []] = [true, false].map((is) =>
        wanted.filter((slot) => reading.isLoaded(slot) === is),
      )
      if (unread.length > 0) forget(unread, await registry.handOver(membership, unread, null, []))
      if (loaded.length === 0) return
      const fromMs = clock.now().getTime() + HAND_OVER_AFTER_MS
      const cut = await checking.handOver(loaded, fromMs, HAND_OVER_GRACE_MS)
      forget(loaded, await registry.handOver(membership, loaded, new Date(fromMs), cut))
    } finally {
      for (const slot of wanted) leaving.delete(slot)
      // A slot that no process wanted in the end goes on here; and there may be too many threads now.
      reading.drop(wanted)
      void reading.read(wanted.filter((slot) => deps.slots().has(slot)))
    }
  }

  function forget(given: number[], kept: number[]) {
    for (const slot of given) if (!kept.includes(slot)) deps.slots().delete(slot)
  }

  return {
    isLeaving: (slot) => leaving.has(slot),
    begin(membership, wanted) {
      const ready = wanted.filter((slot) => !leaving.has(slot) && !deps.reading().isUnderWay(slot))
      if (ready.length === 0) return
      for (const slot of ready) leaving.add(slot)
      running = running.then(() => giveAway(membership, ready)).catch(deps.onTrouble)
    },
    reset: () => leaving.clear(),
    settled: () => running,
  }
}
