import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { readConfig } from '../../src/config.ts'
import type { CrawlEnd } from '../../src/engine/sites/crawl/crawl.ts'
import { createCrawlThreads } from '../../src/roles/crawl-threads.ts'
import { openTestDatabase, type TestDatabase } from '../support/postgres/database.ts'
import { startHttp } from '../support/servers/targets.ts'
import { addCrawledSite, reviewOf } from '../support/sites/crawled-site.ts'

/** Sites that do not answer. */
const SILENT = 6

describe('crawls in threads', () => {
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

  it('end, and say how', async (t) => {
    const site = await startHttp(t, (request, response) => {
      response.writeHead(request.url === '/' ? 200 : 404, { 'Content-Type': 'text/html' })
      response.end('<a href="/gone">gone</a>')
    })
    const siteId = await addCrawledSite(database.db, `http://127.0.0.1:${site.port}/`)
    const end = await threads()({ siteId, teamId: 1 }, never, () => {})
    await reviewOf(database.db, siteId, end, new Date())
    const { rows } = await database.db.pool.query('SELECT detail FROM site_findings WHERE site_id = $1', [
      siteId,
    ])
    assert.deepEqual(rows, [{ detail: 'answered 404' }])
    await site.allClosed()
  })

  it('stop when they are told to, and go on later', async (t) => {
    const stop = new AbortController()
    const site = await startHttp(t, (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end()
      else stop.abort()
    })
    const siteId = await addCrawledSite(database.db, `http://127.0.0.1:${site.port}/`)
    const end = await threads()({ siteId, teamId: 1 }, stop.signal, () => {})
    assert.equal(end.kind, 'stopped')
    const { rows } = await database.db.pool.query(
      'SELECT ended_at, held_by FROM site_crawls WHERE site_id = $1',
      [siteId],
    )
    assert.deepEqual(rows, [{ ended_at: null, held_by: null }])
  })

  it('are elsewhere for a site that is not watched', async () => {
    assert.deepEqual(await threads()({ siteId: 2_000_000_000, teamId: 1 }, never, () => {}), {
      kind: 'elsewhere',
    })
  })

  it('of a team share one, which ends with the last of them; other teams have others', async (t) => {
    const opened: Worker[] = []
    const onWorker = (worker: Worker) => opened.push(worker)
    process.on('worker', onWorker)
    t.after(() => process.off('worker', onWorker))
    const waiting = new Set<string>()
    const [allWait, stop] = [Promise.withResolvers<void>(), new AbortController()]
    const silent = await startHttp(
      t,
      ({ headers }) => {
        waiting.add(String(headers.host))
        if (waiting.size === SILENT) allWait.resolve()
      },
      '0.0.0.0',
    )
    const quick = await startHttp(t, (_, response) => response.writeHead(404).end())
    const add = (host: string, port: number) => addCrawledSite(database.db, `http://${host}:${port}/`)
    const crawl = threads()
    const held: Promise<unknown>[] = []
    for (let index = 1; index <= SILENT; index++) {
      const siteId = await add(`127.0.0.${index}`, silent.port)
      held.push(crawl({ siteId, teamId: 1 }, stop.signal, () => {}))
    }
    await allWait.promise
    assert.equal(opened.length, 1)
    for (const [teamId, threadsThen] of [
      [1, 1],
      [2, 2],
    ] as const) {
      const siteId = await add('127.0.0.1', quick.port)
      assert.equal((await crawl({ siteId, teamId }, never, () => {})).kind, 'done')
      assert.equal(opened.length, threadsThen)
    }
    stop.abort()
    for (const end of await Promise.all(held)) assert.equal((end as CrawlEnd).kind, 'stopped')
    assert.deepEqual(
      opened.map(({ threadId }) => threadId),
      [-1, -1],
      'have ended',
    )
  })

  it('are four at most: further teams share those with the fewest', async (t) => {
    const opened: Worker[] = []
    const onWorker = (worker: Worker) => opened.push(worker)
    process.on('worker', onWorker)
    t.after(() => process.off('worker', onWorker))
    const stop = new AbortController()
    const crawl = threads()
    const ends = [1, 2, 3, 4, 5, 6].map((teamId) =>
      crawl({ siteId: 2_000_000_000, teamId }, stop.signal, () => {}),
    )
    await Promise.all(ends)
    assert.equal(opened.length, 4)
  })
})
