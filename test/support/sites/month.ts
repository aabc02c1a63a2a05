import type { TestContext } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { turnsOfOnly } from '../../../src/core/probing/turns.ts'
import type { LookedArea } from '../../../src/core/sites/area.ts'
import type { DnsLook } from '../../../src/core/sites/dns/records.ts'
import type { LinkOutcome } from '../../../src/core/sites/link-outcome.ts'
import { reviewCrawl } from '../../../src/engine/sites/crawl/review.ts'
import { type SiteLooksDeps, startSiteLooks } from '../../../src/engine/sites/look-loop.ts'
import { createLook } from '../../../src/engine/sites/looks.ts'
import type { SiteRecorder } from '../../../src/engine/sites/site-finding.ts'
import { createSiteRecorder } from '../../../src/engine/sites/site-recorder.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { openCrawl, writeVisit } from '../../../src/store/sites/crawls.ts'
import { openTurnedDatabase } from '../postgres/turned-database.ts'
import { addContacts } from '../records/alerting.ts'
import { addProber } from '../records/probing.ts'
import { addSite } from '../records/sites.ts'
import { addTeam } from '../records/teams.ts'
import { answered, CALM, flaky, LOOK_EVERY_MS, seeded } from './dns-history.ts'

const START = Date.parse('2027-01-01T00:00:00Z')
/** One in a hundred. */
const FLAKY = 0.01
const PAGES = 100
const URL_OF_SITE = 'https://shop.example/'
/** The loop waits this long; the recorder waits less for others. */
const ROUND_MS = 1_000
/** Between two turns of the clock: a round takes about as long. */
const BREATH_MS = 2
/** Kept from before the test turns the clock. */
const startTimer = setTimeout

const DOWN = resultWithout('down', 'HTTP 503')
const UP: CheckResult = { ...DOWN, status: 'up', errorMessage: null, responseTimeMs: 20, httpStatusCode: 200 }
const FINE: LinkOutcome = {
  verdict: 'fine',
  kind: 'ok',
  status_code: 200,
  detail: 'answered 200',
  final_address: null,
}
const BROKEN: LinkOutcome = {
  ...FINE,
  verdict: 'broken',
  kind: 'http_error',
  status_code: 500,
  detail: 'answered 500',
}
const CHAIN = [
  {
    subject: 'shop.example',
    issuer: 'An Authority',
    names: ['shop.example'],
    valid_from: '2026-12-01T00:00:00.000Z',
    expires_at: '2027-12-01T00:00:00.000Z',
    fingerprint: 'a'.repeat(64),
  },
]

/** A site that is watched by the loop, the judges and the recorder of the product over a clock that is turned. */
export async function watchSite(t: TestContext, seed: number) {
  const database = await openTurnedDatabase(new Date(START))
  const { db } = database
  const random = seeded(seed)
  const isFlaky = () => random() < FLAKY
  const troubles: unknown[] = []
  let nowMs = START
  let looks = 0
  let mx = ['10 mail.shop.com']

  const teamId = await addTeam(db)
  await addContacts(db, [{ team_id: teamId }])
  const membership = await addProber(db, { expires_at: new Date('2100-01-01T00:00:00Z') })
  const { id } = await addSite(db, { team_id: teamId, url: URL_OF_SITE, home_interval_seconds: 300, slot: 7 })
  await db.pool.query('UPDATE site_areas SET next_look_at = $1', [new Date(START)])

  function lookAtDns(): DnsLook {
    const look = CALM['rotates its addresses']?.(random) ?? answered()
    const withMail: DnsLook = look.kind === 'answered' ? { ...look, sets: { ...look.sets, mx } } : look
    return flaky(random, withMail)
  }
  const look = createLook({
    probe: async ({ type }) => {
      if (isFlaky()) return DOWN
      return type === 'ssl' ? { ...UP, chain: CHAIN } : UP
    },
    lookAtDns: async () => lookAtDns(),
    lookAtDomain: async () => ({
      domain: 'shop.example',
      registration: isFlaky()
        ? { kind: 'unknown', reason: 'silence' }
        : { kind: 'dated', expiresAt: new Date('2028-01-01T00:00:00Z'), statuses: [] },
    }),
    services: async () => ({ publication: '2026-01-01T00:00:00Z', services: [] }),
  })
  const startCrawl: SiteLooksDeps['startCrawl'] = async ({ siteId }) => {
    const crawlId = await crawlOnce(db, siteId, () => isFlaky() && isFlaky())
    return (client) => reviewCrawl(client, { id: siteId }, crawlId, new Date(nowMs))
  }
  const recorder = createSiteRecorder(db, (error) => troubles.push(error))
  const counting: SiteRecorder = {
    get waiting() {
      return recorder.waiting
    },
    recordLook: (finding) => recorder.recordLook(finding).finally(() => looks++),
    close: recorder.close,
  }
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const loop = startSiteLooks({
    db,
    recorder: counting,
    region: '',
    holding: () => ({ membership, slots: [7], turns: turnsOfOnly('') }),
    look: (due, signal) => look(due as typeof due & { area: LookedArea }, signal),
    startCrawl,
    now: () => new Date(nowMs),
    onTrouble: (error) => troubles.push(error),
  })

  /** Turns both clocks, and lets the loop go on until nothing is due any more. */
  async function pass(ms: number): Promise<void> {
    nowMs += ms
    await database.turnTo(new Date(nowMs))
    const wanted = looks + (await countDue(db))
    while (looks < wanted) {
      if (troubles.length > 0) throw troubles[0]
      t.mock.timers.tick(ROUND_MS)
      // Leaves the processor to the database. To ask it something meanwhile was more work than the looks are.
      await new Promise((resolve) => startTimer(resolve, BREATH_MS))
    }
  }

  return {
    pass,
    get looks() {
      return looks
    },
    get nowMs() {
      return nowMs
    },
    changeMail: (records: string[]) => {
      mx = records
    },
    /** For so long, a step of the DNS at a time. */
    async passDays(days: number) {
      const steps = (days * 86_400_000) / LOOK_EVERY_MS
      for (let step = 0; step < steps; step++) await pass(LOOK_EVERY_MS)
    },
    async told(): Promise<string[]> {
      const { rows } = await db.pool.query('SELECT event, alert FROM deliveries ORDER BY id')
      return rows.map(({ event, alert }) => `${event} ${alert.area}: ${alert.cause}`)
    },
    async statuses(): Promise<Record<string, string>> {
      const { rows } = await db.pool.query('SELECT area, status FROM site_areas WHERE site_id = $1', [id])
      return Object.fromEntries(rows.map(({ area, status }) => [area, status]))
    },
    async close() {
      const closing = loop.close()
      t.mock.timers.reset()
      await closing
      await recorder.close()
      await database.close()
      if (troubles.length > 0) throw troubles[0]
    },
  }
}

/** A crawl that is done: the home page leads to all others, and each of them may have failed twice. */
async function crawlOnce(db: Database, siteId: number, fails: () => boolean): Promise<number> {
  const crawl = await openCrawl(db, siteId, false)
  if (!crawl) throw new Error('the site is not watched')
  const pages = Array.from({ length: PAGES }, (_, index) => new URL(`page/${index}`, URL_OF_SITE))
  await db.pool.query(
    `INSERT INTO site_crawl_addresses (crawl_id, address_hash, address, host, is_page, depth)
     VALUES ($1, sha256(convert_to($2, 'UTF8')), $2, 'shop.example', true, 0)`,
    [crawl.id, URL_OF_SITE],
  )
  await writeVisit(db, crawl.id, {
    address: URL_OF_SITE,
    outcome: FINE,
    found: pages.map((address) => ({ address, isPage: true, depth: 1 })),
    links: pages.map(({ href }) => ({ target: href, label: 'a page' })),
    faults: [],
  })
  for (const { href } of pages)
    await writeVisit(db, crawl.id, {
      address: href,
      outcome: fails() ? BROKEN : FINE,
      found: [],
      links: [],
      faults: [],
    })
  return crawl.id
}

async function countDue({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM site_areas
     WHERE next_look_at <= now() AND area NOT IN ('mixed_content', 'sitemap')`,
  )
  return rows[0]?.count ?? 0
}
