// npm test leaves this out: it crawls webs of servers to the end of each budget (seconds of a core).
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openTestDatabase, type TestDatabase } from '../../../support/postgres/database.ts'
import { SITE } from '../../../support/sites/planted.ts'
import { page, smallSite, status } from '../../../support/sites/small-site.ts'
import type { Responder } from '../../../support/sites/web.ts'

const HOUR_MS = 3_600_000
const OTHER = 'https://other.example'

describe('a crawl that does not see everything', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())
  const small = (t: TestContext, pages: Record<string, string | Responder>) => smallSite(t, database, pages)

  it('calls nothing fixed that a page still names, whatever its budget', async (t) => {
    const links = ['/a', '/b', '/c', '/gone', '/far']
    const { web, db, siteId, crawl, review, faults, cutShort } = await small(t, {
      [`${SITE}/`]: page(...links),
      ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`${SITE}/${name}`, 'fine'])),
      [`${SITE}/far`]: page('/gone-far'),
    })
    const at = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * HOUR_MS)
    await review(await crawl(), at(0))
    assert.equal((await review(await crawl(), at(2))).links.warning, '2 new, 0 fixed, 0 known')
    const known = await faults()
    const limit = (pages: number) =>
      db.pool.query('UPDATE sites SET max_pages = $2 WHERE id = $1', [siteId, pages])
    // One address behind the home page, whichever it is: at most one of the two is looked at.
    await limit(2)
    web.pages.set(`${SITE}/far`, 'nothing leads to it any more')
    for (let run = 0; run < 3; run++) {
      const { links: look } = await review(await crawl(), at(3 + run))
      assert.equal(await cutShort(), 'it has more than 2 pages, the most that a crawl looks at')
      assert.equal(look.cause, '2 links are broken')
      assert.equal(look.warning, null)
    }
    assert.deepEqual(await faults(), known)
    await limit(5_000)
    assert.equal((await review(await crawl(), at(9))).links.warning, '0 new, 1 fixed, 1 known')
    // An address that the settings leave out is neither broken nor fixed.
    await db.pool.query(`UPDATE sites SET ignored_patterns = '{*/gone}' WHERE id = $1`, [siteId])
    await review(await crawl(), at(10))
    assert.deepEqual(await faults(), [])
    const { rows } = await db.pool.query('SELECT address FROM site_findings WHERE site_id = $1', [siteId])
    assert.deepEqual(
      rows.map(({ address }) => web.withoutPorts(address)),
      [`${SITE}/gone-far`],
    )
  })

  it('keeps what only pages name that it may not read any more, or that fail', async (t) => {
    const { web, crawl, review, faults } = await small(t, {
      [`${SITE}/`]: page('/way'),
      [`${SITE}/way`]: page('/page'),
      [`${SITE}/page`]: page('/gone'),
    })
    await review(await crawl(), new Date())
    const line = `broken_link ${SITE}/gone of ${SITE}/page: to /gone`
    assert.deepEqual(await faults(), [line])
    const robots = `${SITE}/robots.txt`
    web.pages.set(robots, (_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('User-agent: *\nDisallow: /way'),
    )
    for (let run = 0; run < 2; run++) {
      await review(await crawl(), new Date())
      assert.ok((await faults()).includes(line), 'robots.txt hides it')
    }
    web.pages.delete(robots)
    for (const code of [403, 429, 500]) {
      web.pages.set(`${SITE}/way`, status(code))
      await review(await crawl(), new Date())
      assert.ok((await faults()).includes(line), `${code} hides it`)
    }
    web.pages.set(`${SITE}/way`, page('/other'))
    web.pages.set(`${SITE}/other`, 'fine')
    await review(await crawl(), new Date())
    assert.deepEqual(await faults(), [])
  })

  it('says by what limits it is not whole, each once, and what was not read is not fixed', async (t) => {
    const long = `/${'x'.repeat(3_000)}`
    const links = (count: number) => Array.from({ length: count }, (_, n) => `<a href="#${n}">x</a>`).join('')
    const deep = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `${SITE}/deep/${'a'.repeat(n)}`,
        page(`/deep/${'a'.repeat(n + 1)}`),
      ]),
    )
    const large = (end: string) => `<title>Large</title>${'<p>more'.repeat(400_000)}${end}`
    const packed = gzipSync('<a href="/gone-packed">x</a>'.padEnd(100_000, ' and more'))
    const { web, db, siteId, crawl, review, faults, cutShort } = await small(t, {
      [`${SITE}/`]: `${page('/large', '/many', '/packed', '/deep/', '/fine')}<a href="${long}">long</a>`,
      [`${SITE}/fine`]: page('/gone'),
      [`${SITE}/large`]: page('/gone'),
      [`${SITE}/many`]: links(5_001),
      [`${SITE}/packed`]: (_, response) =>
        response
          .writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' })
          .end(packed.subarray(0, -20)),
      ...deep,
    })
    const reasons = [
      `a link is longer than 2,000 characters: ${SITE}/`,
      `a page broke off while it was read, or cannot be unpacked: ${SITE}/packed`,
      `a page has more than 5,000 links, and the rest was not looked at: ${SITE}/many`,
      'it has pages more than 10 levels deep',
    ]
    const said = async () => ((await cutShort()) as string).split('; ').sort()
    await review(await crawl(), new Date())
    assert.deepEqual(await said(), reasons)
    web.pages.set(`${SITE}/large`, large(page('/gone')))
    web.pages.set(`${SITE}/fine`, 'fine')
    await review(await crawl(), new Date())
    const unread = `a page has more than 2 MiB, and the rest was not read: ${SITE}/large`
    assert.deepEqual(await said(), [...reasons, unread].sort())
    assert.deepEqual(
      (await faults()).filter((fault) => fault.includes('/gone of')),
      [
        `broken_link ${SITE}/gone of ${SITE}/fine: to /gone`,
        `broken_link ${SITE}/gone of ${SITE}/large: to /gone`,
      ],
    )
    const { rows } = await db.pool.query('SELECT fixed_at FROM site_findings WHERE site_id = $1', [siteId])
    assert.ok(rows.every(({ fixed_at }) => fixed_at === null))
  })

  it('asks for addresses as they are written, once for all visits of a page', async (t) => {
    const written = [
      '/search?q=a%20b&utm_source=x',
      '/flag?flag&utm_source=x',
      '/show?sid=12',
      '/x;jsessionid=A1?b=2',
    ]
    const { crawl, review, asked, faults } = await small(t, {
      [`${SITE}/`]: page(...written, '/flag?flag', '/flag?flag&utm_source=y', '/x;jsessionid=B2?b=2'),
      ...Object.fromEntries(written.map((address) => [`${SITE}${address}`, 'fine'])),
    })
    await review(await crawl(), new Date())
    const paths = asked().map((one) => one.replace(`GET ${SITE}`, ''))
    assert.deepEqual(paths.slice(3).sort(), [...written].sort())
    assert.deepEqual(await faults(), [])
  })

  it('stays at the path of a site, and asks for what it leads to', async (t) => {
    const home = '/~ada/'
    const { web, db, siteId, crawl, review, asked, faults } = await small(t, {
      [`${SITE}${home}`]: `${page('/~ada/page', '/', '/~bob/gone')}<link rel=stylesheet href="/shared.css">`,
      [`${SITE}/~ada/page`]: page('/~ada/gone'),
      [`${SITE}/`]: page('/never'),
      [`${SITE}/shared.css`]: (_, response) =>
        response.writeHead(200, { 'Content-Type': 'text/css' }).end('p { background: url(no.png) }'),
      [`${SITE}/~ada/sitemap.xml`]: (_, response) =>
        response
          .writeHead(200, { 'Content-Type': 'application/xml' })
          .end(
            web.withPorts(
              `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${SITE}/~ada/only-here</loc></url><url><loc>${SITE}/~bob/</loc></url></urlset>`,
            ),
          ),
    })
    await db.pool.query('UPDATE sites SET url = $2 WHERE id = $1', [siteId, web.withPorts(`${SITE}${home}`)])
    await review(await crawl(), new Date())
    assert.deepEqual(await faults(), [
      `broken_link ${SITE}/no.png of ${SITE}/shared.css: url()`,
      `broken_link ${SITE}/~ada/gone of ${SITE}/~ada/page: to /~ada/gone`,
      `broken_link ${SITE}/~bob/gone of ${SITE}/~ada/: to /~bob/gone`,
      `sitemap_fault ${SITE}/~ada/only-here of ${SITE}/~ada/sitemap.xml: sitemap`,
    ])
    assert.ok(!asked().some((one) => one.endsWith('/never') || one.endsWith('/~bob/')))
  })

  it('lists a sitemap that could not be looked at, and keeps the faults that it led to', async (t) => {
    const map = `${SITE}/sitemap.xml`
    const { web, crawl, review, faults } = await small(t, {
      [`${SITE}/`]: 'fine',
      [`${SITE}/only`]: page('/gone'),
    })
    const text = (address: string) =>
      web.withPorts(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${address}</loc></url></urlset>`,
      )
    const sitemap =
      (address: string): Responder =>
      (_, response) =>
        response.writeHead(200, { 'Content-Type': 'application/xml' }).end(text(address))
    web.pages.set(map, sitemap(`${SITE}/only`))
    await review(await crawl(), new Date())
    const line = `broken_link ${SITE}/gone of ${SITE}/only: to /gone`
    assert.deepEqual(await faults(), [line])
    web.pages.set(map, status(503, { 'Retry-After': '0' }))
    const { sitemap: look } = await review(await crawl(), new Date())
    assert.equal(look.status, 'up', 'what could not be judged is not told')
    web.pages.set(map, status(500))
    await review(await crawl(), new Date())
    assert.deepEqual(await faults(), [line, `unjudged ${map} of ${map}: sitemap`])
    web.pages.set(map, sitemap('https://other.example/far'))
    await review(await crawl(), new Date())
    assert.deepEqual(await faults(), [`sitemap_fault ${map} of ${map}: sitemap`])
    assert.ok(!web.arrivals.some(({ host }) => host === OTHER), 'addresses of other hosts are not asked for')
  })

  it('goes by the policy of the home page where a style sheet uses something insecurely', async (t) => {
    const sheet: Responder = (_, response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/css' })
        .end(web.withPorts('@import "http://other.example/more.css";'))
    const home = '<link rel=stylesheet href="/s.css">'
    const { web, crawl, review, faults } = await small(t, { [`${SITE}/`]: home, [`${SITE}/s.css`]: sheet })
    web.pages.set('http://other.example/more.css', 'fine')
    await review(await crawl(), new Date())
    assert.deepEqual(await faults(), [`mixed_active http://other.example/more.css of ${SITE}/s.css: @import`])
    web.pages.set(
      `${SITE}/`,
      `<meta http-equiv=Content-Security-Policy content=upgrade-insecure-requests>${home}`,
    )
    await review(await crawl(), new Date())
    assert.deepEqual(await faults(), [])
  })

  it('says that it left the site itself alone, which then says nothing of what was not asked', async (t) => {
    const names = Array.from({ length: 12 }, (_, n) => `/${n}`)
    const { web, crawl, review, faults, cutShort } = await small(t, {
      [`${SITE}/`]: page(...names),
      ...Object.fromEntries(names.map((name) => [`${SITE}${name}`, page('/gone')])),
    })
    await review(await crawl(), new Date())
    const known = await faults()
    assert.equal(known.length, names.length)
    for (const name of names) web.pages.set(`${SITE}${name}`, status(429))
    await review(await crawl(), new Date())
    assert.equal(await cutShort(), 'its server answered 429 again and again, and was left alone')
    assert.deepEqual(
      (await faults()).filter((fault) => !fault.startsWith('unjudged')),
      known,
    )
  })

  it('ends at a host that wants longer waits than a crawl makes, and leaves such hosts out elsewhere', async (t) => {
    const slow =
      (seconds: number): Responder =>
      (_, response) =>
        response
          .writeHead(200, { 'Content-Type': 'text/plain' })
          .end(`User-agent: *\nCrawl-delay: ${seconds}`)
    const asked: string[] = []
    const { web, crawl, review, cutShort } = await small(t, {
      [`${SITE}/`]: (_, response) => {
        asked.push('home')
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('fine')
      },
      [`${SITE}/robots.txt`]: slow(11),
    })
    await review(await crawl(), new Date())
    assert.deepEqual(asked, [])
    assert.equal(
      await cutShort(),
      'the home page: robots.txt asks robots to wait longer than 10 s between two requests',
    )
    web.pages.set(`${SITE}/robots.txt`, slow(10))
    await review(await crawl(), new Date())
    assert.deepEqual([asked, await cutShort()], [['home'], null])
  })
})
