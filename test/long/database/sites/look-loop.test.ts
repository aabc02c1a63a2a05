// npm test leaves this out: it crawls side by side with looks that take turns over several teams (seconds of a core).
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resultWithout } from '../../../../src/core/monitors/check.ts'
import { turnsOfOnly } from '../../../../src/core/probing/turns.ts'
import { SiteArea } from '../../../../src/core/sites/area.ts'
import {
  CRAWL_TURN_MS,
  MAX_CRAWLS,
  MAX_CRAWLS_OF_TEAM,
} from '../../../../src/core/sites/crawl/crawl-turns.ts'
import type { HeldSlots } from '../../../../src/engine/probing/membership-loop.ts'
import { type SiteLooksDeps, startSiteLooks } from '../../../../src/engine/sites/look-loop.ts'
import { createSiteRecorder } from '../../../../src/engine/sites/site-recorder.ts'
import { openTestDatabase, type TestDatabase } from '../../../support/postgres/database.ts'
import { addProber } from '../../../support/records/probing.ts'
import { addSite } from '../../../support/records/sites.ts'
import { addTeam } from '../../../support/records/teams.ts'
import { until } from '../../../support/until.ts'

const UP = { ...resultWithout('down', ''), status: 'up', errorMessage: null, responseTimeMs: 1 } as const
/** Sites of other tests lie in other slots. */
const SLOTS = { due: 7, foreign: 8, crawled: 9, shared: 10, turns: 11, silent: 12 }
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
    const sites: { id: number }[] = []
    for (let index = 0; index < 4; index++)
      sites.push(await addSite(database.db, { slot: SLOTS.shared, areas_off: BUT_HOME }))
    const turns = { number: 1, before: [], regions: ['', 'us', 'remote'], effectiveAtMs: 0 }
    const own = sites.filter(({ id }) => id % 2 === 0)
    const areLooked = async () => (await Promise.all(own.map(({ id }) => isLookedAt(id)))).every(Boolean)
    await run({ slots: [SLOTS.shared], turns }, {}, areLooked)
    for (const { id } of sites) assert.equal(await isLookedAt(id), id % 2 === 0, String(id))
  })

  const FINE = { status: 'up', cause: null, memory: {}, warning: null } as const

  it('crawl several sites side by side, not all of one team, and write each review with its areas', async () => {
    const team_id = await addTeam(database.db)
    const sites: { id: number }[] = []
    for (let index = 0; index <= MAX_CRAWLS; index++)
      sites.push(await addSite(database.db, { slot: SLOTS.crawled, team_id, areas_off: [...BUT_CRAWL] }))
    const other = await addSite(database.db, { slot: SLOTS.crawled, areas_off: [...BUT_CRAWL, 'links'] })
    const underWay = new Set<number>()
    const goOn = Promise.withResolvers<void>()
    let most: number[] = []
    const startCrawl: SiteLooksDeps['startCrawl'] = async ({ siteId }) => {
      underWay.add(siteId)
      if (underWay.size > most.length) most = [...underWay]
      if (underWay.has(other.id)) goOn.resolve()
      await goOn.promise
      underWay.delete(siteId)
      return async () => ({ links: FINE, sitemap: FINE })
    }
    const areReviewed = () => isReviewed([...sites, other].map(({ id }) => id))
    await run({ slots: [SLOTS.crawled] }, { startCrawl }, areReviewed)
    assert.ok(most.includes(other.id), 'its team waits for none of the other one')
    assert.equal(most.filter((id) => id !== other.id).length, MAX_CRAWLS_OF_TEAM)
  })

  it('have a crawl that takes long make way for teams that have none, and go on with it afterwards', async () => {
    const sites: number[] = []
    for (let index = 0; index <= MAX_CRAWLS; index++)
      sites.push((await addSite(database.db, { slot: SLOTS.turns, areas_off: [...BUT_CRAWL] })).id)
    let nowMs = Date.now()
    const begun: number[] = []
    const startCrawl: SiteLooksDeps['startCrawl'] = async ({ siteId }, signal) => {
      begun.push(siteId)
      const isLast = begun.length === MAX_CRAWLS
      if (begun.length > MAX_CRAWLS) return async () => ({ links: FINE, sitemap: FINE })
      if (isLast) nowMs += CRAWL_TURN_MS
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return null
    }
    await run({ slots: [SLOTS.turns] }, { startCrawl, now: () => new Date(nowMs) }, async () => {
      const waiting = sites.filter((id) => !begun.slice(0, MAX_CRAWLS).includes(id))
      return begun.length > MAX_CRAWLS + 1 && (await isReviewed(waiting))
    })
    const first = begun.slice(0, MAX_CRAWLS)
    assert.equal(new Set(first).size, MAX_CRAWLS)
    assert.ok(!first.includes(begun[MAX_CRAWLS] as number), 'the one that waited is next')
    assert.ok(first.includes(begun[MAX_CRAWLS + 1] as number), 'then the one that made way')
  })

  it('of a team whose sites are all silent leave room for those of others', async () => {
    const team_id = await addTeam(database.db)
    for (let index = 0; index < 70; index++)
      await addSite(database.db, { slot: SLOTS.silent, team_id, areas_off: BUT_HOME })
    const other = await addSite(database.db, { slot: SLOTS.silent, areas_off: BUT_HOME })
    await database.db.pool.query(
      `UPDATE site_areas a SET next_look_at = now() - interval '1 hour' FROM sites s WHERE s.id = a.site_id AND s.team_id = $1`,
      [team_id],
    )
    const look: SiteLooksDeps['look'] = async ({ siteId }, signal) => {
      if (siteId !== other.id) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { area: 'home_page', looks: [UP] }
    }
    await run({ slots: [SLOTS.silent] }, { look }, () => isLookedAt(other.id))
  })

  const isReviewed = async (ids: number[]) => {
    const text = `SELECT count(*) FROM site_areas WHERE site_id = ANY($1) AND area = 'sitemap' AND status = 'up'`
    return (await database.db.pool.query(text, [ids])).rows[0].count === ids.length
  }
})
