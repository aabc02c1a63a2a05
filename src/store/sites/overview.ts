import type { CheckStatus } from '../../core/monitors/check.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import { BY_SEVERITY } from '../../core/sites/site-status.ts'
import type { Database } from '../../postgres/database.ts'
import { flappingSince } from '../alerting/flaps.ts'
import { acknowledgedBy, type HolderColumn } from '../on-call/acknowledged-by.ts'

/**
 * The area `w` that gives the site `s` its status: the worst, and longest so, of those that are on and not snoozed, as
 * core/sites/site-status.ts says.
 */
export const WORST_AREA = `LEFT JOIN LATERAL (
  SELECT a.area, a.status, a.status_since, a.cause FROM site_areas a
  WHERE a.site_id = s.id AND NOT a.area = ANY (s.areas_off) AND coalesce(a.snoozed_until <= now(), true)
  ORDER BY array_position('{${BY_SEVERITY.join()}}'::text[], a.status), a.status_since, a.area LIMIT 1) w ON true`

export const LIVE_SITE_STATUS = `CASE WHEN s.is_active THEN coalesce(w.status, 'pending') ELSE 'paused' END`

export type SiteInTrouble = {
  id: number
  name: string
  url: string
  status: CheckStatus
  statusSince: Date
  area: SiteArea
  reason: string | null
  /** The holder of the incident of the area. */
  acknowledgement: HolderColumn
  flappingSince: Date | null
}

/** Sites that are down or degraded: worst first, then newest first. */
export async function sitesInTrouble(
  { pool }: Database,
  teamId: number,
  limit: number,
): Promise<SiteInTrouble[]> {
  const { rows } = await pool.query<SiteInTrouble>({
    name: 'sites-in-trouble',
    text: `SELECT s.id, s.name, s.url, w.status, w.status_since AS "statusSince", w.area, w.cause AS reason,
             ${acknowledgedBy()} AS acknowledgement,
        ${flappingSince('site', 's.id')} AS "flappingSince"
           FROM sites s ${WORST_AREA}
           LEFT JOIN team_incidents i ON i.kind = 'site' AND i.subject_id = s.id AND i.about = w.area AND i.resolved_at IS NULL
           WHERE s.team_id = $1 AND s.deleted_at IS NULL AND s.is_active AND w.status IN ('down', 'degraded')
           ORDER BY w.status = 'degraded', w.status_since DESC, s.id DESC LIMIT $2`,
    values: [teamId, limit],
  })
  return rows
}
