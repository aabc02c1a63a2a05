import type { Database } from '../../postgres/database.ts'
import { removeSome } from '../../postgres/remove-some.ts'

/**
 * Some crawls that nothing reads any more: of sites deleted before `cutoff`, and those with a newer one that has ended,
 * too.
 */
export async function pastCrawls({ pool }: Database, cutoff: Date, limit: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'read-past-crawls',
    text: `SELECT c.id FROM site_crawls c JOIN sites s ON s.id = c.site_id
           WHERE coalesce(c.held_until <= clock_timestamp(), true)
             AND (s.deleted_at < $2 OR c.ended_at IS NOT NULL AND EXISTS (
               SELECT FROM site_crawls n WHERE n.site_id = c.site_id AND n.id > c.id AND n.ended_at IS NOT NULL))
           ORDER BY c.id LIMIT $1`,
    values: [limit, cutoff],
  })
  return rows.map(({ id }) => id)
}

const KEYS = {
  site_crawl_links: ['crawl_id', 'target_hash', 'page_hash'],
  site_crawl_faults: ['crawl_id', 'key_hash', 'page_hash'],
  site_crawl_addresses: ['crawl_id', 'address_hash'],
} as const
export const CRAWL_TABLES = Object.keys(KEYS) as (keyof typeof KEYS)[]

/** Deletes some rows of crawls; true if there may be more. */
export async function removeSomeOfCrawls(
  db: Database,
  table: keyof typeof KEYS,
  ids: number[],
): Promise<boolean> {
  return removeSome(db, {
    name: `remove-from-${table}`,
    ...{ table, key: KEYS[table] },
    where: 'crawl_id = ANY($1)',
    values: [ids],
  })
}

export async function removeCrawls({ pool }: Database, ids: number[]): Promise<void> {
  await pool.query('DELETE FROM site_crawls WHERE id = ANY($1)', [ids])
}

/** Deletes some findings that were fixed before `cutoff`; true if there may be more. */
export async function removeSomeFixed(db: Database, cutoff: Date): Promise<boolean> {
  return removeSome(db, {
    name: 'remove-fixed-findings',
    ...{ table: 'site_findings', key: ['id'] },
    where: 'fixed_at < $1',
    values: [cutoff],
  })
}
