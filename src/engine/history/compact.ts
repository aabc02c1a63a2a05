import { startOfDay } from '../../core/history/history-span.ts'
import type { Database } from '../../postgres/database.ts'
import { COMPACTED_CHECKS } from '../../store/history/compact-checks.ts'
import {
  type CompactedTable,
  compactSubjects,
  finishDay,
  prepareDay,
} from '../../store/history/compaction.ts'
import { readProgress, UpkeepElsewhere, upkeepStep } from '../../store/history/history-progress.ts'
import { daysOf } from '../../store/history/partitions.ts'
import { endStretches, isStretchLeft } from '../../store/history/stretches.ts'
import { COMPACTED_SAMPLES } from '../../store/servers/compact-samples.ts'
import { type SharedWork, shareOut } from './shared-work.ts'

const LOCK_NOT_AVAILABLE = '55P03'

type CompactDeps = { db: Database; now: () => Date; note: (message: string) => void }

/**
 * Turns the days of checks before yesterday, once they are rolled up, from rows into chunks, oldest first, together with
 * the processes that help; pauses after every short step. A day that is being read row by row is left for the next time.
 */
export async function* compact(deps: CompactDeps): AsyncGenerator<void> {
  yield* compactTable(deps, COMPACTED_CHECKS, 'checks')
}

/** The same of samples of servers. */
export async function* compactSamples(deps: CompactDeps): AsyncGenerator<void> {
  yield* compactTable(deps, COMPACTED_SAMPLES, 'samples of servers')
}

/** Writes the chunks of a day of checks. They take effect only with `finishDay`. */
export function chunksOfChecks(): SharedWork {
  return chunksOf(COMPACTED_CHECKS)
}

export function chunksOfSamples(): SharedWork {
  return chunksOf(COMPACTED_SAMPLES)
}

function chunksOf(table: CompactedTable): SharedWork {
  return {
    name: `chunks of ${table.rows}`,
    subjects: table.subjects,
    limit: () => table.subjectsPerStep,
    step: (client, ids, { from }) => compactSubjects(client, table, from, ids),
  }
}

async function* compactTable(
  { db, now, note }: CompactDeps,
  table: CompactedTable,
  words: string,
): AsyncGenerator<void> {
  for (;;) {
    const day = await oldestToCompact(db, table, now())
    if (!day) return
    await upkeepStep(db, (client) => prepareDay(client, table, day))
    const chunks = chunksOf(table)
    yield* shareOut(db, chunks, { from: day, to: startOfDay(day, 1) })
    for (;;) {
      const late = await upkeepStep(db, async (client) => {
        if (await isStretchLeft(client, chunks.name)) throw new UpkeepElsewhere()
        const missing = await finishDay(client, table, day)
        if (missing.length === 0) await endStretches(client, chunks.name, day)
        return missing
      }).catch(unlessInUse)
      yield
      if (late === 'in use') return
      if (late.length === 0) break
      for (let done = 0; done < late.length; yield) {
        const next = late.slice(done, done + table.subjectsPerStep)
        done += await upkeepStep(db, (client) => compactSubjects(client, table, day, next))
      }
    }
    note(`${words} of ${day.toISOString().slice(0, 10)} compacted`)
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
