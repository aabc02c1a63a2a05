import { HOST_STOPPED } from '../../../core/sites/crawl/unasked.ts'
import type { Database } from '../../../postgres/database.ts'
import { readWaitingAddresses, settleHost, type WaitingAddress } from '../../../store/sites/crawls.ts'
import { SEATS_OF_HOST } from '../../../store/sites/host-seats.ts'
import type { Crawling } from './crawling.ts'
import { keep, NOTHING_FOUND } from './keep-visit.ts'
import { visit } from './visit.ts'

/** Addresses that one crawl looks at at the same time, over all hosts. */
const MAX_UNDER_WAY = 16
/** A host that refused so often in a crawl is left alone. */
const MAX_REFUSALS = 3

/** Looks at what waits, until nothing does: level by level, so that each crawl of the same site goes the same way. */
export async function workOff(
  db: Database,
  crawlId: number,
  crawling: Crawling,
  onProgress: () => void,
): Promise<void> {
  const underWay = new Map<string, { waiting: WaitingAddress; visiting: Promise<void> }>()
  const refusals = new Map<string, number>()
  const stopped = new Set<string>()
  const failures: unknown[] = []

  async function look(waiting: WaitingAddress): Promise<void> {
    if (stopped.has(waiting.host)) return settleHost(db, crawlId, waiting.host, HOST_STOPPED)
    const visited = await visit(crawling, waiting)
    if (visited.kind !== 'refused') return
    const count = (refusals.get(visited.refusedBy) ?? 0) + 1
    refusals.set(visited.refusedBy, count)
    if (count < MAX_REFUSALS) return
    stopped.add(visited.refusedBy)
    await keep(crawling, waiting.address, visited.outcome, NOTHING_FOUND)
    await settleHost(db, crawlId, visited.refusedBy, HOST_STOPPED)
    if (visited.refusedBy === crawling.site.url.host) await crawling.leaveOut('refused')
  }

  function start(waiting: WaitingAddress): void {
    const visiting = look(waiting).then(
      () => {
        underWay.delete(waiting.address)
        onProgress()
      },
      (error) => {
        underWay.delete(waiting.address)
        failures.push(error)
      },
    )
    underWay.set(waiting.address, { waiting, visiting })
  }

  const visits = () => [...underWay.values()].map(({ visiting }) => visiting)
  try {
    for (;;) {
      crawling.signal.throwIfAborted()
      if (failures.length > 0) throw failures[0]
      const beside = [...underWay.values()].map(({ waiting }) => waiting)
      const next = await readNext(db, crawlId, beside)
      for (const waiting of next) start(waiting)
      if (underWay.size > 0) await Promise.race(visits())
      // Requests under way during the read may have found more, or held something back.
      else if (beside.length === 0) return
    }
  } finally {
    await Promise.all(visits())
  }
}

/** As many as may be started beside those under way. A page waits for all pages of the levels above. */
async function readNext(
  db: Database,
  crawlId: number,
  underWay: readonly WaitingAddress[],
): Promise<WaitingAddress[]> {
  const places = MAX_UNDER_WAY - underWay.length
  if (places <= 0) return []
  const busy = new Map<string, number>()
  for (const { host } of underWay) busy.set(host, (busy.get(host) ?? 0) + 1)
  const isFull = (host: string) => (busy.get(host) ?? 0) >= SEATS_OF_HOST
  const notOf = [...busy.keys()].filter(isFull)
  const but = underWay.map(({ address }) => address)
  const waiting = await readWaitingAddresses(db, crawlId, { but, notOf, limit: MAX_UNDER_WAY * 4 })
  let level = Math.min(...underWay.filter(({ isPage }) => isPage).map(({ depth }) => depth))
  const chosen: WaitingAddress[] = []
  for (const one of waiting) {
    if (chosen.length >= places || isFull(one.host)) continue
    if (one.isPage && one.depth > level) continue
    if (one.isPage) level = Math.min(level, one.depth)
    busy.set(one.host, (busy.get(one.host) ?? 0) + 1)
    chosen.push(one)
  }
  return chosen
}
