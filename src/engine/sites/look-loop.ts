import { regionsFor } from '../../core/probing/turns.ts'
import { type LookedArea, SiteArea } from '../../core/sites/area.ts'
import type { Connection, Database } from '../../postgres/database.ts'
import { type DueArea, readDueAreas, readSiteRegions } from '../../store/sites/due-areas.ts'
import { waitUnlessAborted } from '../delays.ts'
import type { LoopReports } from '../loops.ts'
import type { HeldSlots } from '../probing/membership-loop.ts'
import { NotRecorded } from '../recording/batches.ts'
import type { LookAtArea } from './looks.ts'
import type { CrawlReview, FoundLook, SiteRecorder } from './site-finding.ts'

const ROUND_MS = 1_000
/** Looks of one process at once, without crawls. */
const MAX_UNDER_WAY = 32
/** For one look with its questions; crawls have bounds of their own. */
const LOOK_LIMIT_MS = 60_000
/** A look that did not count, or failed by a fault of ours, is not tried again at once. */
const REST_MS = 30_000
const REGIONS_HOLD_MS = 10_000

/** Crawls a site, or goes on with the crawl that was interrupted. Null: it was given up, and goes on later. */
export type StartCrawl = (
  site: Pick<DueArea, 'siteId' | 'teamId'>,
  signal: AbortSignal,
) => Promise<((client: Connection) => Promise<CrawlReview>) | null>

export type SiteLooks = {
  /** Areas may be due. */
  wake(): void
  close(): Promise<void>
}

export type SiteLooksDeps = {
  db: Database
  recorder: Pick<SiteRecorder, 'recordLook'>
  region: string
  holding: () => HeldSlots | null
  look: LookAtArea
  /** Null in a service that does not crawl. */
  startCrawl: StartCrawl | null
  now: () => Date
} & LoopReports

/** Looks at the areas of sites that are due, those of the slots that this process holds; crawls one site at a time. */
export function startSiteLooks(deps: SiteLooksDeps): SiteLooks {
  const { db, recorder, now, onTrouble } = deps
  const stop = new AbortController()
  let nap = new AbortController()
  const underWay = new Map<string, Promise<void>>()
  /** Areas that rest, until when. */
  const resting = new Map<string, number>()
  let isCrawling = false
  let regions: string[] = []
  let regionsReadMs = Number.NEGATIVE_INFINITY

  async function lookUntilStopped() {
    while (!stop.signal.aborted) {
      nap = new AbortController()
      await startDue().catch(onTrouble)
      deps.onRound?.()
      await waitUnlessAborted(AbortSignal.any([stop.signal, nap.signal]), ROUND_MS)
    }
  }

  async function startDue() {
    const holding = deps.holding()
    const room = MAX_UNDER_WAY - underWay.size
    if (!holding || room <= 0) return
    const share = await shareOf(holding)
    if (!share) return
    const nowMs = now().getTime()
    for (const [key, untilMs] of resting) if (untilMs <= nowMs) resting.delete(key)
    const not = [...underWay.keys(), ...resting.keys()].map(areaOfKey)
    const crawls = deps.startCrawl !== null && !isCrawling
    const due = await readDueAreas(db, { slots: holding.slots, share, not, crawls, limit: room })
    for (const area of due) start(area, holding)
  }

  /** Which of the sites fall to this region; null for none. */
  async function shareOf({ turns }: HeldSlots): Promise<{ of: number; part: number } | null> {
    const nowMs = now().getTime()
    if (Math.abs(nowMs - regionsReadMs) >= REGIONS_HOLD_MS) {
      regions = await readSiteRegions(db)
      regionsReadMs = nowMs
    }
    const able = regionsFor(turns, {}, nowMs).filter((region) => regions.includes(region))
    const part = able.indexOf(deps.region)
    return part < 0 ? null : { of: able.length, part }
  }

  function start(due: DueArea, { membership }: HeldSlots) {
    const key = keyOf(due)
    const isCrawl = due.area === 'links'
    if (underWay.has(key) || stop.signal.aborted || (isCrawl && isCrawling)) return
    if (isCrawl) isCrawling = true
    const done = lookOnce(due, membership)
      .catch((error) => {
        if (!stop.signal.aborted && !(error instanceof NotRecorded)) onTrouble(error)
        return false
      })
      .then((counted) => {
        if (!counted) resting.set(key, now().getTime() + REST_MS)
      })
      .finally(() => {
        underWay.delete(key)
        if (isCrawl) isCrawling = false
      })
    underWay.set(key, done)
  }

  /** Whether the look counts. */
  async function lookOnce(due: DueArea, membership: number): Promise<boolean> {
    const beganAt = now()
    const found = await find(due)
    if (found === null || stop.signal.aborted) return false
    // A crawl takes as long as many looks: it counts from its end on.
    const lookedAt = due.area === 'links' ? now() : beganAt
    const { siteId, revision } = due
    const { kind } = await recorder.recordLook({ siteId, revision, membership, lookedAt, found })
    return kind === 'recorded'
  }

  async function find(due: DueArea): Promise<FoundLook | null> {
    if (due.area === 'links') {
      const review = (await deps.startCrawl?.(due, stop.signal)) ?? null
      return review && { area: 'links', review }
    }
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LOOK_LIMIT_MS)])
    return deps.look({ ...due, area: due.area as LookedArea }, signal)
  }

  const running = lookUntilStopped()
  return {
    wake: () => nap.abort(),
    async close() {
      stop.abort()
      await running
      await Promise.all(underWay.values())
    },
  }
}

function keyOf({ siteId, area }: { siteId: number; area: SiteArea }): string {
  return `${siteId} ${area}`
}

function areaOfKey(key: string): { siteId: number; area: SiteArea } {
  const [siteId, area] = key.split(' ')
  return { siteId: Number(siteId), area: SiteArea.parse(area) }
}
