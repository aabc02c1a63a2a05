import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FilterName, FilterValue, FilterValues, List } from '../../core/lists/list.ts'

/** A question to a row for each filter of a list. */
export type FilterConditions<L extends List> = {
  [Name in FilterName<L>]-?: (value: FilterValue<L, Name>) => RawBuilder<unknown>
}

/** The conditions of the filters that a query has. */
export function matching<L extends List>(
  conditions: FilterConditions<L>,
  query: FilterValues<L>,
): RawBuilder<SqlBool> {
  const asked = Object.entries<(value: never) => RawBuilder<unknown>>(conditions).flatMap(
    ([name, condition]) => {
      const value = query[name as FilterName<L>]
      return value === undefined ? [] : [sql`(${condition(value as never)})`]
    },
  )
  return asked.length === 0 ? sql`true` : sql.join(asked, sql` AND `)
}

/** Whether an id is among those that a query names, which its schema has read as digits. */
export function isAmong(id: string, ids: readonly string[]): RawBuilder<SqlBool> {
  return sql`${sql.ref(id)} = ANY(${ids.map(Number)}::bigint[])`
}

/** Whether a text is part of a column; no wildcards. */
export function contains(column: string, text: string): RawBuilder<SqlBool> {
  return sql`strpos(lower(${sql.raw(column)}), lower(${text})) > 0`
}

/** Whether each word of a text is part of one of the columns. */
export function hasWords(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const all = sql.raw(`lower(concat_ws(' ', ${columns.join(', ')}))`)
  const words = text.split(/\s+/).filter(Boolean)
  return sql`NOT EXISTS (SELECT FROM unnest(${words}::text[]) AS word WHERE strpos(${all}, lower(word)) = 0)`
}
