import { maintenanceOf } from '../judge-windows.ts'
import { at, describe, type Evidence } from '../logs.ts'
import { isCovered, isIn, overlap, widen } from '../spans.ts'
import { type EndedCrawl, isOfSite, PAGES, pathOf, type Warning } from './truth.ts'

const BEGINS = 'site.degraded'
const ENDS = 'site.recovery'

/** Each crawl that saw a faulty sitemap warns once, until one sees that it is well, and says so. */
export function wrongWarnings(evidence: Evidence): string[] {
  const { numbers, crawls, warnings } = evidence.sites
  return numbers.flatMap((site) => {
    const own = warnings.filter(({ monitor }) => monitor === site)
    const ended = crawls.filter((crawl) => crawl.site === site).toSorted((a, b) => a.toMs - b.toMs)
    let isTold = false
    let left = own
    const wrong = ended.flatMap((crawl) => {
      const events = left.filter(({ atMs }) => atMs <= crawl.toMs)
      left = left.filter(({ atMs }) => atMs > crawl.toMs)
      const found = events.map(({ event }) => event).join(', ')
      const allowed = allowedAfter(evidence, crawl, isTold)
      isTold = (events.at(-1)?.event ?? (isTold ? BEGINS : ENDS)) === BEGINS
      if (allowed.includes(found)) return []
      return [
        `crawl ${crawl.id} of site ${site} told "${found}", not "${allowed[0]}", ${describe(evidence, crawl)}`,
      ]
    })
    const invented = left.map(
      ({ event, atMs }) => `${event} of site ${site} at ${at(evidence, atMs)}: no crawl`,
    )
    const unsent = own
      .filter(({ state }) => state !== 'sent')
      .map(({ event }) => `${event} of site ${site} not sent`)
    return [...wrong, ...invented, ...unsent, ...misordered(evidence, own)]
  })
}

/** The events that may follow a crawl, as one text each; the first is what should. */
function allowedAfter(evidence: Evidence, crawl: EndedCrawl, isTold: boolean): string[] {
  const answers = evidence.sites.answers.filter(
    ({ site, path, atMs }) => site === crawl.site && path === '/sitemap.xml' && isIn(atMs, crawl),
  )
  if (crawl.isCutShort) return ['']
  // An answer that did not reach the crawler says nothing: what was known before a window is told then, if it was not.
  if (!crawl.isSitemapRead) return isTold ? [''] : ['', BEGINS]
  const faulty = answers.filter(({ isFaulty }) => isFaulty).length
  if (faulty === 0 && answers.length > 0) return isTold ? [ENDS] : ['']
  if (faulty < answers.length || answers.length === 0) return ['', isTold ? ENDS : BEGINS]
  const { cover, unsettled } = maintenanceOf(evidence)(crawl.site)
  const mayBeQuiet = isCovered(cover, crawl.toMs) || unsettled.some((span) => isIn(crawl.toMs, span))
  return isTold ? [''] : [BEGINS, ...(mayBeQuiet ? [''] : [])]
}

/** A warning that had to be tried again may be overtaken. */
function misordered({ received }: Evidence, warnings: Warning[]): string[] {
  const firstMs = ({ messageId }: Warning) => received.find((one) => one.messageId === messageId)?.atMs
  return warnings.slice(1).flatMap((warning, i) => {
    const before = warnings[i] as Warning
    const [beforeMs, ms] = [firstMs(before), firstMs(warning)]
    if (before.attempts > 1 || beforeMs === undefined || ms === undefined || beforeMs <= ms) return []
    return [`${warning.messageId} of site ${warning.monitor} came before ${before.messageId}`]
  })
}

/** A home page that fails in a window is told at its end, if it still fails then. */
export function coveredIncidents(evidence: Evidence): string[] {
  const of = maintenanceOf(evidence)
  return evidence.incidents
    .filter(isOfSite)
    .filter(({ monitor, startedMs }) => {
      const { cover, unsettled } = of(monitor)
      return isCovered(cover, startedMs) && !unsettled.some((span) => isIn(startedMs, span))
    })
    .map(({ id, monitor, startedMs }) => `incident ${id} of site ${monitor} at ${at(evidence, startedMs)}`)
}

/** Each whole crawl asks for every page, and for none twice but where it was interrupted, or where the page failed. */
export function wrongCrawls(evidence: Evidence): string[] {
  const { sites, takeoverMs } = evidence
  const unreachable = [...evidence.unreachable, ...evidence.standstills]
  const breaks = [...evidence.faults, ...evidence.takeovers, ...evidence.standstills]
  return sites.crawls
    .filter(({ isCutShort }) => !isCutShort)
    .flatMap((crawl) => {
      const answers = sites.answers.filter(({ site, atMs }) => site === crawl.site && isIn(atMs, crawl))
      const asked = Map.groupBy(answers, ({ path }) => path)
      const times = (page: number) => asked.get(pathOf(page))?.length ?? 0
      const failures = (page: number) =>
        asked.get(pathOf(page))?.filter(({ isFaulty }) => isFaulty).length ?? 0
      const interruptions = breaks.filter((span) => overlap(widen(span, 0, takeoverMs), crawl)).length
      const isExcused = unreachable.some((span) => overlap(span, crawl))
      const pages = Array.from({ length: PAGES }, (_, page) => page)
      const lost = isExcused ? [] : pages.filter((page) => times(page) === 0)
      const doubled = pages.filter((page) => times(page) > 1 + interruptions + failures(page))
      const name = `of crawl ${crawl.id} of site ${crawl.site}, ${describe(evidence, crawl)}`
      return [
        ...lost.map((page) => `lost: page ${page} ${name}`),
        ...doubled.map((page) => `asked ${times(page)} times: page ${page} ${name}`),
      ]
    })
}
