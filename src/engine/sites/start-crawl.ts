import type { News } from '../../core/live-event.ts'
import type { CrawlEnd } from './crawl/crawl.ts'
import { reviewCrawl } from './crawl/review.ts'
import type { StartCrawl } from './look-loop.ts'

/** Screens show the numbers of a crawl at most this often. */
const PROGRESS_MS = 2_000

/** Crawls one site; `onProgress` is called whenever its numbers change. */
export type Crawl = (
  site: { siteId: number; teamId: number },
  signal: AbortSignal,
  onProgress: () => void,
) => Promise<CrawlEnd>

/** The review of a crawl is written with the judgement of its areas. */
export function createStartCrawl(deps: {
  crawl: Crawl
  announce: (news: News) => Promise<void>
  now: () => Date
  monotonicMs: () => number
  onTrouble: (error: unknown) => void
}): StartCrawl {
  return async ({ siteId, teamId }, signal) => {
    let toldMs = Number.NEGATIVE_INFINITY
    let telling = Promise.resolve()
    function tell() {
      if (deps.monotonicMs() - toldMs < PROGRESS_MS) return
      toldMs = deps.monotonicMs()
      const news: News = { team_id: teamId, event: 'site_crawl', data: { id: siteId } }
      telling = deps.announce(news).catch(deps.onTrouble)
    }
    const end = await deps.crawl({ siteId, teamId }, signal, tell)
    await telling
    if (end.kind !== 'done') return null
    return (client) => reviewCrawl(client, { id: siteId }, end.crawlId, deps.now())
  }
}
