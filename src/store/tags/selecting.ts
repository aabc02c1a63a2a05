import { type RawBuilder, sql } from 'kysely'
import { partsOf } from '../../core/tags/selector.ts'

/** SQL for the rule in core/tags/selector.ts; `tags` is a column. */
export function carriesAll(tags: string, selectors: readonly string[]): RawBuilder<unknown> {
  const column = sql.raw(tags)
  const { exact, keys } = partsOf(selectors)
  return sql`${column} @> ${exact}::text[] AND NOT EXISTS (
    SELECT FROM unnest(${keys}::text[]) AS k WHERE NOT EXISTS (
      SELECT FROM unnest(${column}) AS t WHERE split_part(t, ':', 1) = k))`
}

/** The tag of a key; null where there is none. */
export function tagOfKey(tags: string, key: string): RawBuilder<unknown> {
  return sql`(SELECT t FROM unnest(${sql.raw(tags)}) AS t WHERE split_part(t, ':', 1) = ${key} LIMIT 1)`
}
