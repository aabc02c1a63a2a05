// npm test leaves this out: it crawls a web of servers, several times each (seconds of a core).
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { CrawlEnd } from '../../../../src/engine/sites/crawl/crawl.ts'
import { openTestDatabase, type TestDatabase } from '../../../support/postgres/database.ts'
import type { Given } from '../../../support/records/rows.ts'
import {
  addCrawledSite,
  crawlOf,
  foundFaults,
  lineOf,
  reviewOf,
} from '../../../support/sites/crawled-site.ts'
import { HOSTS, plantWeb, SITE } from '../../../support/sites/planted.ts'
import { page, smallSite, status } from '../../../support/sites/small-site.ts'
import { type Responder, startWeb } from '../../../support/sites/web.ts'

const HOUR_MS = 3_600_000
const OTHER = 'https://other.example'
const WELL = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${SITE}/a</loc></url></urlset>`

function sitemap(text: string): Responder {
  return (_, response) => response.writeHead(200, { 'Content-Type': 'application/xml' }).end(text)
}

describe('a crawl', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())

  it('finds every fault where it stands, and nothing else', async (t) => {
    const web = await startWeb(t, HOSTS)
    const planted = plantWeb(web, { plainPages: 5, isFrugal: true })
    const { db } = database
    const siteId = await addCrawledSite(db, web.withPorts(`${SITE}/`))
    const end = await crawlOf(db, web, siteId)
    const at = new Date()
    const looks = await reviewOf(db, siteId, end, at)
    assert.deepEqual(await foundFaults(db, web, siteId), planted.map(lineOf).sort())
    assert.equal(looks.links.status, 'up', 'links are told after two crawls')
    assert.equal(looks.links.warning, null)
    assert.deepEqual(
      [looks.mixed_content.status, looks.mixed_content.warning],
      ['degraded', '6 new, 0 fixed, 0 known'],
    )
    assert.equal(looks.sitemap.status, 'degraded')
  })

  const small = (t: TestContext, pages: Record<string, string | Responder>, columns: Given<'sites'> = {}) =>
    smallSite(t, database, pages, columns)

  it('goes on where another process was stopped, and ends the same', async (t) => {
    const pages = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`${SITE}/${n}`, page(`/${n + 1}`, '/gone')]),
    )
    const stop = new AbortController()
    const { crawl, review, faults, asked } = await small(t, {
      ...pages,
      [`${SITE}/`]: page(...Array.from({ length: 20 }, (_, n) => `/${n}`)),
      [`${SITE}/7`]: (_, response) => {
        stop.abort()
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(page('/8', '/gone'))
      },
    })
    assert.equal((await crawl(stop.signal)).kind, 'stopped')
    await review(await crawl(), new Date())
    const line = (n: number) => `broken_link ${SITE}/gone of ${SITE}/${n}: to /gone`
    assert.deepEqual(
      await faults(),
      [
        ...Array.from({ length: 20 }, (_, n) => line(n)).sort(),
        `broken_link ${SITE}/20 of ${SITE}/19: to /20`,
      ].sort(),
    )
    const twice = asked().length - new Set(asked()).size
    assert.ok(
      twice <= 5,
      `only what was under way, the home page and robots.txt are asked for again: ${twice}`,
    )
  })

  it('judges a sitemap that the process before could not read', async (t) => {
    const sitemapUrl = `${SITE}/sitemap.xml`
    const { web, crawl, review } = await small(t, {
      [`${SITE}/`]: page('/a'),
      [sitemapUrl]: sitemap('<nothing/>'),
    })
    const { sitemap: faulty } = await review(await crawl(), new Date())
    assert.deepEqual([faulty.status, faulty.warning], ['degraded', '1 new, 0 fixed, 0 known'])
    const stop = new AbortController()
    web.pages.set(sitemapUrl, (_, response) => response.destroy())
    web.pages.set(`${SITE}/a`, (_, response) => {
      stop.abort()
      response.destroy()
    })
    assert.equal((await crawl(stop.signal)).kind, 'stopped')
    web.pages.set(sitemapUrl, sitemap(web.withPorts(WELL)))
    web.pages.set(`${SITE}/a`, page('/'))
    const { sitemap: well } = await review(await crawl(), new Date())
    assert.deepEqual([well.status, well.findings?.fixed.lines.length], ['up', 1])
  })

  it('asks for a sitemap once more that did not answer', async (t) => {
    let asked = 0
    const sitemapUrl = `${SITE}/sitemap.xml`
    const { web, crawl, review } = await small(t, {
      [`${SITE}/`]: page('/a'),
      [sitemapUrl]: sitemap('<nothing/>'),
    })
    await review(await crawl(), new Date())
    web.pages.set(sitemapUrl, (request, response) => {
      if (asked++ === 0) response.destroy()
      else sitemap(web.withPorts(WELL))(request, response)
    })
    const { sitemap: well } = await review(await crawl(), new Date())
    assert.deepEqual([well.status, asked], ['up', 2])
  })

  it('is left to the process that has it', async (t) => {
    let other: Promise<CrawlEnd> | undefined
    const { crawl } = await small(t, {
      [`${SITE}/`]: async (_, response) => {
        other ??= crawl()
        assert.deepEqual(await other, { kind: 'elsewhere' })
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('fine')
      },
    })
    assert.equal((await crawl()).kind, 'done')
    assert.ok(other)
  })

  it('tells of a link after two crawls, an hour apart, and of its end', async (t) => {
    const { web, crawl, review } = await small(t, { [`${SITE}/`]: page('/a', '/b', '/c') })
    web.pages.set(`${SITE}/c`, page('/d'))
    const at = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * HOUR_MS)
    const { links } = await review(await crawl(), at(0))
    const none = { lines: [], more: 0 }
    const findings = { open: none, fixed: none }
    assert.deepEqual(links, {
      ...{ status: 'up', cause: null, causeReasons: [], memory: {}, warning: null },
      findings,
    })
    const soon = await review(await crawl(), at(0.9))
    assert.equal(soon.links.warning, null)
    const later = await review(await crawl(), at(24))
    assert.deepEqual(
      [later.links.status, later.links.cause, later.links.warning],
      ['degraded', '3 links are broken', '3 new, 0 fixed, 0 known'],
    )
    // /d is out of reach while the page that leads to it fails, which says nothing of it.
    web.pages.set(`${SITE}/a`, 'fine')
    web.pages.set(`${SITE}/c`, status(500))
    const mended = await review(await crawl(), at(48))
    assert.equal(mended.links.warning, '0 new, 1 fixed, 2 known')
    web.pages.set(`${SITE}/b`, status(403))
    web.pages.set(`${SITE}/c`, 'nothing leads to it any more')
    const walled = await review(await crawl(), at(72))
    assert.equal(walled.links.warning, '0 new, 1 fixed, 1 known', 'a wall says nothing')
    assert.equal((await review(await crawl(), at(96))).links.warning, null)
    assert.equal((await review(await crawl(), at(72 + 7 * 24))).links.warning, '0 new, 0 fixed, 1 known')
    web.pages.set(`${SITE}/b`, 'fine')
    const { links: well } = await review(await crawl(), at(96 + 7 * 24))
    assert.deepEqual([well.status, well.warning], ['up', null], 'the recovery says it')
  })

  it('asks for a page that fails once more, and for no other', async (t) => {
    let asked = 0
    const once: Responder = (request, response) => {
      const fails = asked++ === 0
      status(fails ? 503 : 200)(request, response)
    }
    const pages = { [`${SITE}/`]: page('/once', '/always', '/gone'), [`${SITE}/once`]: once }
    const { web, crawl, review, faults, asked: requests } = await small(t, pages)
    web.pages.set(`${SITE}/always`, status(500))
    await review(await crawl(), new Date())
    assert.deepEqual(await faults(), [
      `broken_link ${SITE}/always of ${SITE}/: to /always`,
      `broken_link ${SITE}/gone of ${SITE}/: to /gone`,
    ])
    const times = ['once', 'always', 'gone'].map(
      (path) => requests().filter((one) => one === `GET ${SITE}/${path}`).length,
    )
    assert.deepEqual(times, [2, 2, 1])
  })

  it('says nothing of a site whose home page fails, and keeps what is known', async (t) => {
    const { web, crawl, review, faults, cutShort } = await small(t, { [`${SITE}/`]: page('/gone') })
    await review(await crawl(), new Date())
    const before = await faults()
    web.pages.set(`${SITE}/`, status(500))
    const looks = await review(await crawl(), new Date())
    assert.equal(looks.links.status, 'pending')
    assert.equal(await cutShort(), 'the home page: answered 500')
    assert.deepEqual(await faults(), before)
    web.pages.set(`${SITE}/robots.txt`, status(503))
    await review(await crawl(), new Date())
    assert.equal(await cutShort(), 'the home page: the host could not say what robots may look at')
  })

  it('ends after 20 hours, with what it has seen', async (t) => {
    const stop = new AbortController()
    const { web, db, siteId, crawl, review, cutShort, faults } = await small(t, {
      [`${SITE}/`]: page('/gone'),
      [`${SITE}/robots.txt`]: () => stop.abort(),
    })
    assert.equal((await crawl(stop.signal)).kind, 'stopped')
    await db.pool.query(
      `UPDATE site_crawls SET started_at = now() - interval '21 hours' WHERE site_id = $1`,
      [siteId],
    )
    web.pages.delete(`${SITE}/robots.txt`)
    const { links } = await review(await crawl(), new Date())
    assert.equal(await cutShort(), 'it took longer than 20 hours')
    assert.deepEqual([links.status, links.cause, await faults()], ['up', 'it took longer than 20 hours', []])
  })

  it('keeps to its pages, and leaves out what it is told to', async (t) => {
    const { crawl, review, asked, cutShort, web } = await small(
      t,
      {
        [`${SITE}/`]: page('/a', '/b', '/c', '/cart/1', `${OTHER}/x`),
        [`${SITE}/a`]: page('/d'),
      },
      { max_pages: 3, checks_foreign_links: false, ignored_patterns: ['*/cart/*'] },
    )
    await review(await crawl(), new Date())
    assert.deepEqual(asked(), [
      `GET ${SITE}/robots.txt`,
      `GET ${SITE}/`,
      `GET ${SITE}/sitemap.xml`,
      ...['/a', '/b']
        .map((path) => `GET ${SITE}${path}`)
        .sort((a, b) => asked().indexOf(a) - asked().indexOf(b)),
    ])
    assert.equal(web.arrivals.length, 5)
    assert.equal(await cutShort(), 'it has more than 3 pages, the most that a crawl looks at')
  })

  it('leaves a host alone that says three times that it is asked too much', async (t) => {
    const many = Array.from({ length: 12 }, (_, n) => `${OTHER}/${n}`)
    const busy = Object.fromEntries(many.map((address) => [address, status(429)]))
    const { crawl, review, asked, faults } = await small(t, { [`${SITE}/`]: page(...many), ...busy })
    await review(await crawl(), new Date())
    const toOther = asked().filter((one) => one.startsWith(`HEAD ${OTHER}`))
    assert.ok(toOther.length >= 3 && toOther.length <= 4, `${toOther.length}: with one that was under way`)
    assert.deepEqual(
      (await faults()).filter((line) => !line.startsWith('unjudged')),
      [],
    )
    assert.equal((await faults()).length, many.length)
  })
})
