import type { SiteArea } from '../../core/sites/area.ts'
import { type CutReason, storedReasons } from '../../core/sites/cut-reason.ts'
import type { LinkOutcome } from '../../core/sites/link-outcome.ts'
import type { FindingKind, Source } from '../../core/sites/site-finding.ts'
import type { Connection } from '../../postgres/database.ts'

/** A crawl that is to be reviewed, and its site as far as that matters. */
export type CrawlToReview = {
  url: string
  checksForeignLinks: boolean
  ignoredPatterns: string[]
  /** Why it is not whole; none for a whole one. */
  cutShort: CutReason[]
  maxPages: number
  areas: { area: SiteArea; isOff: boolean; isSnoozed: boolean }[]
}

/** Ends a crawl; null for one that has ended, or that is of another site. */
export async function endCrawl(
  client: Connection,
  siteId: number,
  crawlId: number,
  at: Date,
): Promise<CrawlToReview | null> {
  type Ended = Omit<CrawlToReview, 'cutShort'> & { cutText: string | null; cutReasons: CutReason[] | null }
  const { rows } = await client.query<Ended>({
    name: 'end-crawl',
    text: `UPDATE site_crawls c SET ended_at = $3, held_by = NULL, held_until = NULL FROM sites s
           WHERE c.id = $2 AND c.site_id = $1 AND c.ended_at IS NULL AND s.id = c.site_id
           RETURNING s.url, s.checks_foreign_links AS "checksForeignLinks", s.ignored_patterns AS "ignoredPatterns",
             c.cut_short AS "cutText", c.cut_reasons AS "cutReasons", s.max_pages AS "maxPages",
             (SELECT coalesce(json_agg(json_build_object('area', area, 'isOff', area = ANY (s.areas_off),
                       'isSnoozed', coalesce(snoozed_until > $3, false))), '[]')
              FROM site_areas WHERE site_id = s.id) AS areas`,
    values: [siteId, crawlId, at],
  })
  if (!rows[0]) return null
  const { cutText, cutReasons, ...crawl } = rows[0]
  return { ...crawl, cutShort: storedReasons(cutText, cutReasons) }
}

/** `isSitemap`: nothing but robots.txt, or an index, need lead to it. */
export type JudgedAddress = {
  address: string
  isPage: boolean
  isSitemap: boolean
  outcome: LinkOutcome
  sources: (Source & { isSitemap: boolean })[]
}

/** Addresses that are not fine, with the pages that lead to them. */
export async function readFaultyAddresses(client: Connection, crawlId: number): Promise<JudgedAddress[]> {
  const { rows } = await client.query<JudgedAddress>({
    name: 'read-faulty-addresses',
    text: `SELECT a.address, a.is_page AS "isPage", a.depth = 0 AND NOT a.is_page AS "isSitemap", a.outcome,
             (SELECT coalesce(json_agg(json_build_object('page', p.address, 'label', l.label,
                       'isSitemap', p.depth = 0 AND NOT p.is_page) ORDER BY p.address), '[]')
              FROM site_crawl_links l
              JOIN site_crawl_addresses p ON p.crawl_id = l.crawl_id AND p.address_hash = l.page_hash
              WHERE l.crawl_id = a.crawl_id AND l.target_hash = a.address_hash) AS sources
           FROM site_crawl_addresses a
           WHERE a.crawl_id = $1 AND a.outcome ->> 'verdict' <> 'fine'
           ORDER BY a.address`,
    values: [crawlId],
  })
  return rows
}

/** Addresses that a crawl came to, of those with these hashes; the outcome is null for one that it did not look at. */
export async function readOutcomes(
  client: Connection,
  crawlId: number,
  hashes: Buffer[],
): Promise<{ address: string; outcome: LinkOutcome | null }[]> {
  const { rows } = await client.query<{ address: string; outcome: LinkOutcome | null }>({
    name: 'read-outcomes',
    text: `SELECT address, outcome FROM site_crawl_addresses WHERE crawl_id = $1 AND address_hash = ANY ($2::bytea[])`,
    values: [crawlId, hashes],
  })
  return rows
}

/** Those of these hashes of addresses that a page of the crawl names, whether they were looked at or not. */
export async function readNamed(client: Connection, crawlId: number, hashes: Buffer[]): Promise<Buffer[]> {
  const { rows } = await client.query<{ hash: Buffer }>({
    name: 'read-named',
    text: `SELECT DISTINCT target_hash AS hash FROM site_crawl_links WHERE crawl_id = $1 AND target_hash = ANY ($2::bytea[])`,
    values: [crawlId, hashes],
  })
  return rows.map(({ hash }) => hash)
}

/** A fault as the crawl has seen it on one page, or in a sitemap. */
export type CrawlFault = {
  keyHash: Buffer
  kind: FindingKind
  address: string
  detail: string
  sources: Source[]
}

/** Faults that are no addresses of links, each with at most `maxSources` pages. */
export async function readCrawlFaults(
  client: Connection,
  crawlId: number,
  maxSources: number,
): Promise<CrawlFault[]> {
  const { rows } = await client.query<CrawlFault>({
    name: 'read-crawl-faults',
    text: `SELECT f.key_hash AS "keyHash", min(f.kind) AS kind, min(f.address) AS address, min(f.detail) AS detail,
             json_agg(json_build_object('page', f.page, 'label', f.label) ORDER BY f.page)
               FILTER (WHERE f.position <= $2) AS sources
           FROM (SELECT f.*, p.address AS page,
                   row_number() OVER (PARTITION BY f.key_hash ORDER BY p.address) AS position
                 FROM site_crawl_faults f
                 JOIN site_crawl_addresses p ON p.crawl_id = f.crawl_id AND p.address_hash = f.page_hash
                 WHERE f.crawl_id = $1) f
           GROUP BY f.key_hash ORDER BY 3, 4`,
    values: [crawlId, maxSources],
  })
  return rows
}

export type StoredFinding = {
  area: SiteArea
  keyHash: Buffer
  kind: FindingKind
  address: string
  detail: string
  sources: Source[]
  firstSeenAt: Date
  lastSeenAt: Date
  confirmedAt: Date | null
  toldAt: Date | null
  fixedAt: Date | null
  ignoredAt: Date | null
}

/** Locks them: a person may ignore one at the same time. */
export async function readFindings(client: Connection, siteId: number): Promise<StoredFinding[]> {
  const { rows } = await client.query<StoredFinding>({
    name: 'read-site-findings',
    text: `SELECT area, key_hash AS "keyHash", kind, address, detail, sources, first_seen_at AS "firstSeenAt",
                  last_seen_at AS "lastSeenAt",
                  confirmed_at AS "confirmedAt", told_at AS "toldAt", fixed_at AS "fixedAt", ignored_at AS "ignoredAt"
           FROM site_findings WHERE site_id = $1 ORDER BY id FOR UPDATE`,
    values: [siteId],
  })
  return rows
}

export type SeenFinding = {
  keyHash: Buffer
  kind: FindingKind
  address: string
  detail: string
  sources: Source[]
  confirmedAt: Date | null
}

/** Writes what was seen. A finding that was fixed begins anew; that it is ignored stays. */
export async function writeFindings(
  client: Connection,
  siteId: number,
  area: SiteArea,
  seen: readonly SeenFinding[],
  at: Date,
): Promise<void> {
  if (seen.length === 0) return
  const column = <T>(read: (finding: SeenFinding) => T) => seen.map(read)
  await client.query({
    name: 'write-site-findings',
    text: `INSERT INTO site_findings AS f (site_id, area, first_seen_at, last_seen_at,
             key_hash, kind, address, detail, sources, confirmed_at)
           SELECT $1, $2, $3, $3, * FROM unnest($4::bytea[], $5::text[], $6::text[], $7::text[], $8::jsonb[],
             $9::timestamptz[])
           ON CONFLICT (site_id, area, key_hash) DO UPDATE SET
             detail = excluded.detail, sources = excluded.sources, last_seen_at = excluded.last_seen_at,
             confirmed_at = excluded.confirmed_at, fixed_at = NULL,
             first_seen_at = CASE WHEN f.fixed_at IS NULL THEN f.first_seen_at ELSE excluded.first_seen_at END,
             told_at = CASE WHEN f.fixed_at IS NULL THEN f.told_at END`,
    values: [
      siteId,
      area,
      at,
      column(({ keyHash }) => keyHash),
      column(({ kind }) => kind),
      column(({ address }) => address),
      column(({ detail }) => detail),
      column(({ sources }) => JSON.stringify(sources)),
      column(({ confirmedAt }) => confirmedAt),
    ],
  })
}

/** Removes the findings of an area that are no longer looked at. */
export async function forgetFindings(
  client: Connection,
  siteId: number,
  area: SiteArea,
  keys: Buffer[],
): Promise<void> {
  if (keys.length === 0) return
  await client.query({
    name: 'forget-site-findings',
    text: `DELETE FROM site_findings WHERE site_id = $1 AND area = $2 AND key_hash = ANY ($3::bytea[])`,
    values: [siteId, area, keys],
  })
}

/** Notes which findings are fixed now, and which were told now. */
export async function markFindings(
  client: Connection,
  siteId: number,
  area: SiteArea,
  { fixed, told }: { fixed: Buffer[]; told: Buffer[] },
  at: Date,
): Promise<void> {
  if (fixed.length === 0 && told.length === 0) return
  await client.query({
    name: 'mark-site-findings',
    text: `UPDATE site_findings
           SET fixed_at = CASE WHEN key_hash = ANY ($4::bytea[]) THEN $3 ELSE fixed_at END,
               told_at = CASE WHEN key_hash = ANY ($5::bytea[]) THEN $3 ELSE told_at END
           WHERE site_id = $1 AND area = $2 AND key_hash = ANY ($4::bytea[] || $5::bytea[])`,
    values: [siteId, area, at, fixed, told],
  })
}
