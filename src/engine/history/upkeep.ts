import { setTimeout as delay } from 'node:timers/promises'
import type { FoundRecords } from '../../core/status-pages/domain-proof.ts'
import type { Plans } from '../../core/teams/plan.ts'
import type { Database } from '../../postgres/database.ts'
import { UpkeepElsewhere } from '../../store/history/history-progress.ts'
import { ensurePartitions } from '../../store/history/partitions.ts'
import { keepPast } from '../maintenance/keep-past.ts'
import { proveDomains } from '../status-pages/prove-domains.ts'
import { compact, compactSamples } from './compact.ts'
import { convertTimes } from './convert-times.ts'
import { retain } from './retain.ts'
import { retainGrants } from './retain-grants.ts'
import { retainLogs } from './retain-logs.ts'
import { rollUp, rollUpServers, rollUpSites } from './roll-up.ts'

const ROUND_EVERY_MS = 60_000
/** Nothing waits for these: changes keep what is over themselves, and plans say it until then. */
const HOURLY_MS = 3_600_000
/** After each step it rests for this many times as long as the step took: other work comes first. */
const REST = 3
const MIN_REST_MS = 5

export type UpkeepDeps = {
  db: Database
  plans: Plans
  now: () => Date
  /** The TXT records at a name; null if no name server answered. */
  lookUpTxt: (name: string) => Promise<FoundRecords>
  onTrouble: (error: unknown) => void
  note: (message: string) => void
}

export type Upkeep = { close(): Promise<void> }

/** Keeps history in shape, in steps of a fraction of a second, for the one process that leads. */
export function startUpkeep(deps: UpkeepDeps): Upkeep {
  const stop = new AbortController()

  async function runUntilStopped() {
    let hourBeganMs = Number.NEGATIVE_INFINITY
    while (!stop.signal.aborted) {
      const nowMs = deps.now().getTime()
      const hourly = Math.abs(nowMs - hourBeganMs) >= HOURLY_MS
      if (hourly) hourBeganMs = nowMs
      for await (const tookMs of upkeepRound(deps, hourly)) {
        if (stop.signal.aborted) break
        await rest(Math.max(MIN_REST_MS, REST * tookMs))
      }
      await rest(ROUND_EVERY_MS)
    }
  }

  function rest(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: stop.signal }).catch(() => {})
  }

  const running = runUntilStopped()
  return {
    async close() {
      stop.abort()
      await running
    },
  }
}

/**
 * One round: partitions for what comes, roll-ups and compaction; once an hour also occurrences of windows that are over,
 * and retention. Yields after every step how long it took, in milliseconds. Failures are reported, and the work is tried
 * again in the next round.
 */
export async function* upkeepRound(deps: UpkeepDeps, hourly = true): AsyncGenerator<number> {
  const works = [
    prepare,
    rollUp,
    rollUpServers,
    rollUpSites,
    convertTimes,
    ...(hourly ? [keepPast, retain, retainLogs, retainGrants] : []),
    compact,
    compactSamples,
    proveDomains,
  ]
  for (const work of works) {
    try {
      let began = performance.now()
      for await (const _step of work(deps)) {
        yield performance.now() - began
        began = performance.now()
      }
    } catch (error) {
      if (error instanceof UpkeepElsewhere) return
      deps.onTrouble(error)
    }
  }
}

async function* prepare({ db, now }: UpkeepDeps): AsyncGenerator<void> {
  await ensurePartitions(db.query, now())
  yield
}
