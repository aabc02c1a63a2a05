import type { Database } from '../../postgres/database.ts'

/**
 * From when on sealed values are bound to their rows: not while processes of an older release may have to open them.
 * After a restore, or a move, there are none, and nothing says so.
 */
export async function readBindsFrom({ pool }: Database): Promise<Date> {
  const { rows } = await pool.query<{ bindsFrom: Date }>('SELECT binds_from AS "bindsFrom" FROM sealing')
  return rows[0]?.bindsFrom ?? new Date(0)
}
