import type { Level } from './levels.ts'
import { createTally, type Measures, type Tally } from './tally.ts'

/** A message of a checking thread to the main one, once a second. */
export type Measured = { kind: 'measured'; measures: Measures; levels: Level[] }

/** The figures of a process, over all its threads. */
export type Meter = {
  tally: Tally
  /** Takes the messages of a thread until it is closed; its counts stay. */
  openThread(): { take(measured: Measured): void; close(): void }
  /** The number of open threads, and their levels. */
  threads(): { count: number; levels: Level[] }
}

export function createMeter(): Meter {
  const tally = createTally()
  const levelsOf = new Map<object, Level[]>()
  return {
    tally,
    openThread() {
      const thread = {}
      levelsOf.set(thread, [])
      return {
        take({ measures, levels }) {
          tally.add(measures)
          if (levelsOf.has(thread)) levelsOf.set(thread, levels)
        },
        close: () => void levelsOf.delete(thread),
      }
    },
    threads: () => ({ count: levelsOf.size, levels: [...levelsOf.values()].flat() }),
  }
}
