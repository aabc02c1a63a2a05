import type { Database } from './database.ts'
import { hashHeartbeatToken } from './monitor-changes.ts'

/** The active heartbeat monitor behind a token, or null. */
export async function findHeartbeat(db: Database, token: string): Promise<{ monitorId: number } | null> {
  const { rows } = await db.pool.query<{ monitorId: number }>({
    name: 'find-heartbeat',
    text: `SELECT id AS "monitorId" FROM monitors
           WHERE heartbeat_token_hash = $1 AND is_active AND deleted_at IS NULL`,
    values: [hashHeartbeatToken(token)],
  })
  return rows[0] ?? null
}
