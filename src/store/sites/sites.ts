import { sql } from 'kysely'
import type { CheckStatus } from '../../core/monitors/check.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import { type CutReason, storedReasons } from '../../core/sites/cut-reason.ts'
import type { SiteSettings } from '../../core/sites/site.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'
import { contactIdsOf } from '../alerting/attachments.ts'
import { flappingSince } from '../alerting/flaps.ts'

export type AreaRecord = {
  area: SiteArea
  status: CheckStatus
  statusSince: Date
  lookedAt: Date | null
  nextLookAt: Date
  cause: string | null
  causeReasons: CutReason[] | null
  doubt: string | null
  snoozedUntil: Date | null
  snoozeReason: string | null
}

export type SiteRowRecord = Pick<SiteSettings, 'name' | 'url' | 'is_active' | 'areas_off'> & {
  id: number
  createdAt: Date
  flappingSince: Date | null
  areas: AreaRecord[]
  brokenLinks: number
  tags: string[]
}

export type CrawlRecord = {
  startedAt: Date
  endedAt: Date | null
  cutShort: CutReason[]
  byHand: boolean
  pagesDone: number
  pagesWaiting: number
  linksDone: number
  linksWaiting: number
}

export type SiteRecord = SiteRowRecord &
  SiteSettings & {
    revision: number
    memories: Partial<Record<SiteArea, Record<string, unknown>>>
    crawl: CrawlRecord | null
    crawls: RunningCrawls
  }

/** Crawls that a process works at: whether that of the site is one, and how many its team and all teams have. */
export type RunningCrawls = { isRunning: boolean; ofTeam: number; all: number }

const NAME_ORDER = sql`lower(s.name) COLLATE "C"`

/** The broken links of the site `s`: confirmed, not fixed, not ignored. */
export const BROKEN_LINKS = `(
  SELECT count(*)::int FROM site_findings f
  WHERE f.site_id = s.id AND f.area = 'links' AND f.kind = 'broken_link'
    AND f.confirmed_at IS NOT NULL AND f.fixed_at IS NULL AND f.ignored_at IS NULL)`

function selectSites(query: Query, teamId: number) {
  return query
    .selectFrom('sites as s')
    .where('s.team_id', '=', teamId)
    .where('s.deleted_at', 'is', null)
    .select(['s.id', 's.name', 's.url', 's.is_active', 's.areas_off', 's.tags', 's.created_at as createdAt'])
    .select(sql.raw<number>(BROKEN_LINKS).as('brokenLinks'))
    .select(sql.raw<Date | null>(flappingSince('site', 's.id')).as('flappingSince'))
}

/** Sites by name: all of a team, or these. */
export async function listSites(
  query: Query,
  teamId: number,
  ids?: readonly number[],
): Promise<SiteRowRecord[]> {
  const these = anyOf([...(ids ?? [])])
  const rows = await selectSites(query, teamId)
    .$if(ids !== undefined, (all) => all.where('s.id', '=', these))
    .orderBy(NAME_ORDER)
    .orderBy('s.id')
    .execute()
  const areas = await query
    .selectFrom('site_areas as a')
    .innerJoin('sites as s', 's.id', 'a.site_id')
    .where('s.team_id', '=', teamId)
    .where('s.deleted_at', 'is', null)
    .$if(ids !== undefined, (all) => all.where('s.id', '=', these))
    .select(['a.site_id as siteId', ...AREA_COLUMNS])
    .execute()
  const bySite = Map.groupBy(areas, ({ siteId }) => siteId)
  return rows.map((row) => ({
    ...row,
    areas: (bySite.get(row.id) ?? []).map(({ siteId: _, ...area }) => area),
  }))
}

const AREA_COLUMNS = [
  'a.area',
  'a.status',
  'a.status_since as statusSince',
  'a.looked_at as lookedAt',
  'a.next_look_at as nextLookAt',
  'a.cause',
  'a.cause_reasons as causeReasons',
  'a.doubt',
  'a.snoozed_until as snoozedUntil',
  'a.snooze_reason as snoozeReason',
] as const

export async function findSite(query: Query, teamId: number, siteId: number): Promise<SiteRecord | null> {
  const row = await selectSites(query, teamId)
    .select(['s.home_interval_seconds', 's.max_pages', 's.checks_foreign_links', 's.ignored_patterns'])
    .select(['s.revision', sql<string | null>`s.domain_expires_on::text`.as('domain_expires_on')])
    .select(contactIdsOf('site').as('contact_ids'))
    .where('s.id', '=', siteId)
    .executeTakeFirst()
  if (!row) return null
  const areas = await query
    .selectFrom('site_areas as a')
    .where('a.site_id', '=', siteId)
    .select([...AREA_COLUMNS, 'a.memory'])
    .execute()
  return {
    ...row,
    areas: areas.map(({ memory: _, ...area }) => area),
    memories: Object.fromEntries(areas.map(({ area, memory }) => [area, memory])),
    crawl: await findNewestCrawl(query, siteId),
    crawls: await countRunningCrawls(query, teamId, siteId),
  }
}

async function countRunningCrawls(query: Query, teamId: number, siteId: number): Promise<RunningCrawls> {
  const { rows } = await sql<RunningCrawls>`
    SELECT coalesce(bool_or(c.site_id = ${siteId}), false) AS "isRunning",
      count(*) FILTER (WHERE s.team_id = ${teamId})::int AS "ofTeam", count(*)::int AS "all"
    FROM site_crawls c JOIN sites s ON s.id = c.site_id
    WHERE c.ended_at IS NULL AND c.held_until > clock_timestamp()`.execute(query)
  return rows[0] ?? { isRunning: false, ofTeam: 0, all: 0 }
}

async function findNewestCrawl(query: Query, siteId: number): Promise<CrawlRecord | null> {
  type Newest = Omit<CrawlRecord, 'cutShort'> & { cutText: string | null; cutReasons: CutReason[] | null }
  const { rows } = await sql<Newest>`
    SELECT c.started_at AS "startedAt", c.ended_at AS "endedAt", c.cut_short AS "cutText", c.cut_reasons AS "cutReasons", c.by_hand AS "byHand",
      count(*) FILTER (WHERE a.is_page AND a.outcome IS NOT NULL)::int AS "pagesDone",
      count(*) FILTER (WHERE a.is_page AND a.outcome IS NULL)::int AS "pagesWaiting",
      count(*) FILTER (WHERE NOT a.is_page AND a.outcome IS NOT NULL)::int AS "linksDone",
      count(*) FILTER (WHERE NOT a.is_page AND a.outcome IS NULL)::int AS "linksWaiting"
    FROM (SELECT * FROM site_crawls WHERE site_id = ${siteId} ORDER BY started_at DESC, id DESC LIMIT 1) c
    LEFT JOIN site_crawl_addresses a ON a.crawl_id = c.id
    GROUP BY c.started_at, c.ended_at, c.cut_short, c.cut_reasons, c.by_hand`.execute(query)
  if (!rows[0]) return null
  const { cutText, cutReasons, ...crawl } = rows[0]
  return { ...crawl, cutShort: storedReasons(cutText, cutReasons) }
}

/** Paused ones count; deleted ones do not. */
export async function countSites(query: Query, teamId: number): Promise<number> {
  const { count } = await query
    .selectFrom('sites')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
