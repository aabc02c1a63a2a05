/**
 * SQL for the rule in core/tags/selector.ts, for named statements: `tags` is a column, `exact` and `keys` are parameters
 * such as `$3`.
 */
export function selects(tags: string, exact: string, keys: string): string {
  return `(${tags} @> ${exact}::text[] AND (${keys}::text[] = '{}' OR NOT EXISTS (
    SELECT FROM unnest(${keys}::text[]) AS k WHERE NOT EXISTS (
      SELECT FROM unnest(${tags}) AS t WHERE split_part(t, ':', 1) = k))))`
}

/** The tag of a key; null where there is none, or no key. */
export function tagOfKey(tags: string, key: string): string {
  return `CASE WHEN ${key}::text IS NOT NULL THEN (
    SELECT t FROM unnest(${tags}) AS t WHERE split_part(t, ':', 1) = ${key} LIMIT 1) END`
}
