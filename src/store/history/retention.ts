import type { PlanName } from '../../core/teams/plan.ts'
import type { Database } from '../../postgres/database.ts'
import { ROWS_PER_STEP, removeSome } from '../../postgres/remove-some.ts'

/** The next monitors by id, deleted ones included, of teams on a plan. */
export async function monitorsOnPlan(
  db: Database,
  plan: PlanName,
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await db.pool.query<{ id: number }>(
    `SELECT m.id FROM monitors m JOIN teams t ON t.id = m.team_id
     WHERE t.plan = $1 AND m.id > $2 ORDER BY m.id LIMIT $3`,
    [plan, after, limit],
  )
  return rows.map(({ id }) => id)
}

const KEYS = {
  check_chunks: { time: 'day', key: 'monitor_id, day, generation, segment' },
  check_hours: { time: 'hour', key: 'monitor_id, hour, region' },
  check_days: { time: 'day', key: 'monitor_id, day, region' },
  monitor_pauses: { time: 'resumed_at', key: 'monitor_id, paused_at' },
}

/** Deletes some rows of these monitors from before `cutoff`; true if there may be more. */
export async function removeSomeBefore(
  db: Database,
  table: keyof typeof KEYS,
  monitorIds: number[],
  cutoff: Date,
): Promise<boolean> {
  const { time, key } = KEYS[table]
  return removeSome(db, {
    name: `remove-from-${table}`,
    text: `DELETE FROM ${table} WHERE (${key}) IN (
             SELECT ${key} FROM ${table} WHERE monitor_id = ANY($1) AND ${time} < $2 LIMIT ${ROWS_PER_STEP})
           AND monitor_id = ANY($1) AND ${time} < $2`,
    values: [monitorIds, cutoff],
  })
}
