import { SLOTS } from '../../core/probing/slot.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import type { Database } from '../../postgres/database.ts'

/** An area that is to be looked at, with what its look needs to know of the site. */
export type DueArea = {
  siteId: number
  teamId: number
  area: SiteArea
  revision: number
  url: string
  homeIntervalSeconds: number
}

export type AskedAreas = {
  slots: number[]
  /** Of the sites, those whose ID leaves this rest. */
  share: { of: number; part: number }
  /** Areas that are left out. */
  not: { siteId: number; area: SiteArea }[]
  /** Whether sites that are to be crawled belong to it. */
  crawls: boolean
  limit: number
}

/**
 * Areas that are due in these slots, those that have waited longest first. Of a crawl only the area that has its schedule is
 * ever due.
 */
export async function readDueAreas(
  { pool }: Database,
  { slots, share, not, crawls, limit }: AskedAreas,
): Promise<DueArea[]> {
  const { rows } = await pool.query<DueArea>({
    name: 'read-due-site-areas',
    text: `SELECT a.site_id AS "siteId", s.team_id AS "teamId", a.area, s.revision, s.url,
                  s.home_interval_seconds AS "homeIntervalSeconds"
           FROM site_areas a JOIN sites s ON s.id = a.site_id
           WHERE a.next_look_at <= now() AND a.area NOT IN ('mixed_content', 'sitemap')
             AND ($1::smallint[] IS NULL OR s.slot = ANY($1)) AND s.is_active AND s.deleted_at IS NULL AND (a.area <> ALL (s.areas_off)
                  OR a.area = 'links' AND NOT s.areas_off @> ARRAY['links', 'mixed_content', 'sitemap'])
             AND a.site_id % $5 = $6 AND ($7 OR a.area <> 'links')
             AND (a.site_id, a.area) NOT IN (SELECT * FROM unnest($2::int[], $3::text[]))
           ORDER BY a.next_look_at LIMIT $4`,
    values: [
      // A process that holds all slots asks every second: it need not name them.
      slots.length === SLOTS ? null : slots,
      not.map(({ siteId }) => siteId),
      not.map(({ area }) => area),
      limit,
      share.of,
      share.part,
      crawls,
    ],
  })
  return rows
}

/** Wakes the looks at sites of every process. */
export const SITES_CHANNEL = 'upbeat_sites'

/** Has areas of any team looked at at once; those that are due already are left as they are. */
export async function lookNow(
  { pool }: Database,
  areas: readonly { siteId: number; area: SiteArea }[],
): Promise<void> {
  if (areas.length === 0) return
  await pool.query({
    name: 'look-now',
    // In the order in which all transactions lock them.
    text: `WITH held AS (
             SELECT site_id, area FROM site_areas
             WHERE (site_id, area) IN (SELECT * FROM unnest($1::int[], $2::text[])) AND next_look_at > now()
             ORDER BY site_id, area FOR UPDATE),
           wanted AS (
             UPDATE site_areas a SET next_look_at = now() FROM held
             WHERE a.site_id = held.site_id AND a.area = held.area RETURNING a.area)
           SELECT pg_notify('${SITES_CHANNEL}', '') FROM wanted HAVING count(*) > 0`,
    values: [areas.map(({ siteId }) => siteId), areas.map(({ area }) => area)],
  })
}

/** Regions whose probers can look at sites: remote probes only check monitors. */
export async function readSiteRegions({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ region: string }>({
    name: 'read-site-regions',
    text: `SELECT DISTINCT region FROM probers WHERE probe_token IS NULL AND expires_at > now() ORDER BY region`,
  })
  return rows.map(({ region }) => region)
}
