import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { english } from '../../../src/core/language/said.ts'
import { homeUnread, limitReason } from '../../../src/core/sites/cut-reason.ts'
import { cutCrawlShort, openCrawl } from '../../../src/store/sites/crawls.ts'
import { findSite } from '../../../src/store/sites/sites.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { changeRows } from '../../support/records/rows.ts'
import { addSite } from '../../support/records/sites.ts'

describe('the reasons of a crawl that is not whole', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())

  async function crawled() {
    const { db } = database
    const { id, team_id } = await addSite(db)
    const crawlId = (await openCrawl(db, id, false))?.id ?? 0
    const read = async () => (await findSite(db.query, team_id, id))?.crawl?.cutShort ?? []
    return { db, crawlId, read }
  }

  it('are kept once each, as data and as the text that the release before reads', async () => {
    const { db, crawlId, read } = await crawled()
    const reasons = [limitReason('large', 100, 'https://site.example/a'), limitReason('pages', 100)]
    for (const reason of [...reasons, limitReason('large', 100, 'https://site.example/b'), reasons[1]])
      if (reason) await cutCrawlShort(db, crawlId, reason)
    assert.deepEqual(await read(), reasons)
    const { rows } = await db.pool.query('SELECT cut_short FROM site_crawls WHERE id = $1', [crawlId])
    assert.equal(rows[0]?.cut_short, reasons.map(english).join('; '))
  })

  it('are read from a row of the release before, and go on as text where it wrote', async () => {
    const { db, crawlId, read } = await crawled()
    await changeRows(db, 'site_crawls', { id: crawlId }, { cut_short: 'the home page: answered 500' })
    assert.deepEqual(await read(), [homeUnread('answered 500')])
    await cutCrawlShort(db, crawlId, limitReason('time', 100))
    assert.deepEqual((await read()).map(english), [
      'the home page: answered 500; it took longer than 20 hours',
    ])
  })
})
