import type pg from 'pg'
import type { Database } from './database.ts'

/** Few enough to finish in a fraction of a second. */
export const ROWS_PER_STEP = 1_000

/** Runs a DELETE of at most ROWS_PER_STEP rows; true if there may be more. */
export async function removeSome({ pool }: Database, statement: pg.QueryConfig): Promise<boolean> {
  const { rowCount } = await pool.query(statement)
  return rowCount === ROWS_PER_STEP
}
