import type { Database } from '../../postgres/database.ts'

/** The stored list of registries; null without one. */
export async function readStoredServices({ pool }: Database): Promise<string | null> {
  const { rows } = await pool.query<{ content: string }>({
    name: 'read-registry-services',
    text: `SELECT content FROM registry_services WHERE content <> ''`,
  })
  return rows[0]?.content ?? null
}

/** Whether the list is to be asked for again, by this process alone: it is older than this, or was not to be had lately. */
export async function claimServices(
  { pool }: Database,
  { days, againDays }: { days: number; againDays: number },
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'claim-registry-services',
    text: `INSERT INTO registry_services AS r (content, asked_at) VALUES ('', now() - make_interval(days => $1::int - $2::int))
           ON CONFLICT (only_row) DO UPDATE SET asked_at = excluded.asked_at
             WHERE r.asked_at < now() - make_interval(days => $1::int)`,
    values: [days, againDays],
  })
  return (rowCount ?? 0) > 0
}

export async function storeServices({ pool }: Database, content: string): Promise<void> {
  await pool.query({
    name: 'store-registry-services',
    text: 'UPDATE registry_services SET content = $1, asked_at = now()',
    values: [content],
  })
}
