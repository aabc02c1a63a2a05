import { sql } from 'kysely'
import type { Database, Query } from '../../postgres/database.ts'

export async function beginPauses(query: Query, monitorIds: number[], now: Date): Promise<void> {
  await sql`
    INSERT INTO monitor_pauses (monitor_id, paused_at)
    SELECT id, ${now}::timestamptz FROM unnest(${monitorIds}::int[]) AS id
    -- paused, resumed and paused again within one tick of the clock
    ON CONFLICT (monitor_id, paused_at) DO UPDATE SET resumed_at = NULL`.execute(query)
}

export async function endPauses(query: Query, monitorIds: number[], now: Date): Promise<void> {
  await sql`
    UPDATE monitor_pauses SET resumed_at = greatest(paused_at, ${now}::timestamptz)
    WHERE monitor_id = ANY(${monitorIds}::int[]) AND resumed_at IS NULL`.execute(query)
}

export type PauseRecord = { pausedAt: Date; resumedAt: Date | null }

/** Pauses that overlap the range, newest first. */
export async function pausesWithin(
  { pool }: Database,
  teamId: number,
  monitorId: number,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<PauseRecord[]> {
  const { rows } = await pool.query<PauseRecord>({
    name: 'pauses-within',
    text: `SELECT p.paused_at AS "pausedAt", p.resumed_at AS "resumedAt"
           FROM monitor_pauses p JOIN monitors m ON m.id = p.monitor_id
           WHERE m.team_id = $1 AND p.monitor_id = $2 AND p.paused_at < $4
             AND (p.resumed_at IS NULL OR p.resumed_at >= $3)
           ORDER BY p.paused_at DESC LIMIT $5`,
    values: [teamId, monitorId, from, to, limit],
  })
  return rows
}
