import type { Turnstile } from '../../../core/sharing/share.ts'
import { crawlAddress, isOfHost, isOfSite, siteScope } from '../../../core/sites/crawl/address.ts'
import type { OpenAsking } from '../../../core/sites/crawl/asking.ts'
import type { CrawledSite } from '../../../core/sites/crawl/found.ts'
import { type CrawlLimit, MAX_CRAWL_HOURS } from '../../../core/sites/crawl/limits.ts'
import { type CutReason, homeElsewhere, homeUnread, limitReason } from '../../../core/sites/cut-reason.ts'
import type { Database } from '../../../postgres/database.ts'
import {
  addAddress,
  type CrawlRow,
  cutCrawlShort,
  holdCrawl,
  leaveCrawl,
  openCrawl,
  readFaultyHashes,
  readKnownAddresses,
  writeVisit,
} from '../../../store/sites/crawls.ts'
import { forgetIdleHosts } from '../../../store/sites/host-seats.ts'
import type { Crawling } from './crawling.ts'
import { createHostRules } from './host-rules.ts'
import { createTurns, type HostPace, paceOf } from './host-turns.ts'
import { createKnownAddresses } from './known-addresses.ts'
import { readSitemaps } from './read-sitemaps.ts'
import { visit } from './visit.ts'
import { workOff } from './work-off.ts'

/** Another process goes on with the crawl of one that has not been heard of for so long. */
const HOLD_MS = 60_000
const RENEW_MS = 15_000
/** Some hosts want to be asked so seldom that a crawl would not be over when the next one is due. */
const MAX_CRAWL_MS = MAX_CRAWL_HOURS * 3_600_000

/** The places of a thread that its crawls share. */
export type CrawlPlaces = { requests: Turnstile; sitemaps: Turnstile }

export type CrawlDeps = {
  db: Database
  openAsking: OpenAsking
  places: CrawlPlaces
  /** Tells this holder from others. */
  newId: () => string
  /** Numbers have changed. */
  onProgress?: (crawlId: number) => void
  /** How hosts are asked: tests are faster. */
  pace?: (crawlDelaySeconds: number) => HostPace
}

/** `done`: to be reviewed (./review.ts), which ends it. `elsewhere`: another process has it, or the site is not watched. */
export type CrawlEnd = { kind: 'done' | 'stopped'; crawlId: number } | { kind: 'elsewhere' }

/** Crawls a site, or goes on with its crawl that is under way. It may be killed at any moment. */
export async function crawlSite(
  deps: CrawlDeps,
  siteId: number,
  stop: AbortSignal,
  byHand = false,
): Promise<CrawlEnd> {
  const { db } = deps
  const crawl = await openCrawl(db, siteId, byHand)
  const holder = deps.newId()
  if (!crawl || !(await holdCrawl(db, crawl.id, holder, HOLD_MS))) return { kind: 'elsewhere' }
  const lost = new AbortController()
  const renewing = setInterval(() => {
    holdCrawl(db, crawl.id, holder, HOLD_MS).then(
      (isHeld) => isHeld || lost.abort(),
      () => lost.abort(),
    )
  }, RENEW_MS)
  const late = new AbortController()
  const ending = setTimeout(() => late.abort(), Math.max(MAX_CRAWL_MS - crawl.ageMs, 0))
  const signal = AbortSignal.any([stop, lost.signal, late.signal])
  try {
    await run(deps, crawl, signal)
    return { kind: 'done', crawlId: crawl.id }
  } catch (error) {
    if (!signal.aborted) throw error
    if (late.signal.aborted && !stop.aborted && !lost.signal.aborted) {
      await cutCrawlShort(db, crawl.id, limitReason('time', crawl.maxPages))
      return { kind: 'done', crawlId: crawl.id }
    }
    return { kind: 'stopped', crawlId: crawl.id }
  } finally {
    clearInterval(renewing)
    clearTimeout(ending)
    await leaveCrawl(db, crawl.id, holder)
    await forgetIdleHosts(db)
  }
}

async function run(deps: CrawlDeps, crawl: CrawlRow, signal: AbortSignal): Promise<void> {
  const home = crawlAddress(crawl.url, crawl.url)
  const crawling = await begin(deps, crawl, home ?? new URL(crawl.url), signal)
  const isReadable = home !== null && (await lookAtHome(crawling, home))
  if (!isReadable) return
  const robots = await crawling.rules.of(home)
  await readSitemaps(crawling, robots?.sitemaps ?? [])
  await workOff(deps.db, crawl.id, crawling, () => deps.onProgress?.(crawl.id))
}

async function begin(
  { db, openAsking, places, pace = paceOf }: CrawlDeps,
  crawl: CrawlRow,
  home: URL,
  signal: AbortSignal,
): Promise<Crawling> {
  const before = await readKnownAddresses(db, crawl.id)
  const known = createKnownAddresses(crawl.maxPages, before, await readFaultyHashes(db, crawl.siteId))
  const cutShort = (reason: CutReason) => cutCrawlShort(db, crawl.id, reason)
  const leftOut = new Set<CrawlLimit>()
  const site: CrawledSite = {
    url: home,
    checksForeignLinks: crawl.checksForeignLinks,
    ignoredPatterns: crawl.ignoredPatterns,
  }
  const ask = openAsking(home)
  const { teamId } = crawl
  const paceOfHost = (host: string) => rules.paceOf(host)
  const inTurns = createTurns(db, { places: places.requests, teamId }, paceOfHost)
  const rules = createHostRules(ask, inTurns, pace, signal)
  return {
    site,
    ask,
    inTurns,
    inSitemapTurns: createTurns(db, { places: places.sitemaps, teamId }, paceOfHost),
    rules,
    known,
    signal,
    upgrades: { isSiteWide: false },
    isOfSite: (address) => isOfSite(address, site.url),
    add: (added) => addAddress(db, crawl.id, added),
    write: (seen) => writeVisit(db, crawl.id, seen),
    cutShort,
    async leaveOut(limit, page) {
      if (leftOut.has(limit)) return
      await cutShort(limitReason(limit, crawl.maxPages, page))
      leftOut.add(limit)
    },
  }
}

/** Whether the crawl can go on: without its home page it says nothing of a site, which is looked at for that anyway. */
async function lookAtHome(crawling: Crawling, home: URL): Promise<boolean> {
  crawling.known.take({ address: home, isPage: true, depth: 0, isVouchedFor: true })
  await crawling.add({ address: home, isPage: true })
  const visited = await visit(crawling, { address: home.href, host: home.host, isPage: true, depth: 0 })
  const { outcome } = visited
  crawling.site.url = siteScope(home, outcome.final_address)
  const isElsewhere = outcome.final_address !== null && !isOfHost(new URL(outcome.final_address), home)
  if (isElsewhere && outcome.final_address !== null)
    await crawling.cutShort(homeElsewhere(outcome.final_address))
  else if (outcome.verdict === 'broken' || outcome.verdict === 'unjudged')
    await crawling.cutShort(homeUnread(outcome.said ?? outcome.detail))
  else return true
  return false
}
