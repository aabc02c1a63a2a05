import type { CheckStatus } from '../../core/monitors/check.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import type { Database } from '../../postgres/database.ts'
import { EXPIRES_AT } from './expiries.ts'
import { LIVE_SITE_STATUS, WORST_AREA } from './overview.ts'
import { BROKEN_LINKS } from './sites.ts'

/** A site as metrics show it. */
export type MeasuredSite = {
  id: number
  name: string
  tags: string[]
  status: CheckStatus | 'paused'
  brokenLinks: number
  certificateExpiresAt: Date | null
  domainExpiresAt: Date | null
  /** Those that are on. */
  areas: { area: SiteArea; status: CheckStatus; lookedAt: string | null }[]
  /** The newest that ended. */
  crawl: { id: number; startedAt: string; endedAt: string } | null
}

/** The sites with the smallest ids. */
export async function readMeasuredSites(
  { pool }: Database,
  teamId: number,
  limit: number,
): Promise<MeasuredSite[]> {
  const { rows } = await pool.query<MeasuredSite>({
    name: 'read-measured-sites',
    text: `
      SELECT s.id, s.name, s.tags, ${LIVE_SITE_STATUS} AS status, a.areas, a.certificate AS "certificateExpiresAt",
        a.domain AS "domainExpiresAt",
        ${BROKEN_LINKS} AS "brokenLinks",
        (SELECT jsonb_build_object('id', c.id, 'startedAt', c.started_at, 'endedAt', c.ended_at) FROM site_crawls c
         WHERE c.site_id = s.id AND c.ended_at IS NOT NULL ORDER BY c.started_at DESC, c.id DESC LIMIT 1) AS crawl
      FROM sites s ${WORST_AREA}
      CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_agg(jsonb_build_object('area', a.area, 'status', a.status, 'lookedAt', a.looked_at)
                 ORDER BY a.area), '[]') AS areas,
          max(${EXPIRES_AT}) FILTER (WHERE a.area = 'certificate') AS certificate,
          max(${EXPIRES_AT}) FILTER (WHERE a.area = 'domain') AS domain
        FROM site_areas a WHERE a.site_id = s.id AND NOT a.area = ANY (s.areas_off)) a
      WHERE s.team_id = $1 AND s.deleted_at IS NULL ORDER BY s.id LIMIT $2`,
    values: [teamId, limit],
  })
  return rows
}

export type CrawlCounts = { pages: number; links: number }

/** The numbers of crawls that have ended: they never change. */
export async function countCrawled({ pool }: Database, ids: number[]): Promise<Map<number, CrawlCounts>> {
  if (ids.length === 0) return new Map()
  const { rows } = await pool.query<CrawlCounts & { id: number }>({
    name: 'count-crawled',
    text: `SELECT crawl_id AS id, count(*) FILTER (WHERE is_page)::int AS pages,
             count(*) FILTER (WHERE NOT is_page)::int AS links
           FROM site_crawl_addresses WHERE crawl_id = ANY ($1) AND outcome IS NOT NULL GROUP BY crawl_id`,
    values: [ids],
  })
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}
