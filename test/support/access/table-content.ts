import type { Database } from '../../../src/postgres/database.ts'

/** Counts requests, whatever becomes of them. */
const COUNTER = 'rate_limits'

/** A digest of all rows of each table, but for the one that counts requests. */
export async function contentOfTables({ pool }: Database): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> $1`,
    [COUNTER],
  )
  const digests = rows.map(
    ({ name }) =>
      `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, '' ORDER BY t::text), '')) AS digest FROM ${name} t`,
  )
  const found = await pool.query<{ name: string; digest: string }>(digests.join(' UNION ALL '))
  return new Map(found.rows.map(({ name, digest }) => [name, digest]))
}
