import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../postgres/database.ts'
import type { LoopReports } from '../loops.ts'
import { followPlans } from './follow-plans.ts'
import { writeOutages } from './write-outages.ts'

const LOOK_EVERY_MS = 5_000

export type PostWriter = { close(): Promise<void> }

/** Writes posts by itself as long as it runs. Several processes may: the lock of a page lets one write. */
export function startPostWriter(deps: { db: Database; now: () => Date } & LoopReports): PostWriter {
  const { db, now, onTrouble } = deps
  const stop = new AbortController()
  async function runUntilStopped() {
    while (!stop.signal.aborted) {
      await writeOutages(db, now()).catch(onTrouble)
      await followPlans(db, now(), onTrouble).catch(onTrouble)
      deps.onRound?.()
      await delay(LOOK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const running = runUntilStopped()
  return {
    async close() {
      stop.abort()
      await running
    },
  }
}
