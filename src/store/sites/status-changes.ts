import { sql } from 'kysely'
import type { SiteStatusChange } from '../../core/sites/site-time.ts'
import type { Connection, Query } from '../../postgres/database.ts'
import { readSiteStatuses } from './site-statuses.ts'

/** The last change of each of these sites, to be sent after their areas are locked; those without one are left out. */
export async function readLastChanges(
  client: Connection,
  siteIds: number[],
): Promise<Map<number, SiteStatusChange>> {
  const { rows } = await client.query<SiteStatusChange & { siteId: number }>({
    name: 'read-last-site-changes',
    text: `SELECT asked.id AS "siteId", c.status, c.at FROM unnest($1::int[]) AS asked (id)
           CROSS JOIN LATERAL (SELECT * FROM subject_status_changes
             WHERE kind = 'site' AND subject_id = asked.id ORDER BY at DESC LIMIT 1) AS c`,
    values: [siteIds],
  })
  return new Map(rows.map(({ siteId, status, at }) => [siteId, { status, at }]))
}

/** Notes the status that a locked site has after a change by a person. */
export async function noteSiteStatus(query: Query, siteId: number, now: Date): Promise<void> {
  const status = (await readSiteStatuses(query, [siteId], now)).get(siteId)?.status ?? 'pending'
  await sql`INSERT INTO subject_status_changes (kind, subject_id, at, status)
    SELECT 'site', ${siteId}::int, greatest(${now}::timestamptz, last.at), ${status}::text
    FROM (SELECT) AS one LEFT JOIN LATERAL (
      SELECT at, status FROM subject_status_changes
      WHERE kind = 'site' AND subject_id = ${siteId} ORDER BY at DESC LIMIT 1) AS last ON true
    WHERE ${status}::text <> coalesce(last.status, 'pending')
    ON CONFLICT (kind, subject_id, at) DO UPDATE SET status = excluded.status`.execute(query)
}
