// npm test leaves this out: it crawls sites that lead to every refused address, by every way (seconds of a core).
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { REFUSED } from '../../support/net/address-matrix.ts'
import { literalHostOf, namesOf, REACHED, watchDials } from '../../support/net/dialed.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { startDnsServer } from '../../support/servers/dns-server.ts'
import { testNetwork } from '../../support/servers/targets-settings.ts'
import { addCrawledSite, crawlOf } from '../../support/sites/crawled-site.ts'
import { type Responder, startWeb } from '../../support/sites/web.ts'

const SITE = 'http://site.example'

describe('a crawl dials no address that is refused', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())

  for (const policy of ['deny', 'allow'] as const)
    it(`with private targets at ${policy}: by link, redirect, base, canonical, style, sitemap or robots.txt`, async (t) => {
      const web = await startWeb(t, ['site.example'])
      const dialed = watchDials(t)
      const names = namesOf(REFUSED.deny)
      const resolver = await startDnsServer(t, {
        'site.example': [REACHED],
        ...Object.fromEntries(names.map(({ name, address }) => [name, [address]])),
      })
      const network = testNetwork({ privateTargets: policy, nameServers: [resolver.address] })
      const { port } = new URL(web.withPorts(`${SITE}/`))
      /** As a name for some ways, as a literal for the others: each way has its judge, whatever led to it. */
      const hosts = names.map(({ name }) => `${name}:${port}`)
      const literals = names.map(({ name, address }) => `${literalHostOf(address) ?? name}:${port}`)
      const redirect =
        (host: string): Responder =>
        (_, response) =>
          response.writeHead(302, { location: `http://${host}/hop` }).end()
      const text =
        (type: string, body: string): Responder =>
        (_, response) =>
          response.writeHead(200, { 'Content-Type': type }).end(body)
      const links = hosts.map(
        (host, index) => `<a href="http://${host}/link">x</a><a href="/r${index}">x</a>`,
      )
      const pages = hosts.map((_, index) => `<a href="/b${index}">x</a>`)
      web.pages.set(`${SITE}/`, [...links, ...pages].join('\n'))
      for (const [index, host] of hosts.entries()) {
        const literal = literals[index] ?? host
        web.pages.set(`${SITE}/r${index}`, redirect(literal))
        web.pages.set(
          `${SITE}/b${index}`,
          text(
            'text/html',
            `<base href="http://${host}/based/"><link rel="canonical" href="http://${literal}/canonical"><a href="relative">x</a><style>p { background: url(http://${literal}/styled) }</style>`,
          ),
        )
      }
      const sitemaps = hosts.slice(0, 20).map((host) => `Sitemap: http://${host}/sitemap.xml`)
      const own = `Sitemap: ${SITE}:${port}/sitemap.xml`
      web.pages.set(`${SITE}/robots.txt`, text('text/plain', [own, ...sitemaps].join('\n')))
      const locations = literals.map((host) => `<url><loc>http://${host}/located</loc></url>`)
      web.pages.set(
        `${SITE}/sitemap.xml`,
        text(
          'application/xml',
          `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations.join('')}</urlset>`,
        ),
      )
      const { db } = database
      const siteId = await addCrawledSite(db, web.withPorts(`${SITE}/`))
      assert.equal((await crawlOf(db, { ...web, network }, siteId)).kind, 'done')
      assert.deepEqual([...dialed], [REACHED])
      assert.deepEqual([...new Set(web.arrivals.map(({ host }) => host))], [SITE])
      const { rows } = await db.pool.query<{ path: string; kinds: string[]; count: number }>(
        `SELECT regexp_replace(address, '^.*/([a-z]+).*$', '\\1') AS path, array_agg(DISTINCT outcome->>'kind') AS kinds,
                count(*)::int AS count
         FROM site_crawl_addresses a JOIN site_crawls c ON c.id = a.crawl_id
         WHERE c.site_id = $1 AND address !~ 'sitemap' GROUP BY 1 ORDER BY 1`,
        [siteId],
      )
      const refused = rows.filter(({ kinds }) => kinds.join() === 'private_address')
      // Addresses of other hosts in a sitemap are not asked for, as search engines do.
      assert.ok(!rows.some(({ path }) => path === 'located'))
      assert.deepEqual(
        refused.map(({ path }) => path),
        ['canonical', 'link', 'r', 'relative', 'styled'],
      )
      const distinct = new Set(literals.map((literal) => new URL(`http://${literal}/`).host)).size
      for (const { path, count } of refused) assert.ok(count >= distinct, `${path}: ${count} of ${distinct}`)
    })
})
