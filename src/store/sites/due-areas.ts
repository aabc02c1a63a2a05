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
  /** The sites whose ID leaves this rest. */
  share: { of: number; part: number }
  /** Areas that are left out. `teamId`: of those that are looked at now; null for others. */
  not: { siteId: number; area: SiteArea; teamId: number | null }[]
  /** The limit of one team, with those that are looked at now. */
  limitOfTeam: number
  limit: number
}

/**
 * Areas that are due in these slots, but no crawls. Those that have waited longest come first, a team's next one after the
 * next ones of the other teams: the sites of one team, if none of them answers, do not keep the others waiting.
 */
export async function readDueAreas(
  { pool }: Database,
  { slots, share, not, limitOfTeam, limit }: AskedAreas,
): Promise<DueArea[]> {
  const { rows } = await pool.query<DueArea>({
    name: 'read-due-site-areas',
    text: `WITH busy AS (SELECT * FROM unnest($2::int[], $3::text[], $7::int[]) AS b (site_id, area, team_id)),
           due AS (
             SELECT a.site_id, s.team_id, a.area, s.revision, s.url, s.home_interval_seconds, a.next_look_at,
                    row_number() OVER (PARTITION BY s.team_id ORDER BY a.next_look_at)
                      + (SELECT count(*) FROM busy WHERE busy.team_id = s.team_id) AS place
             FROM site_areas a JOIN sites s ON s.id = a.site_id
             WHERE a.next_look_at <= now() AND a.area NOT IN ('links', 'mixed_content', 'sitemap')
               AND ($1::smallint[] IS NULL OR s.slot = ANY($1)) AND s.is_active AND s.deleted_at IS NULL
               AND a.area <> ALL (s.areas_off) AND a.site_id % $5 = $6
               AND (a.site_id, a.area) NOT IN (SELECT site_id, area FROM busy))
           SELECT site_id AS "siteId", team_id AS "teamId", area, revision, url,
                  home_interval_seconds AS "homeIntervalSeconds"
           FROM due WHERE place <= $8 ORDER BY place, next_look_at LIMIT $4`,
    values: [
      // A process that holds all slots asks every second: it need not name them.
      slots.length === SLOTS ? null : slots,
      not.map(({ siteId }) => siteId),
      not.map(({ area }) => area),
      limit,
      share.of,
      share.part,
      not.map(({ teamId }) => teamId),
      limitOfTeam,
    ],
  })
  return rows
}

/** Crawls that are due in these slots, one after the other for each team: `links` has the schedule of all that they find. */
export async function readDueCrawls(
  { pool }: Database,
  { slots, share, not, limit }: Pick<AskedAreas, 'slots' | 'share' | 'limit'> & { not: number[] },
): Promise<DueArea[]> {
  const { rows } = await pool.query<DueArea>({
    name: 'read-due-crawls',
    text: `WITH due AS (
             SELECT a.site_id, s.team_id, a.area, s.revision, s.url, s.home_interval_seconds, a.next_look_at,
                    row_number() OVER (PARTITION BY s.team_id ORDER BY a.next_look_at) AS place
             FROM site_areas a JOIN sites s ON s.id = a.site_id
             WHERE a.next_look_at <= now() AND a.area = 'links' AND a.site_id <> ALL ($2::int[])
               AND ($1::smallint[] IS NULL OR s.slot = ANY($1)) AND s.is_active AND s.deleted_at IS NULL
               AND NOT s.areas_off @> ARRAY['links', 'mixed_content', 'sitemap'] AND a.site_id % $4 = $5)
           SELECT site_id AS "siteId", team_id AS "teamId", area, revision, url,
                  home_interval_seconds AS "homeIntervalSeconds"
           FROM due ORDER BY place, next_look_at LIMIT $3`,
    values: [slots.length === SLOTS ? null : slots, not, limit, share.of, share.part],
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
             WHERE site_id = ANY($1::int[]) AND site_id || ' ' || area = ANY($2::text[]) AND next_look_at > now()
             ORDER BY site_id, area FOR UPDATE),
           wanted AS (
             UPDATE site_areas a SET next_look_at = now() FROM held
             WHERE a.site_id = held.site_id AND a.area = held.area RETURNING a.area)
           SELECT pg_notify('${SITES_CHANNEL}', '') FROM wanted HAVING count(*) > 0`,
    values: [areas.map(({ siteId }) => siteId), areas.map(({ siteId, area }) => `${siteId} ${area}`)],
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
