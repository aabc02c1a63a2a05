import type pg from 'pg'
import type { Database } from './database.ts'

/** Few enough to finish in a fraction of a second. */
export const ROWS_PER_STEP = 1_000

/** `key`: the columns of the primary key. `where`: a condition on the rows, by `values`. */
type Removal = {
  name?: string
  table: string
  key: readonly string[]
  where: string
  values: unknown[]
  /** Rows that come first in it go first; without it, any. */
  order?: string
  /** Looks at the first rows by their key alone: nothing follows where one of them stays. */
  oldestOnly?: boolean
}

/** Deletes at most ROWS_PER_STEP rows; true if there may be more. */
export async function removeSome(db: Database, removal: Removal): Promise<boolean> {
  return (await removeUpTo(db, removal)) === ROWS_PER_STEP
}

/**
 * The same; returns how many. Each row is locked as it is by then, so that none goes that somebody has just renewed, and one
 * that is locked is left for the next time: waiting for it could be a deadlock.
 */
export async function removeUpTo({ pool }: Database, removal: Removal): Promise<number> {
  const { rowCount } = await pool.query(statementOf(removal))
  return rowCount ?? 0
}

function statementOf({ name, table, key, where, values, order, oldestOnly }: Removal): pg.QueryConfig {
  const columns = key.join(', ')
  const among = oldestOnly
    ? `AND ${columns} <= (SELECT max(${columns}) FROM (
         SELECT ${columns} FROM ${table} ORDER BY ${columns} LIMIT ${ROWS_PER_STEP}) AS first)`
    : ''
  const first = oldestOnly ? columns : order
  return {
    ...(name && { name }),
    text: `WITH gone AS (
             SELECT ${columns} FROM ${table} kept WHERE ${where} ${among}
             ${first ? `ORDER BY ${first}` : ''} LIMIT ${ROWS_PER_STEP} FOR UPDATE SKIP LOCKED)
           DELETE FROM ${table} t USING gone WHERE ${key.map((column) => `t.${column} = gone.${column}`).join(' AND ')}`,
    values,
  }
}
