import type { Database } from '../../postgres/database.ts'

/**
 * The time from which sealed values are bound to their rows. Until then, processes of an older release may
 * have to open them. After a restore or a move there are none, so no time is stored.
 */
export async function readBindsFrom({ pool }: Database): Promise<Date> {
  const { rows } = await pool.query<{ bindsFrom: Date }>('SELECT binds_from AS "bindsFrom" FROM sealing')
  return rows[0]?.bindsFrom ?? new Date(0)
}
