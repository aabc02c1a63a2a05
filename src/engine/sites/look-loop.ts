import { putLast } from '../../core/bounded-map.ts'
import { regionsFor } from '../../core/probing/turns.ts'
import { getsPlace, mostOfOne } from '../../core/sharing/share.ts'
import { sizeOf } from '../../core/sharing/shared.ts'
import type { LookedArea, SiteArea } from '../../core/sites/area.ts'
import { shareCrawls } from '../../core/sites/crawl/crawl-turns.ts'
import type { Connection, Database } from '../../postgres/database.ts'
import { type Loop, type LoopReports, startLoop } from '../../postgres/loop.ts'
import {
  type AskedAreas,
  type DueArea,
  readDueAreas,
  readDueCrawls,
  readSiteRegions,
} from '../../store/sites/due-areas.ts'
import type { HeldSlots } from '../probing/membership-loop.ts'
import { NotRecorded } from '../recording/batches.ts'
import type { LookAtArea } from './looks.ts'
import type { CrawlReview, FoundLook, SiteRecorder } from './site-finding.ts'

const ROUND_MS = 1_000
/** One look with its questions takes no longer; crawls have bounds of their own. */
const LOOK_LIMIT_MS = 60_000
/** A look that did not count, or failed by a fault of ours, is not tried again at once. */
const REST_MS = 30_000
const REGIONS_HOLD_MS = 10_000
/** Crawls that are due and read at once, by turns of their teams. */
const MAX_CRAWLS_READ = 100
/** Turns that are remembered. */
const MAX_TURNS = 10_000

/** Crawls a site, or goes on with the crawl that was interrupted. Null: it was given up, and goes on later. */
export type StartCrawl = (
  site: Pick<DueArea, 'siteId' | 'teamId'>,
  signal: AbortSignal,
) => Promise<((client: Connection) => Promise<CrawlReview>) | null>

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

type UnderWay = { due: DueArea; sinceMs: number; makeWay: AbortController; done: Promise<void> }

/** Looks at the areas of sites that are due, those of the slots that this process holds. Crawls take turns. */
export function startSiteLooks(deps: SiteLooksDeps): Loop {
  const { db, recorder, now, onTrouble } = deps
  const stop = new AbortController()
  const looks = new Map<string, UnderWay>()
  const crawls = new Map<string, UnderWay>()
  /** Areas that rest, until when. */
  const resting = new Map<string, { due: DueArea; untilMs: number }>()
  /** When the last turn of a crawl ended, by site. */
  const turns = new Map<number, number>()
  let regions: string[] = []
  let regionsReadMs = Number.NEGATIVE_INFINITY

  async function startDue() {
    const holding = deps.holding()
    const share = holding && (await shareOf(holding))
    if (!holding || !share) return ROUND_MS
    const nowMs = now().getTime()
    for (const [key, { untilMs }] of resting) if (untilMs <= nowMs) resting.delete(key)
    const asked = { slots: holding.slots, share }
    const room = sizeOf('looks') - looks.size
    if (room > 0) {
      const busy = [...looks.values()].map(({ due }) => due)
      const not = [...busy, ...[...resting.values()].map((one) => ({ ...one.due, teamId: null }))]
      const due = await readDueAreas(db, {
        ...asked,
        not,
        limitOfTeam: mostOfOne(sizeOf('looks')),
        limit: room,
      })
      for (const area of due) if (getsLook(area)) start(looks, area, holding)
    }
    if (deps.startCrawl !== null) await startCrawls(asked, holding)
    return ROUND_MS
  }

  /** Read in the order of turns: the first that gets no place is of a team with as many as any that follows. */
  function getsLook({ teamId }: DueArea): boolean {
    const held = [...looks.values()].filter(({ due }) => due.teamId === teamId).length
    return getsPlace(held, sizeOf('looks') - looks.size)
  }

  async function startCrawls(asked: Pick<AskedAreas, 'slots' | 'share'>, holding: HeldSlots) {
    const not = [...crawls.values(), ...resting.values()].map(({ due }) => due.siteId)
    const due = await readDueCrawls(db, { ...asked, not, limit: MAX_CRAWLS_READ })
    if (due.length === 0) return
    const running = [...crawls.values()].map((one) => ({ ...one.due, sinceMs: one.sinceMs }))
    const waiting = due.map((one) => ({ ...one, turnEndedMs: turns.get(one.siteId) ?? null }))
    const { begin, makeWay } = shareCrawls(running, waiting, now().getTime())
    for (const one of due) if (begin.includes(one.siteId)) start(crawls, one, holding)
    for (const one of crawls.values()) if (one.due.siteId === makeWay) one.makeWay.abort()
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

  function start(among: Map<string, UnderWay>, due: DueArea, { membership }: HeldSlots) {
    const key = keyOf(due)
    if (among.has(key) || stop.signal.aborted) return
    const makeWay = new AbortController()
    const done = lookOnce(due, membership, AbortSignal.any([stop.signal, makeWay.signal]))
      .catch((error) => {
        if (!stop.signal.aborted && !(error instanceof NotRecorded)) onTrouble(error)
        return false
      })
      .then((counted) => {
        const endedMs = now().getTime()
        // One that made way waits for its turn, not for better times.
        if (!counted && !makeWay.signal.aborted) resting.set(key, { due, untilMs: endedMs + REST_MS })
        if (due.area === 'links') putLast(turns, due.siteId, endedMs, MAX_TURNS)
      })
      .finally(() => among.delete(key))
    among.set(key, { due, sinceMs: now().getTime(), makeWay, done })
  }

  /** Whether the look counts. */
  async function lookOnce(due: DueArea, membership: number, signal: AbortSignal): Promise<boolean> {
    const beganAt = now()
    const found = await find(due, signal)
    if (found === null || stop.signal.aborted) return false
    // A crawl takes as long as many looks: it counts from its end on.
    const lookedAt = due.area === 'links' ? now() : beganAt
    const { siteId, revision } = due
    const { kind } = await recorder.recordLook({ siteId, revision, membership, lookedAt, found })
    return kind === 'recorded'
  }

  async function find(due: DueArea, signal: AbortSignal): Promise<FoundLook | null> {
    if (due.area === 'links') {
      const review = (await deps.startCrawl?.(due, signal)) ?? null
      return review && { area: 'links', review }
    }
    const limited = AbortSignal.any([signal, AbortSignal.timeout(LOOK_LIMIT_MS)])
    return deps.look({ ...due, area: due.area as LookedArea }, limited)
  }

  const loop = startLoop({ ...deps, work: startDue, troubleMs: ROUND_MS })
  return {
    wake: loop.wake,
    async close() {
      stop.abort()
      await loop.close()
      await Promise.all([...looks.values(), ...crawls.values()].map(({ done }) => done))
    },
  }
}

function keyOf({ siteId, area }: { siteId: number; area: SiteArea }): string {
  return `${siteId} ${area}`
}
