import type { SiteEvent } from '../alerting/alert.ts'
import { cut } from '../text.ts'
import type { SiteArea } from './area.ts'
import { AREA_NAMES } from './area.ts'
import type { Source } from './site-finding.ts'

/** Findings that an alert names of each list. */
export const MAX_NAMED = 5
const MAX_NAMED_LENGTH = 200

/** The first findings of a list, each as a line, and how many there are besides. */
export type NamedFindings = { lines: string[]; more: number }

/** Findings that are told and stand, and those that were told before and are fixed. */
export type AreaFindings = { open: NamedFindings; fixed: NamedFindings }

/** News of one area of a crawl. */
export type AreaNews = {
  area: SiteArea
  event: SiteEvent
  cause: string
  since: Date
  findings: AreaFindings | null
}

/** News of a crawl as a whole: one alert. */
export type CrawlNews = Omit<AreaNews, 'area' | 'findings'> & { areas: SiteArea[]; findings: AreaFindings }

const NONE: NamedFindings = { lines: [], more: 0 }

/** `/a on /b: HTTP 404`. Addresses of the site itself are named by their path. */
export function nameFindings(
  siteUrl: string,
  findings: readonly { address: string; detail?: string; sources: readonly Source[] }[],
): NamedFindings {
  const { origin } = new URL(siteUrl)
  const short = (address: string) =>
    address.startsWith(`${origin}/`) ? address.slice(origin.length) : address
  const lines = findings.slice(0, MAX_NAMED).map(({ address, detail, sources }) => {
    const [source] = sources
    const where = source && source.page !== address ? ` on ${short(source.page)}` : ''
    const why = detail === undefined ? '' : `: ${detail.replace(/^answered (?=\d{3}$)/, 'HTTP ')}`
    return cut(`${short(address)}${where}${why}`, MAX_NAMED_LENGTH)
  })
  return { lines, more: findings.length - lines.length }
}

/** One alert of all that a crawl has to tell: trouble before recovery. Null for nothing. */
export function digestCrawl(news: readonly AreaNews[]): CrawlNews | null {
  const [first] = news.toSorted((a, b) => Number(isOver(a)) - Number(isOver(b)))
  if (!first) return null
  const isMixed = !isOver(first) && news.some(isOver)
  const say = (one: AreaNews) => (isMixed && isOver(one) ? 'all fixed' : one.cause)
  return {
    event: first.event,
    areas: news.map(({ area }) => area),
    cause:
      news.length === 1 ? first.cause : news.map((one) => `${AREA_NAMES[one.area]}: ${say(one)}`).join('; '),
    since: new Date(Math.min(...news.map(({ since }) => since.getTime()))),
    findings: {
      open: join(news.map(({ findings }) => findings?.open ?? NONE)),
      fixed: join(news.map(({ findings }) => findings?.fixed ?? NONE)),
    },
  }
}

function isOver({ event }: Pick<AreaNews, 'event'>): boolean {
  return event === 'site.recovery'
}

function join(lists: NamedFindings[]): NamedFindings {
  const lines = lists.flatMap((list) => list.lines)
  const named = lines.slice(0, MAX_NAMED)
  return { lines: named, more: lists.reduce((sum, { more }) => sum + more, 0) + lines.length - named.length }
}
