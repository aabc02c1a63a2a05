import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../src/postgres/database.ts'
import type { Tables } from '../../../src/postgres/tables.ts'

/** The columns of a new row that a test may leave out, because its function or the schema fills them. */
export type Given<Table extends keyof Tables> = Partial<Insertable<Tables[Table]>>

/** Values that the columns of a row have. */
type Where<Table extends keyof Tables> = Partial<Selectable<Tables[Table]>>

type Queried = Pick<Database, 'query'>

/** Inserts rows; columns with a default may be missing. Returns them as they are stored, in the order given. */
export async function addRows<Table extends keyof Tables>(
  { query }: Queried,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Promise<Selectable<Tables[Table]>[]> {
  if (rows.length === 0) return []
  // The query builder cannot follow a table that is a type parameter.
  const insert = query.insertInto(table as keyof Tables).values(rows as never)
  return (await insert.returningAll().execute()) as never
}

export async function addRow<Table extends keyof Tables>(
  db: Queried,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<Selectable<Tables[Table]>> {
  return (await addRows(db, table, [row]))[0] as Selectable<Tables[Table]>
}

/** Changes rows behind the service's back: nothing is announced. */
export async function changeRows<Table extends keyof Tables>(
  { query }: Queried,
  table: Table,
  where: Where<Table>,
  columns: Updateable<Tables[Table]>,
): Promise<void> {
  const update = query.updateTable(table as keyof Tables).set(columns as never)
  await update.where(conditionOf(where)).execute()
}

export async function countRows<Table extends keyof Tables>(
  { query }: Queried,
  table: Table,
  where: Where<Table> = {},
): Promise<number> {
  const rows = query.selectFrom(table as keyof Tables).select(sql<number>`count(*)`.as('count'))
  return (await rows.where(conditionOf(where)).executeTakeFirstOrThrow()).count
}

/** Everything that tables hold, as text, to look for what must not be stored. */
export async function storedText({ query }: Queried, ...tables: (keyof Tables)[]): Promise<string> {
  const rows = tables.map((table) => sql<{ row: string }>`SELECT t::text AS row FROM ${sql.table(table)} t`)
  const stored = await Promise.all(rows.map((read) => read.execute(query)))
  return stored.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n')
}

/** A time before now, as what has expired by then has it. */
export function ago(ms: number): Date {
  return new Date(Date.now() - ms)
}

function conditionOf(where: object) {
  const conditions = Object.entries(where).map(
    ([column, value]) => sql<boolean>`${sql.ref(column)} IS NOT DISTINCT FROM ${value}`,
  )
  return conditions.length === 0 ? sql<boolean>`true` : sql.join<boolean>(conditions, sql` AND `)
}
