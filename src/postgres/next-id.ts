import { sql } from 'kysely'
import type { Query } from './database.ts'

/** Reserves the id of a new row, because its encrypted values are bound to the id. */
export async function nextId(
  query: Query,
  table:
    | 'teams'
    | 'contacts'
    | 'monitors'
    | 'maintenance_windows'
    | 'status_pages'
    | 'status_subscribers'
    | 'report_recipients'
    | 'schedules'
    | 'servers'
    | 'sites'
    | 'trial_checks'
    | 'mail_tests',
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(pg_get_serial_sequence(${table}, 'id'))::int AS id`.execute(query)
  return (rows[0] as { id: number }).id
}
