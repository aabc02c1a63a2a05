import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from './database.ts'
import { isServiceRunning } from './leases.ts'
import { LISTENS } from './listen.ts'

/** A process that has just ended is seen for a moment longer. */
const FAREWELL_MS = 2_000
const LOOK_EVERY_MS = 100

/** Whether the service runs, in whatever roles: somebody schedules or probes, or a process listens as all of them do. */
export async function isInUse(db: Database): Promise<boolean> {
  if (await isServiceRunning(db)) return true
  const deadline = Date.now() + FAREWELL_MS
  while (await isListenedTo(db)) {
    if (Date.now() > deadline) return true
    await delay(LOOK_EVERY_MS)
  }
  return false
}

/** In no transaction of the caller's: within one, the server shows the same picture again. */
async function isListenedTo({ pool }: Database): Promise<boolean> {
  const { rowCount } = await pool.query(
    'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1',
    [`% ${LISTENS}`],
  )
  return rowCount !== 0
}
