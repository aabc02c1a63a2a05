import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resultWithout } from '../../../../src/core/monitors/check.ts'
import { turnsOfOnly } from '../../../../src/core/probing/turns.ts'
import { SiteArea } from '../../../../src/core/sites/area.ts'
import type { HeldSlots } from '../../../../src/engine/probing/membership-loop.ts'
import { type SiteLooksDeps, startSiteLooks } from '../../../../src/engine/sites/look-loop.ts'
import { createSiteRecorder } from '../../../../src/engine/sites/site-recorder.ts'
import { openTestDatabase, type TestDatabase } from '../../../support/postgres/database.ts'
import { addProber } from '../../../support/records/probing.ts'
import { addSite } from '../../../support/records/sites.ts'
import { until } from '../../../support/until.ts'

const UP = { ...resultWithout('down', ''), status: 'up', errorMessage: null, responseTimeMs: 1 } as const
/** Sites of other tests lie in other slots. */
const SLOTS = { due: 7, foreign: 8, crawled: 9, shared: 10 }
const BUT_HOME = SiteArea.options.filter((area) => area !== 'home_page')
const BUT_CRAWL = ['home_page', 'certificate', 'dns', 'domain'] as const

describe('the looks at sites', () => {
  let database: TestDatabase
  let membership: number
  const troubles: unknown[] = []

  before(async () => {
    database = await openTestDatabase()
    const expires_at = new Date(Date.now() + 3_600_000)
    membership = await addProber(database.db, { expires_at })
    await addProber(database.db, { region: 'us', expires_at })
  })
  after(async () => {
    await database.close()
    assert.deepEqual(troubles, [])
  })

  async function run(
    { slots, turns = turnsOfOnly('') }: Partial<HeldSlots> & { slots: number[] },
    deps: Partial<SiteLooksDeps>,
    done: () => boolean | Promise<boolean>,
  ) {
    const recorder = createSiteRecorder(database.db, (error) => troubles.push(error))
    const looks = startSiteLooks({
      db: database.db,
      recorder,
      region: '',
      holding: () => ({ membership, slots, turns }),
      look: async () => ({ area: 'home_page', looks: [UP] }),
      startCrawl: null,
      now: () => new Date(),
      onTrouble: (error) => troubles.push(error),
      ...deps,
    })
    await until('the looks', done)
    await looks.close()
    await recorder.close()
  }
  const isLookedAt = async (siteId: number, area = 'home_page') => {
    const text = 'SELECT looked_at, next_look_at FROM site_areas WHERE site_id = $1 AND area = $2'
    const { rows } = await database.db.pool.query(text, [siteId, area])
    return rows[0].looked_at !== null && rows[0].next_look_at > new Date()
  }

  it('are made of what is due in the slots held, once each, and recorded', async () => {
    const mine = await addSite(database.db, { slot: SLOTS.due, areas_off: BUT_HOME })
    const foreign = await addSite(database.db, { slot: SLOTS.foreign, areas_off: BUT_HOME })
    const asked: number[] = []
    const look: SiteLooksDeps['look'] = async ({ siteId }) => {
      asked.push(siteId)
      return { area: 'home_page', looks: [UP] }
    }
    await run({ slots: [SLOTS.due] }, { look }, () => isLookedAt(mine.id))
    assert.deepEqual(asked, [mine.id])
    assert.equal(await isLookedAt(foreign.id), false)
  })

  it('are shared out between regions that take turns', async () => {
    const sites = []
    for (let index = 0; index < 4; index++)
      sites.push(await addSite(database.db, { slot: SLOTS.shared, areas_off: BUT_HOME }))
    const turns = { number: 1, before: [], regions: ['', 'us', 'remote'], effectiveAtMs: 0 }
    const own = sites.filter(({ id }) => id % 2 === 0)
    const areLooked = async () => (await Promise.all(own.map(({ id }) => isLookedAt(id)))).every(Boolean)
    await run({ slots: [SLOTS.shared], turns }, {}, areLooked)
    for (const { id } of sites) assert.equal(await isLookedAt(id), id % 2 === 0, String(id))
  })

  it('crawl one site at a time, and write its review with its areas', async () => {
    const sites = [
      await addSite(database.db, { slot: SLOTS.crawled, areas_off: [...BUT_CRAWL] }),
      await addSite(database.db, { slot: SLOTS.crawled, areas_off: [...BUT_CRAWL, 'links'] }),
    ]
    let underWay = 0
    let most = 0
    const startCrawl: SiteLooksDeps['startCrawl'] = async () => {
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setImmediate(resolve))
      underWay--
      const fine = { status: 'up', cause: null, memory: {}, warning: null } as const
      return async () => ({ links: fine, sitemap: fine })
    }
    const areReviewed = () => isReviewed(sites.map(({ id }) => id))
    await run({ slots: [SLOTS.crawled] }, { startCrawl }, areReviewed)
    assert.equal(most, 1)
  })

  const isReviewed = async (ids: number[]) => {
    const text = `SELECT count(*) FROM site_areas WHERE site_id = ANY($1) AND area = 'sitemap' AND status = 'up'`
    return (await database.db.pool.query(text, [ids])).rows[0].count === ids.length
  }
})
