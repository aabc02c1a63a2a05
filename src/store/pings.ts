import type { Database } from './database.ts'
import { gather } from './gather.ts'
import { hashHeartbeatToken } from './monitor-changes.ts'

/** The active heartbeat monitor behind a token, or null. */
export type FindHeartbeat = (token: string) => Promise<{ monitorId: number } | null>

export function createHeartbeatFinder({ pool }: Database): FindHeartbeat {
  return gather(async (tokens) => {
    const found: ({ monitorId: number } | null)[] = tokens.map(() => null)
    // OFFSET 0 keeps the rest out of the look-up: each hash takes its index, whatever the statistics say.
    const { rows } = await pool.query<{ number: number; monitorId: number }>({
      name: 'find-heartbeats',
      text: `SELECT asked.number, m.id AS "monitorId"
             FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (hash, number)
             CROSS JOIN LATERAL (SELECT id, is_active, deleted_at FROM monitors
                                 WHERE heartbeat_token_hash = asked.hash OFFSET 0) m
             WHERE m.is_active AND m.deleted_at IS NULL`,
      values: [tokens.map(hashHeartbeatToken)],
    })
    for (const { number, monitorId } of rows) found[number - 1] = { monitorId }
    return found
  })
}
