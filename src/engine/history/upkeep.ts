import type { FoundRecords } from '../../core/status-pages/domain-proof.ts'
import type { Plans } from '../../core/teams/plan.ts'
import type { Database } from '../../postgres/database.ts'
import type { Loop, LoopReports } from '../../postgres/loop.ts'
import { UpkeepElsewhere } from '../../store/history/history-progress.ts'
import { dropFormerIndex, ensurePartitions } from '../../store/history/partitions.ts'
import { keepPast } from '../maintenance/keep-past.ts'
import { proveDomains } from '../status-pages/prove-domains.ts'
import { compact, compactSamples } from './compact.ts'
import { convertTimes } from './convert-times.ts'
import { retain } from './retain.ts'
import { retainGrants } from './retain-grants.ts'
import { retainLogs } from './retain-logs.ts'
import { rollUp, rollUpServers, rollUpSites } from './roll-up.ts'
import { startRounds, timed } from './rounds.ts'

const ROUND_EVERY_MS = 60_000
/** Nothing waits for these: changes keep what is over themselves, and plans say it until then. */
const HOURLY_MS = 3_600_000

export type UpkeepDeps = {
  db: Database
  plans: Plans
  now: () => Date
  /** The TXT records at a name; null if no name server answered. */
  lookUpTxt: (name: string) => Promise<FoundRecords>
  note: (message: string) => void
} & LoopReports

/**
 * Keeps history in shape, in steps of a fraction of a second, for the one process that leads; others help with what is
 * large (help.ts).
 */
export function startUpkeep(deps: UpkeepDeps): Loop {
  let hourBeganMs = Number.NEGATIVE_INFINITY
  const round = () => {
    const nowMs = deps.now().getTime()
    const hourly = Math.abs(nowMs - hourBeganMs) >= HOURLY_MS
    if (hourly) hourBeganMs = nowMs
    return upkeepRound(deps, hourly)
  }
  return startRounds(round, () => ROUND_EVERY_MS, deps)
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
      yield* timed(work(deps))
    } catch (error) {
      if (error instanceof UpkeepElsewhere) return
      deps.onTrouble(error)
    }
  }
  deps.onRound?.()
}

async function* prepare({ db, now }: UpkeepDeps): AsyncGenerator<void> {
  await ensurePartitions(db.query, now())
  await dropFormerIndex(db.query)
  yield
}
