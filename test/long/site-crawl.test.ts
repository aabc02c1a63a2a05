// npm test leaves this out: it crawls a web of 300 pages three times, at the pace that hosts are asked in (minutes).
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { paceOf } from '../../src/engine/sites/crawl/host-turns.ts'
import { openTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { addCrawledSite, crawlOf, foundFaults, lineOf, reviewOf } from '../support/sites/crawled-site.ts'
import { brokenByLinkinator } from '../support/sites/linkinator.ts'
import { HOSTS, plantWeb, SITE } from '../support/sites/planted.ts'
import { type Arrival, startWeb } from '../support/sites/web.ts'

const SECOND_MS = 1_000
const MAX_IN_SECOND = 4
const MAX_CONNECTIONS = 2
const PLAIN_PAGES = 220

/** Addresses that linkinator alone calls broken, and why they are none. */
const THEIRS: [RegExp, string][] = [
  [/\/wall-|\/(?:maintenance|rules|captcha|cookies)$/, 'refused to robots: could not be judged'],
  [/\/not-there-yet$/, 'in a template, of which scripts take copies'],
  [/\/\/busy\./, 'too many requests: could not be judged'],
  [/\/private\/|\/forbidden\//, 'forbidden by robots.txt: not asked for'],
  [/\/email-protection$/, 'filled in by a script of the proxy'],
  [/\/calendar\/60$|by=30$/, 'the end of a space that is endless elsewhere'],
  [/\/at\/\d+\/(?:1x)?$/, 'a descriptor of srcset, or an empty address, taken for a path'],
]
/** Addresses that the crawl alone calls broken. */
const OURS: [RegExp, string][] = [
  [/\/no-(?:style|attribute|image|font|set)\.\w+$/, 'loaded by style sheets'],
  [/\/no-(?:svg|inner)$/, 'led to by a drawing, or by a page within an attribute'],
  [/\/no-(?:start|icon\.png)$/, 'named by the manifest of an app'],
  [/\/leads-nowhere$/, 'a redirect without an address'],
]

/** The most requests of a host within any second. */
function mostInSecond(arrivals: readonly Arrival[]): number {
  const times = arrivals.map(({ atMs }) => atMs)
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + SECOND_MS).length))
}

describe('a crawl of a whole web', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())

  it('finds all planted faults and no other, three times alike', async (t) => {
    const web = await startWeb(t, HOSTS)
    const planted = plantWeb(web, { plainPages: PLAIN_PAGES, isFrugal: false })
    const { db } = database
    assert.ok(planted.length >= 60, `${planted.length} faults`)
    for (let run = 0; run < 3; run++) {
      const siteId = await addCrawledSite(db, web.withPorts(`${SITE}/`))
      await reviewOf(db, siteId, await crawlOf(db, web, siteId), new Date())
      const { rows } = await db.pool.query(
        `SELECT count(*)::int AS pages FROM site_crawl_addresses a JOIN site_crawls c ON c.id = a.crawl_id
         WHERE c.site_id = $1 AND is_page`,
        [siteId],
      )
      assert.ok(rows[0].pages >= 300, `${rows[0].pages} pages`)
      assert.deepEqual(await foundFaults(db, web, siteId), planted.map(lineOf).sort())
    }
  })

  it('finds what linkinator finds, but for what is explained', async (t) => {
    const web = await startWeb(t, HOSTS)
    const planted = plantWeb(web, { plainPages: 20, isFrugal: true })
    const ours = new Set(planted.filter(({ kind }) => kind === 'broken_link').map(({ address }) => address))
    const theirs = await brokenByLinkinator(web, HOSTS, `${SITE}/`)
    const unexplained = (addresses: Set<string>, explained: [RegExp, string][]) =>
      [...addresses].filter((address) => !explained.some(([pattern]) => pattern.test(address)))
    assert.deepEqual(unexplained(theirs.difference(ours), THEIRS), [])
    assert.deepEqual(unexplained(ours.difference(theirs), OURS), [])
    // An explanation that explains nothing hides what comes next.
    const differences = [...theirs.symmetricDifference(ours)]
    const idle = [...THEIRS, ...OURS].filter(([pattern]) => !differences.some((one) => pattern.test(one)))
    assert.deepEqual(idle, [])
  })

  it('asks a host for at most 4 addresses a second over 2 connections, though two sites share it', async (t) => {
    const web = await startWeb(t, HOSTS)
    const planted = plantWeb(web, { plainPages: PLAIN_PAGES, isFrugal: true })
    const { db } = database
    const sites = await Promise.all(
      [1, 2].map(() => addCrawledSite(db, web.withPorts(`${SITE}/`), { max_pages: 30 })),
    )
    await Promise.all(sites.map((siteId) => crawlOf(db, web, siteId, undefined, paceOf)))
    assert.ok(planted.length > 0)
    for (const [host, arrivals] of Map.groupBy(web.arrivals, (arrival) => arrival.host)) {
      const most = mostInSecond(arrivals)
      t.diagnostic(`${host}: ${arrivals.length} requests, at most ${most} in a second`)
      assert.ok(most <= MAX_IN_SECOND, `${host}: ${most} requests in a second`)
      assert.ok((web.mostAtOnce.get(host) ?? 0) <= MAX_CONNECTIONS, `${host}: ${web.mostAtOnce.get(host)}`)
    }
  })

  it('keeps a crawl delay, and waits as long as Retry-After says', async (t) => {
    const web = await startWeb(t, HOSTS)
    const at: Record<string, number[]> = { delayed: [], busy: [] }
    const links = Array.from({ length: 5 }, (_, n) => `<a href="https://other.example/${n}">x</a>`)
    web.pages.set(`${SITE}/`, `${links.join('')}<a href="https://busy.example/once">y</a>`)
    web.pages.set('https://other.example/robots.txt', (_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('User-agent: *\nCrawl-delay: 2'),
    )
    for (let n = 0; n < 5; n++)
      web.pages.set(`https://other.example/${n}`, (_, response) => {
        at.delayed?.push(performance.now())
        response.end()
      })
    web.pages.set('https://busy.example/once', (_, response) => {
      at.busy?.push(performance.now())
      response.writeHead(at.busy?.length === 1 ? 429 : 200, { 'Retry-After': '3' }).end()
    })
    const siteId = await addCrawledSite(database.db, web.withPorts(`${SITE}/`))
    const end = await crawlOf(database.db, web, siteId, undefined, paceOf)
    await reviewOf(database.db, siteId, end, new Date())
    const gaps = (times: number[] = []) => times.slice(1).map((time, n) => time - (times[n] as number))
    assert.equal(at.delayed?.length, 5)
    assert.ok(Math.min(...gaps(at.delayed)) >= 2 * SECOND_MS, String(gaps(at.delayed)))
    assert.equal(at.busy?.length, 2)
    assert.ok(Math.min(...gaps(at.busy)) >= 3 * SECOND_MS, String(gaps(at.busy)))
    assert.deepEqual(await foundFaults(database.db, web, siteId), [])
  })
})
