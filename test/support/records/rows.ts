import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../../src/postgres/database.ts'
import type { Tables } from '../../../src/postgres/tables.ts'

/** The columns of a new row that a test may leave out, because this place or the schema fills them. */
export type Given<Table extends keyof Tables> = Partial<Insertable<Tables[Table]>>

/** Inserts rows of any table; columns with a default may be missing. Returns the rows as they are stored. */
export async function addRows<Table extends keyof Tables>(
  { query }: Pick<Database, 'query'>,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Promise<Selectable<Tables[Table]>[]> {
  if (rows.length === 0) return []
  // The query builder cannot follow a table that is a type parameter.
  const insert = query.insertInto(table as keyof Tables).values(rows as never)
  return (await insert.returningAll().execute()) as never
}

export async function addRow<Table extends keyof Tables>(
  db: Pick<Database, 'query'>,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<Selectable<Tables[Table]>> {
  return (await addRows(db, table, [row]))[0] as Selectable<Tables[Table]>
}
