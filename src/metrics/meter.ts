import type { Level } from './levels.ts'
import { createTally, type Measures, type Tally } from './tally.ts'

/** What a thread that checks tells the main one, once a second. */
export type Measured = { kind: 'measured'; measures: Measures; levels: Level[] }

/** What is counted in a process. */
export type Meter = {
  tally: Tally
  /** Takes what a thread tells until it is closed; what it counted stays. */
  openThread(): { take(measured: Measured): void; close(): void }
  /** How many threads are open, and what they say of themselves. */
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
