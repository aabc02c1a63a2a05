import type { Database } from '../../postgres/database.ts'
import { ROWS_PER_STEP } from '../../postgres/remove-some.ts'
import { KEEP_TOLD } from './notices.ts'

/** Messages that were sent or given up before. */
export async function removeSomeNotices({ pool }: Database, cutoff: Date): Promise<boolean> {
  const { rowCount } = await pool.query({
    text: `WITH held AS (
        SELECT id FROM status_notices WHERE finished_at < $1
        ORDER BY finished_at LIMIT ${ROWS_PER_STEP} FOR UPDATE SKIP LOCKED),
      gone AS (DELETE FROM status_notices n USING held WHERE n.id = held.id RETURNING n.update_id, n.state),
      ${KEEP_TOLD}
      SELECT FROM gone`,
    values: [cutoff],
  })
  return rowCount === ROWS_PER_STEP
}
