import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { createCrawlThreads } from '../../src/roles/crawl-threads.ts'
import { openTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { startHttp } from '../support/servers/targets.ts'
import { addCrawledSite, reviewOf } from '../support/sites/crawled-site.ts'

describe('a crawl in a thread of its own', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())

  const never = new AbortController().signal
  const threads = () => {
    const { db } = database
    const config = readConfig({ LOG_LEVEL: 'error' })
    return createCrawlThreads(config, {
      access: { connection: db.connection, secretKey: '' },
      onMoved: () => {},
    })
  }

  it('ends with the crawl, and says how it ended', async (t) => {
    const site = await startHttp(t, (request, response) => {
      response.writeHead(request.url === '/' ? 200 : 404, { 'Content-Type': 'text/html' })
      response.end('<a href="/gone">gone</a>')
    })
    const siteId = await addCrawledSite(database.db, `http://127.0.0.1:${site.port}/`)
    const end = await threads()(siteId, never, () => {})
    await reviewOf(database.db, siteId, end, new Date())
    const { rows } = await database.db.pool.query('SELECT detail FROM site_findings WHERE site_id = $1', [
      siteId,
    ])
    assert.deepEqual(rows, [{ detail: 'answered 404' }])
    await site.allClosed()
  })

  it('stops when it is told to, and goes on later', async (t) => {
    const stop = new AbortController()
    const site = await startHttp(t, (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end()
      else stop.abort()
    })
    const siteId = await addCrawledSite(database.db, `http://127.0.0.1:${site.port}/`)
    const end = await threads()(siteId, stop.signal, () => {})
    assert.equal(end.kind, 'stopped')
    const { rows } = await database.db.pool.query(
      'SELECT ended_at, held_by FROM site_crawls WHERE site_id = $1',
      [siteId],
    )
    assert.deepEqual(rows, [{ ended_at: null, held_by: null }])
  })

  it('is elsewhere for a site that is not watched', async () => {
    assert.deepEqual(await threads()(2_000_000_000, never, () => {}), { kind: 'elsewhere' })
  })
})
