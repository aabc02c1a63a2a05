import type { TestContext } from 'node:test'
import type { CrawlEnd } from '../../../src/engine/sites/crawl/crawl.ts'
import type { TestDatabase } from '../postgres/database.ts'
import type { Given } from '../records/rows.ts'
import { addCrawledSite, crawlOf, foundFaults, reviewOf } from './crawled-site.ts'
import { SITE } from './planted.ts'
import { type Responder, startWeb } from './web.ts'

const NEWEST_CUT_SHORT = 'SELECT cut_short FROM site_crawls WHERE site_id = $1 ORDER BY id DESC LIMIT 1'

/** A site of its own, and what it answers. */
export async function smallSite(
  t: TestContext,
  { db }: TestDatabase,
  pages: Record<string, string | Responder>,
  columns: Given<'sites'> = {},
) {
  const web = await startWeb(t, ['site.example', 'other.example'])
  for (const [address, page] of Object.entries(pages)) web.pages.set(address, page)
  const siteId = await addCrawledSite(db, web.withPorts(`${SITE}/`), columns)
  const crawl = (stop?: AbortSignal) => crawlOf(db, web, siteId, stop)
  const review = async (end: CrawlEnd, at: Date) => reviewOf(db, siteId, end, at)
  const asked = () => web.arrivals.map(({ host, method, path }) => `${method} ${host}${path}`)
  const cutShort = async () => {
    const { rows } = await db.pool.query(NEWEST_CUT_SHORT, [siteId])
    return rows[0]?.cut_short && web.withoutPorts(rows[0].cut_short)
  }
  return { web, db, siteId, crawl, review, asked, cutShort, faults: () => foundFaults(db, web, siteId) }
}
export const page = (...links: string[]) =>
  links.map((href) => `<a href="${href}">to ${new URL(href, SITE).pathname}</a>`).join('')
export const status =
  (code: number, headers = {}): Responder =>
  (_, response) =>
    response.writeHead(code, { 'Content-Type': 'text/html', ...headers }).end()
