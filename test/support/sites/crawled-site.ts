import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createTurnstile } from '../../../src/core/sharing/share.ts'
import type { FindingKind, Source } from '../../../src/core/sites/site-finding.ts'
import {
  type CrawlDeps,
  type CrawlEnd,
  type CrawlPlaces,
  crawlSite,
} from '../../../src/engine/sites/crawl/crawl.ts'
import { reviewCrawl } from '../../../src/engine/sites/crawl/review.ts'
import { type Database, inTransaction } from '../../../src/postgres/database.ts'
import { openAsking } from '../../../src/probes/pages/ask-page.ts'
import { addRow, type Given } from '../records/rows.ts'
import { addTeam } from '../records/teams.ts'
import type { Planted } from './planted.ts'
import type { Web } from './web.ts'

/** A site that nothing looks at but a test. */
export async function addCrawledSite(
  db: Database,
  url: string,
  columns: Given<'sites'> = {},
): Promise<number> {
  const row = await addRow(db, 'sites', {
    team_id: columns.team_id ?? (await addTeam(db)),
    name: 'Site',
    url,
    slot: 0,
    home_interval_seconds: 60,
    max_pages: 5_000,
    checks_foreign_links: true,
    ignored_patterns: [],
    areas_off: [],
    ...columns,
  })
  return row.id
}

/** The places of a thread; `size`: of all its requests. */
export function crawlPlaces(size?: number): CrawlPlaces {
  return {
    requests: createTurnstile('crawlRequests', size === undefined ? {} : { size }),
    sitemaps: createTurnstile('sitemaps'),
  }
}

/** Crawls over a web, as fast as its hosts answer unless a pace is given. */
export function crawlOf(
  db: Database,
  web: Web,
  siteId: number,
  stop = new AbortController().signal,
  pace: CrawlDeps['pace'] = () => ({ restMs: 0, seats: 2 }),
  places = crawlPlaces(),
): Promise<CrawlEnd> {
  const { network } = web
  const open: CrawlDeps['openAsking'] = (home) => openAsking({ network, userAgent: 'UpbeatBot' }, home)
  return crawlSite({ db, openAsking: open, places, pace, newId: randomUUID }, siteId, stop)
}

/** Ends a crawl that is done. */
export async function reviewOf(db: Database, siteId: number, end: CrawlEnd, at: Date) {
  if (end.kind !== 'done') throw new Error(`the crawl is not done: ${end.kind}`)
  const { rows } = await db.pool.query<{ waiting: string[] }>(
    `SELECT coalesce(array_agg(address), '{}') AS waiting FROM site_crawl_addresses a JOIN site_crawls c ON c.id = a.crawl_id
     WHERE c.id = $1 AND cut_short IS NULL AND outcome IS NULL`,
    [end.crawlId],
  )
  assert.deepEqual(rows[0]?.waiting, [], 'a crawl that is done has looked at everything')
  return inTransaction(db.pool, (client) => reviewCrawl(client, { id: siteId }, end.crawlId, at))
}

type Stored = { kind: FindingKind; address: string; sources: Source[] }

/** Faults that are known of a site, a line for each page with a fault; sorted. */
export async function foundFaults(db: Database, web: Web, siteId: number): Promise<string[]> {
  const { rows } = await db.pool.query<Stored>(
    'SELECT kind, address, sources FROM site_findings WHERE site_id = $1 AND fixed_at IS NULL',
    [siteId],
  )
  const faults = rows.flatMap(({ kind, address, sources }) =>
    sources.map(({ page, label }) => lineOf({ kind, address, page, label })),
  )
  return faults.map(web.withoutPorts).sort()
}

export function lineOf({ kind, address, page, label }: Planted): string {
  return `${kind} ${address} of ${page}: ${label}`
}
