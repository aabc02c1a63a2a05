import type pg from 'pg'
import type { Database } from './database.ts'

/** So few that a step is over in a fraction of a second. */
export const ROWS_PER_STEP = 1_000

/** Carries out a DELETE of at most ROWS_PER_STEP rows; true when there may be more. */
export async function removeSome({ pool }: Database, statement: pg.QueryConfig): Promise<boolean> {
  const { rowCount } = await pool.query(statement)
  return rowCount === ROWS_PER_STEP
}
