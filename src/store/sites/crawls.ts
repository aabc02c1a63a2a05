import { createHash } from 'node:crypto'
import { addressKey } from '../../core/sites/crawl/address.ts'
import { type CutReason, printReasons } from '../../core/sites/cut-reason.ts'
import type { LinkOutcome } from '../../core/sites/link-outcome.ts'
import type { FindingKind } from '../../core/sites/site-finding.ts'
import type { Database } from '../../postgres/database.ts'

export type CrawlRow = {
  id: number
  siteId: number
  teamId: number
  url: string
  maxPages: number
  checksForeignLinks: boolean
  ignoredPatterns: string[]
  /** Since its start, whatever processes had it. */
  ageMs: number
}

/** The same for all visits of an address. */
export function hashAddress(address: string): Buffer {
  return hashText(addressKey(address))
}

export function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The crawl of a site that is under way, or a new one; null for a site that is not watched. */
export async function openCrawl(
  { pool }: Database,
  siteId: number,
  byHand: boolean,
): Promise<CrawlRow | null> {
  await pool.query({
    name: 'begin-crawl',
    text: `INSERT INTO site_crawls (site_id, started_at, by_hand)
           SELECT id, now(), $2 FROM sites WHERE id = $1 AND is_active AND deleted_at IS NULL
           ON CONFLICT DO NOTHING`,
    values: [siteId, byHand],
  })
  const { rows } = await pool.query<CrawlRow>({
    name: 'read-open-crawl',
    text: `SELECT c.id, s.id AS "siteId", s.team_id AS "teamId", s.url, s.max_pages AS "maxPages",
                  s.checks_foreign_links AS "checksForeignLinks", s.ignored_patterns AS "ignoredPatterns",
                  extract(epoch FROM clock_timestamp() - c.started_at)::float8 * 1000 AS "ageMs"
           FROM site_crawls c JOIN sites s ON s.id = c.site_id
           WHERE s.id = $1 AND c.ended_at IS NULL AND s.is_active AND s.deleted_at IS NULL`,
    values: [siteId],
  })
  return rows[0] ?? null
}

/** Takes a crawl, or keeps it, for so long; false while another process has it, and once its site is not watched any more. */
export async function holdCrawl(
  { pool }: Database,
  crawlId: number,
  holder: string,
  forMs: number,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'hold-crawl',
    text: `UPDATE site_crawls c
           SET held_by = $2, held_until = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
           FROM sites s
           WHERE c.id = $1 AND c.ended_at IS NULL AND (c.held_by = $2 OR coalesce(c.held_until <= clock_timestamp(), true))
             AND s.id = c.site_id AND s.is_active AND s.deleted_at IS NULL`,
    values: [crawlId, holder, forMs],
  })
  return rowCount === 1
}

/** Lets another process go on at once. */
export async function leaveCrawl({ pool }: Database, crawlId: number, holder: string): Promise<void> {
  await pool.query({
    name: 'leave-crawl',
    text: `UPDATE site_crawls SET held_by = NULL, held_until = NULL WHERE id = $1 AND held_by = $2`,
    values: [crawlId, holder],
  })
}

/** Notes one more reason why a crawl is not whole; each of them once. */
export async function cutCrawlShort({ pool }: Database, crawlId: number, reason: CutReason): Promise<void> {
  await pool.query({
    name: 'cut-crawl-short',
    text: `UPDATE site_crawls SET cut_short = concat_ws('; ', cut_short, $2::text),
             cut_reasons = coalesce(cut_reasons, '[]') || $3::jsonb
           WHERE id = $1 AND ended_at IS NULL AND NOT coalesce(cut_reasons, '[]') @> $4::jsonb`,
    values: [
      crawlId,
      printReasons([reason]),
      JSON.stringify([reason]),
      JSON.stringify([{ code: reason.code }]),
    ],
  })
}

/** `sources`: the number of links to it that are kept. */
export type KnownAddress = { address: string; isPage: boolean; depth: number; sources: number }

/** Everything that a crawl has come to, for a process that goes on with it. */
export async function readKnownAddresses({ pool }: Database, crawlId: number): Promise<KnownAddress[]> {
  const { rows } = await pool.query<KnownAddress>({
    name: 'read-known-addresses',
    text: `SELECT a.address, a.is_page AS "isPage", a.depth, coalesce(l.sources, 0)::int AS sources
           FROM site_crawl_addresses a
           LEFT JOIN (SELECT target_hash, count(*) AS sources FROM site_crawl_links WHERE crawl_id = $1 GROUP BY 1) l
             ON l.target_hash = a.address_hash
           WHERE a.crawl_id = $1`,
    values: [crawlId],
  })
  return rows
}

/** Hashes of the addresses of faults that are known of a site, and of no others. */
export async function readFaultyHashes({ pool }: Database, siteId: number): Promise<Buffer[]> {
  const { rows } = await pool.query<{ address: string }>({
    name: 'read-faulty-hashes',
    text: `SELECT DISTINCT address FROM site_findings WHERE site_id = $1 AND fixed_at IS NULL`,
    values: [siteId],
  })
  return rows.map(({ address }) => hashAddress(address))
}

export type WaitingAddress = { address: string; host: string; isPage: boolean; depth: number }

/** Addresses to look at next, the shallowest first. */
export async function readWaitingAddresses(
  { pool }: Database,
  crawlId: number,
  { but, notOf, limit }: { but: string[]; notOf: string[]; limit: number },
): Promise<WaitingAddress[]> {
  const { rows } = await pool.query<WaitingAddress>({
    name: 'read-waiting-addresses',
    text: `SELECT address, host, is_page AS "isPage", depth FROM site_crawl_addresses
           WHERE crawl_id = $1 AND outcome IS NULL AND address <> ALL ($2::text[]) AND host <> ALL ($3::text[])
           ORDER BY depth, address_hash LIMIT $4`,
    values: [crawlId, but, notOf, limit],
  })
  return rows
}

/** The outcome of one address, and everything that it led to. */
export type Visit = {
  address: string
  outcome: LinkOutcome
  found: { address: URL; isPage: boolean; depth: number }[]
  links: { target: string; label: string }[]
  faults: { key: string; kind: FindingKind; address: string; detail: string; label: string }[]
}

/**
 * In one statement, so that a crawl that is killed has either all of it or looks again. A process that goes on with a crawl
 * looks at the home page and the sitemaps again: what it can judge stands instead of what the one before could not.
 */
export async function writeVisit({ pool }: Database, crawlId: number, visit: Visit): Promise<void> {
  const { found, links, faults } = visit
  await pool.query({
    name: 'write-visit',
    text: `WITH found AS (
             INSERT INTO site_crawl_addresses (crawl_id, address_hash, address, host, is_page, depth)
             SELECT $1, * FROM unnest($4::bytea[], $5::text[], $6::text[], $7::bool[], $8::smallint[])
             ON CONFLICT DO NOTHING),
           links AS (
             INSERT INTO site_crawl_links (crawl_id, target_hash, page_hash, label)
             SELECT $1, n.target_hash, $2, n.label FROM unnest($9::bytea[], $10::text[]) n (target_hash, label)
             ON CONFLICT DO NOTHING),
           faults AS (
             INSERT INTO site_crawl_faults (crawl_id, page_hash, key_hash, kind, address, detail, label)
             SELECT $1, $2, * FROM unnest($11::bytea[], $12::text[], $13::text[], $14::text[], $15::text[])
             ON CONFLICT DO NOTHING)
           UPDATE site_crawl_addresses SET outcome = $3
           WHERE crawl_id = $1 AND address_hash = $2
             AND (outcome IS NULL OR (outcome ->> 'verdict' = 'unjudged' AND $3::jsonb ->> 'verdict' <> 'unjudged'))`,
    values: [
      crawlId,
      hashAddress(visit.address),
      JSON.stringify(visit.outcome),
      found.map(({ address }) => hashAddress(address.href)),
      found.map(({ address }) => address.href),
      found.map(({ address }) => address.host),
      found.map(({ isPage }) => isPage),
      found.map(({ depth }) => depth),
      links.map(({ target }) => hashAddress(target)),
      links.map(({ label }) => storable(label)),
      faults.map(({ key }) => hashText(key)),
      faults.map(({ kind }) => kind),
      faults.map(({ address }) => address),
      faults.map(({ detail }) => storable(detail)),
      faults.map(({ label }) => label),
    ],
  })
}

/** Text of pages may hold what PostgreSQL refuses. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Adds an address that no page led to: the home page, or a sitemap. */
export async function addAddress(
  { pool }: Database,
  crawlId: number,
  { address, isPage }: { address: URL; isPage: boolean },
): Promise<void> {
  await pool.query({
    name: 'add-crawl-address',
    text: `INSERT INTO site_crawl_addresses (crawl_id, address_hash, address, host, is_page, depth)
           VALUES ($1, $2, $3, $4, $5, 0) ON CONFLICT DO NOTHING`,
    values: [crawlId, hashAddress(address.href), address.href, address.host, isPage],
  })
}

/** Settles all that waits of a host. */
export async function settleHost(
  { pool }: Database,
  crawlId: number,
  host: string,
  outcome: LinkOutcome,
): Promise<void> {
  await pool.query({
    name: 'settle-host',
    text: `UPDATE site_crawl_addresses SET outcome = $3 WHERE crawl_id = $1 AND host = $2 AND outcome IS NULL`,
    values: [crawlId, host, JSON.stringify(outcome)],
  })
}
