import { startOfDay } from '../../core/history/history-span.ts'
import type { Database } from '../../postgres/database.ts'
import { compactMonitors, compactNextMonitors, finishDay } from '../../store/history/compaction.ts'
import { readProgress, upkeepStep } from '../../store/history/history-progress.ts'
import { daysOfChecks } from '../../store/history/partitions.ts'

const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Turns the days before yesterday, once they are rolled up, from rows into chunks, oldest first; pauses after
 * every short step. A day that is being read row by row is left for the next time.
 */
export async function* compact({
  db,
  now,
  note,
}: {
  db: Database
  now: () => Date
  note: (message: string) => void
}): AsyncGenerator<void> {
  for (;;) {
    const day = await oldestToCompact(db, now())
    if (!day) return
    while (await upkeepStep(db, (client) => compactNextMonitors(client, day))) yield
    for (;;) {
      const late = await upkeepStep(db, (client) => finishDay(client, day)).catch(unlessInUse)
      yield
      if (late === 'in use') return
      if (late.length === 0) break
      await upkeepStep(db, (client) => compactMonitors(client, day, late))
    }
    note(`checks of ${day.toISOString().slice(0, 10)} compacted`)
  }
}

async function oldestToCompact(db: Database, now: Date): Promise<Date | null> {
  const [day] = await daysOfChecks(db.query)
  if (!day || day >= startOfDay(now, -1)) return null
  const progress = await readProgress(db.pool)
  return progress && progress.hoursUntil >= startOfDay(day, 1) ? day : null
}

function unlessInUse(error: unknown): 'in use' {
  if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error
  return 'in use'
}
