import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from './database.ts'
import { isServiceRunning } from './leases.ts'
import { LISTEN_CLIENT } from './listen.ts'

/** A process that has just ended stays visible for a moment. */
const GRACE_MS = 2_000
const POLL_MS = 100

/**
 * Whether the service is running in any role: a process schedules or probes, or listens for notifications as
 * all of them do.
 */
export async function isInUse(db: Database): Promise<boolean> {
  if (await isServiceRunning(db)) return true
  const deadline = Date.now() + GRACE_MS
  while (await isListenedTo(db)) {
    if (Date.now() > deadline) return true
    await delay(POLL_MS)
  }
  return false
}

/** Not inside a transaction, where the server would keep showing the same statistics. */
async function isListenedTo({ pool }: Database): Promise<boolean> {
  const { rowCount } = await pool.query(
    'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $1',
    [`% ${LISTEN_CLIENT}`],
  )
  return rowCount !== 0
}
