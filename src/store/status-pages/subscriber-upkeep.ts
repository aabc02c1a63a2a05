import type { Database } from '../../postgres/database.ts'
import { ROWS_PER_STEP, removeSome } from '../../postgres/remove-some.ts'
import { KEEP_TOLD } from './notices.ts'

/** Subscribers that have not confirmed since; true if there may be more. */
export function removeSomeUnconfirmed(db: Database, since: Date): Promise<boolean> {
  return removeSome(db, {
    text: `DELETE FROM status_subscribers WHERE id IN (
      SELECT id FROM status_subscribers WHERE confirmed_at IS NULL AND created_at < $1
      ORDER BY created_at LIMIT ${ROWS_PER_STEP})`,
    values: [since],
  })
}

/** Messages that were sent or given up before. */
export function removeSomeNotices(db: Database, cutoff: Date): Promise<boolean> {
  return removeSome(db, {
    text: `WITH gone AS (DELETE FROM status_notices WHERE id IN (
        SELECT id FROM status_notices WHERE finished_at < $1 ORDER BY finished_at LIMIT ${ROWS_PER_STEP})
      RETURNING update_id, state), ${KEEP_TOLD}`,
    values: [cutoff],
  })
}
