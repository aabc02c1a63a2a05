import type { AskedService } from '../services/asked-service.ts'

const DAY_MS = 86_400_000

/** Keeps the windows of all limits that are in use open, so that a slow machine counts in them what a quick one does. */
export async function keepWindowsOpen({ services }: AskedService): Promise<void> {
  await services.db.pool.query('UPDATE rate_limits SET expire = expire + $1', [DAY_MS])
}
