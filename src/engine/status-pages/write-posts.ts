import type { Database } from '../../postgres/database.ts'
import { type Loop, type LoopReports, startLoop } from '../../postgres/loop.ts'
import { followPlans } from './follow-plans.ts'
import { writeOutages } from './write-outages.ts'

const LOOK_EVERY_MS = 5_000

/** Writes posts by itself as long as it runs. Several processes may: the lock of a page lets one write. */
export function startPostWriter(deps: { db: Database; now: () => Date } & LoopReports): Loop {
  const { db, now, onTrouble } = deps
  return startLoop({
    ...deps,
    async work() {
      await writeOutages(db, now()).catch(onTrouble)
      await followPlans(db, now(), onTrouble).catch(onTrouble)
      return LOOK_EVERY_MS
    },
  })
}
