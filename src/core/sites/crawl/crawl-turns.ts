import { getsPlace, mostOfOne } from '../../sharing/share.ts'
import { sizeOf } from '../../sharing/shared.ts'

/** Crawls of one process at once, most of which wait for hosts. */
export const MAX_CRAWLS = sizeOf('crawls')
export const MAX_CRAWLS_OF_TEAM = mostOfOne(MAX_CRAWLS)
/** After this long a crawl makes way for a team that has none, and goes on in its turn: crawls may take many hours. */
export const CRAWL_TURN_MS = 10 * 60_000
/** The same for one of a team that has more than one. */
export const FURTHER_TURN_MS = 60_000

export type RunningCrawl = { siteId: number; teamId: number; sinceMs: number }
/** `turnEndedMs`: when it was last crawled by this process; null for never. */
export type WaitingCrawl = { siteId: number; teamId: number; turnEndedMs: number | null }

/**
 * Which crawls begin, and which one makes way. Teams with the fewest running ones come first, and of these the crawl whose
 * last turn is longest ago; otherwise they stay in order, that of their waiting. `size` is another one in tests alone.
 */
export function shareCrawls(
  running: readonly RunningCrawl[],
  waiting: readonly WaitingCrawl[],
  nowMs: number,
  size: number = MAX_CRAWLS,
): { begin: number[]; makeWay: number | null } {
  const ofTeam = new Map<number, number>()
  const countOf = ({ teamId }: { teamId: number }) => ofTeam.get(teamId) ?? 0
  const add = (one: { teamId: number }) => ofTeam.set(one.teamId, countOf(one) + 1)
  for (const one of running) add(one)
  const begin: number[] = []
  let left = [...waiting]
  for (;;) {
    const free = size - running.length - begin.length
    const able = left.filter((one) => getsPlace(countOf(one), free))
    const [next] = able.toSorted(
      (a, b) => countOf(a) - countOf(b) || (a.turnEndedMs ?? 0) - (b.turnEndedMs ?? 0),
    )
    if (!next) break
    begin.push(next.siteId)
    add(next)
    left = left.filter((one) => one !== next)
  }
  const isOutdone = left.some((one) => countOf(one) === 0)
  const turnOf = (one: RunningCrawl) => (countOf(one) > 1 ? FURTHER_TURN_MS : CRAWL_TURN_MS)
  const over = running.filter((one) => nowMs - one.sinceMs >= turnOf(one))
  const [makesWay] = over.toSorted((a, b) => countOf(b) - countOf(a) || a.sinceMs - b.sinceMs)
  return { begin, makeWay: isOutdone ? (makesWay?.siteId ?? null) : null }
}
