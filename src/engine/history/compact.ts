import { startOfDay } from '../../core/history/history-span.ts'
import type { Database } from '../../postgres/database.ts'
import { COMPACTED_CHECKS } from '../../store/history/compact-checks.ts'
import {
  type CompactedTable,
  compactNext,
  compactSubjects,
  finishDay,
} from '../../store/history/compaction.ts'
import { readProgress, upkeepStep } from '../../store/history/history-progress.ts'
import { daysOf } from '../../store/history/partitions.ts'
import { COMPACTED_SAMPLES } from '../../store/servers/compact-samples.ts'

const LOCK_NOT_AVAILABLE = '55P03'

type CompactDeps = { db: Database; now: () => Date; note: (message: string) => void }

/**
 * Turns the days of checks before yesterday, once they are rolled up, from rows into chunks, oldest first; pauses after
 * every short step. A day that is being read row by row is left for the next time.
 */
export async function* compact(deps: CompactDeps): AsyncGenerator<void> {
  yield* compactTable(deps, COMPACTED_CHECKS, 'checks')
}

/** The same of samples of servers. */
export async function* compactSamples(deps: CompactDeps): AsyncGenerator<void> {
  yield* compactTable(deps, COMPACTED_SAMPLES, 'samples of servers')
}

async function* compactTable(
  { db, now, note }: CompactDeps,
  table: CompactedTable,
  words: string,
): AsyncGenerator<void> {
  for (;;) {
    const day = await oldestToCompact(db, table, now())
    if (!day) return
    let hadAny = false
    while (await upkeepStep(db, (client) => compactNext(client, table, day))) {
      hadAny = true
      yield
    }
    for (;;) {
      const late = await upkeepStep(db, (client) => finishDay(client, table, day)).catch(unlessInUse)
      yield
      if (late === 'in use') return
      if (late.length === 0) break
      await upkeepStep(db, (client) => compactSubjects(client, table, day, late))
    }
    if (hadAny) note(`${words} of ${day.toISOString().slice(0, 10)} compacted`)
  }
}

async function oldestToCompact(db: Database, table: CompactedTable, now: Date): Promise<Date | null> {
  const [day] = await daysOf(db.query, table.rows)
  if (!day || day >= startOfDay(now, -1)) return null
  const progress = await readProgress(db.pool)
  const until = progress && table.hoursUntil(progress)
  return until && until >= startOfDay(day, table.daysToRollUp) ? day : null
}

function unlessInUse(error: unknown): 'in use' {
  if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error
  return 'in use'
}
