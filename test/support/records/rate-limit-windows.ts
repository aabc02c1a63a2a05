import { DAY_MS } from '../../../src/core/history/history-span.ts'
import type { AskedService } from '../services/asked-service.ts'

/** A window that is held lasts this much longer. */
export const HELD_MS = 3_600_000

/** How much of a limit is used, and when its window ends, as its row says; `key` is the limit's name and whose it is. */
export async function windowOf(
  { services }: AskedService,
  key: string,
): Promise<{ used: number; endsAtMs: number }> {
  const { rows } = await services.db.pool.query<{ used: number; endsAtMs: number }>(
    'SELECT points AS used, expire::float8 AS "endsAtMs" FROM rate_limits WHERE key = $1',
    [key],
  )
  return rows[0] ?? { used: 0, endsAtMs: 0 }
}

/**
 * Has a window that was begun last an hour longer, so that none ends while a test counts, however long the machine
 * takes. `used`: as if so much of it were used.
 */
export async function holdWindow({ services }: AskedService, key: string, used?: number): Promise<void> {
  const { rowCount } = await services.db.pool.query(
    'UPDATE rate_limits SET expire = expire + $2, points = coalesce($3, points) WHERE key = $1',
    [key, HELD_MS, used ?? null],
  )
  if (rowCount !== 1) throw new Error(`nobody has begun a window of ${key}`)
}

/** Ends a window at once, as time would. */
export async function endWindow({ services }: AskedService, key: string): Promise<void> {
  await services.db.pool.query('UPDATE rate_limits SET expire = 0 WHERE key = $1', [key])
}

/** Keeps the windows of all limits that are in use open, so that a slow machine counts in them as a quick one does. */
export async function keepWindowsOpen({ services }: AskedService): Promise<void> {
  await services.db.pool.query('UPDATE rate_limits SET expire = expire + $1', [DAY_MS])
}
