import type { CheckStatus } from '../../core/monitors/check.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import type { Database } from '../../postgres/database.ts'

/** An area that failed when it was last looked at and that windows may cover, or whose snooze ended since. */
export type FollowedArea = {
  siteId: number
  area: SiteArea
  status: CheckStatus
  statusSince: Date
  lookedAt: Date
  snoozedUntil: Date | null
}

/** Those of active sites. */
export async function readFollowedAreas({ pool }: Database, now: Date): Promise<FollowedArea[]> {
  const { rows } = await pool.query<FollowedArea>({
    name: 'read-followed-site-areas',
    text: `SELECT a.site_id AS "siteId", a.area, a.status, a.status_since AS "statusSince", a.looked_at AS "lookedAt",
                  a.snoozed_until AS "snoozedUntil"
           FROM site_areas a JOIN sites s ON s.id = a.site_id JOIN teams t ON t.id = s.team_id
           WHERE (a.status IN ('maintenance', 'down') AND t.maintenance_revision > 0
                  OR a.snoozed_until BETWEEN a.looked_at AND $1)
             AND a.looked_at IS NOT NULL AND s.is_active AND s.deleted_at IS NULL AND a.area <> ALL (s.areas_off)
           ORDER BY a.site_id, a.area`,
    values: [now],
  })
  return rows
}
