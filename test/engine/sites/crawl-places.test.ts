import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { CrawlDeps } from '../../../src/engine/sites/crawl/crawl.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { addTeam } from '../../support/records/teams.ts'
import { addCrawledSite, crawlOf, crawlPlaces } from '../../support/sites/crawled-site.ts'
import { startWeb, type Web } from '../../support/sites/web.ts'

const SLOW_HOSTS = Array.from({ length: 6 }, (_, index) => `slow-${index}.example`)
const QUIET = 'quiet.example'
const HOUR_MS = 3_600_000

/** A host with a crawl delay rests for an hour after each answer, others not at all. */
const pace: CrawlDeps['pace'] = (delay) => ({ restMs: delay > 0 ? HOUR_MS : 0, seats: delay > 0 ? 1 : 2 })

describe('the places of crawls', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())

  async function quietSite(web: Web): Promise<number> {
    for (const path of ['', 'a', 'b'])
      web.pages.set(`https://${QUIET}/${path}`, '<a href="/a"></a><a href="/b"></a>')
    web.pages.set(`https://${QUIET}/sitemap.xml`, SITEMAP)
    return addCrawledSite(database.db, web.withPorts(`https://${QUIET}/`))
  }

  it('are not held by a team whose sites all want to be asked seldom', async (t) => {
    const web = await startWeb(t, [...SLOW_HOSTS, QUIET])
    const [allRest, stop, places] = [Promise.withResolvers<void>(), new AbortController(), crawlPlaces(2)]
    const asked = new Set<string>()
    const teamId = await addTeam(database.db)
    const held = []
    for (const host of SLOW_HOSTS) {
      web.pages.set(`https://${host}/robots.txt`, (_, response) =>
        response.writeHead(200, { 'Content-Type': 'text/plain' }).end('User-agent: *\nCrawl-delay: 10'),
      )
      web.pages.set(`https://${host}/`, (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<a href="/next">next</a>')
        asked.add(host)
        if (asked.size === SLOW_HOSTS.length) allRest.resolve()
      })
      const siteId = await addCrawledSite(database.db, web.withPorts(`https://${host}/`), { team_id: teamId })
      held.push(crawlOf(database.db, web, siteId, stop.signal, pace, places))
    }
    await allRest.promise
    const quiet = await crawlOf(database.db, web, await quietSite(web), never, pace, places)
    assert.equal(quiet.kind, 'done')
    stop.abort()
    for (const { kind } of await Promise.all(held))
      assert.equal(kind, 'stopped', 'all the others were under way')
  })

  it('are left to others by a team whose sites do not answer, sitemaps among them', async (t) => {
    const web = await startWeb(t, [...SLOW_HOSTS, QUIET])
    const [stop, places] = [new AbortController(), crawlPlaces()]
    const teamId = await addTeam(database.db)
    const silent = Promise.withResolvers<void>()
    let [open, most] = [0, 0]
    const held = []
    for (const host of SLOW_HOSTS) {
      web.pages.set(`https://${host}/`, '')
      web.pages.set(`https://${host}/sitemap.xml`, (_, response) => {
        most = Math.max(most, ++open)
        response.once('close', () => open--)
        silent.resolve()
      })
      const siteId = await addCrawledSite(database.db, web.withPorts(`https://${host}/`), { team_id: teamId })
      held.push(crawlOf(database.db, web, siteId, stop.signal, pace, places))
    }
    await silent.promise
    const quiet = await crawlOf(database.db, web, await quietSite(web), never, pace, places)
    assert.equal(quiet.kind, 'done')
    assert.equal(most, 1, 'one of the two places is never for a team that has one')
    // On a slow machine one may have given its sitemap up by now, and be done.
    stop.abort()
    await Promise.all(held)
  })
})

const never = new AbortController().signal
const SITEMAP = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>`
