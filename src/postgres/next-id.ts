import { sql } from 'kysely'
import type { Query } from './database.ts'

/** The id of a row that is about to be made: what is sealed in it is bound to it. */
export async function nextId(query: Query, table: 'teams' | 'contacts' | 'monitors'): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(pg_get_serial_sequence(${table}, 'id'))::int AS id`.execute(query)
  return (rows[0] as { id: number }).id
}
