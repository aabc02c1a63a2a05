import type { Database } from '../../postgres/database.ts'

export type DueServer = { serverId: number; silentAt: Date }

/**
 * Active servers that are silent by `until` unless they report before, but for those that are silent already. It reads all
 * states: an index on what each report changes would cost more.
 */
export async function readDueServers({ pool }: Database, until: Date): Promise<DueServer[]> {
  const { rows } = await pool.query<DueServer>({
    name: 'read-due-servers',
    text: `SELECT t.server_id AS "serverId", t.silent_at AS "silentAt"
           FROM server_state t JOIN servers s ON s.id = t.server_id
           WHERE t.silent_at <= $1 AND s.is_active AND s.deleted_at IS NULL`,
    values: [until],
  })
  return rows
}

export type Hearing = { heardLately: number; newestAt: Date | null }

/** How many servers of the installation were heard since a time, and when the last one was. */
export async function readHearing({ pool }: Database, since: Date): Promise<Hearing> {
  const { rows } = await pool.query<Hearing>({
    name: 'read-hearing-of-servers',
    text: `SELECT count(*)::int AS "heardLately", max(last_report_at) AS "newestAt"
           FROM server_state WHERE last_report_at >= $1`,
    values: [since],
  })
  return rows[0] as Hearing
}
