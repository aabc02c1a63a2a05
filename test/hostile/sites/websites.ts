import http, { type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { ROBOT_NAME } from '../../../src/core/sites/crawl/robots.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { randomFrom } from '../../support/history/checks.ts'
import type { Scope } from '../../support/scope.ts'
import { listen } from '../../support/servers/receivers.ts'
import type { Outage } from '../logs.ts'
import { createStorms, type Weather } from '../weather.ts'
import { HOME_INTERVAL_SECONDS, makeCrawlsDue, readEndedCrawls } from './rows.ts'
import { type CrawlAnswer, type EndedCrawl, HOME, PAGES, pathOf, type WatchedSite } from './truth.ts'

const LOOK_MS = 1_000
const POLL_MS = 200
const LINKS = 5
/** A process leaves a site alone for 30 s after a look that did not count, and knows of other regions after 10 s. */
const NOTICED_AFTER_MS = 40_000 + HOME_INTERVAL_SECONDS * 1_000
/** The share of crawls that see a faulty sitemap: each sees one that is either faulty or well all the time. */
const FAULTY_SHARE = 0.5

/** Websites whose home pages and sitemaps fail and recover by chance, each at a port of its own. */
export type Websites = {
  ports: number[]
  outages: Outage[]
  answers: CrawlAnswer[]
  /** How often a home page was looked at, not by a crawl. */
  looks: number
  crawls: Map<number, EndedCrawl>
  begin(sites: WatchedSite[], db: Database, random: () => number): void
  /** Each fails once more, from when it is known to be well until it is known to be down; false when one never is. */
  failAtLast(isDown: IsDown, deadlineMs: number): Promise<boolean>
  /** All are well from now on. */
  calm(): Promise<void>
  /** Whether each was crawled to its end, with its sitemap, since it has been well. */
  areCrawled(): boolean
  /** Resolves when nothing is looked at any more. */
  end(): Promise<void>
}

/** Null while that is not certain. */
type IsDown = (site: WatchedSite) => Promise<boolean | null>

export async function startWebsites(scope: Scope, numbers: number[], weather: Weather): Promise<Websites> {
  const homes = createStorms(weather, { condition: HOME, noticedAfterMs: NOTICED_AFTER_MS })
  const faultySitemaps = new Set<number>()
  const drawn = new Map<number, () => number>()
  const stop = new AbortController()
  let watched: WatchedSite[] = []
  let watching = Promise.resolve()
  let calmMs = Number.POSITIVE_INFINITY
  const websites: Websites = {
    ...{ ports: [], outages: homes.outages, answers: [], looks: 0, crawls: new Map() },
    ...{ begin, failAtLast, calm, areCrawled, end },
  }

  async function open(site: number) {
    const server = http.createServer((request, response) => {
      const path = request.url ?? '/'
      response.setHeader('connection', 'close')
      const isCrawler = request.headers['user-agent']?.includes(ROBOT_NAME) ?? false
      const isHomeFailing = path === '/' && homes.isFailing(site)
      const isFaulty = isHomeFailing || (path === '/sitemap.xml' && faultySitemaps.has(site))
      if (isCrawler) websites.answers.push({ site, path, atMs: Date.now(), isFaulty })
      else websites.looks++
      if (isHomeFailing) response.writeHead(503).end()
      else answer(response, path, `http://${request.headers.host}`, isFaulty)
    })
    websites.ports.push(await listen(server, '0.0.0.0'))
    scope.after(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
  }

  function drawSitemap(site: number) {
    faultySitemaps.delete(site)
    if (calmMs === Number.POSITIVE_INFINITY && (drawn.get(site)?.() ?? 1) < FAULTY_SHARE)
      faultySitemaps.add(site)
  }

  async function watch(db: Database) {
    while (!stop.signal.aborted) {
      await makeCrawlsDue(db)
      for (const { site: id, ...crawl } of await readEndedCrawls(db)) {
        const site = watched.find((one) => one.id === id)?.number ?? -1
        if (!websites.crawls.has(crawl.id)) drawSitemap(site)
        websites.crawls.set(crawl.id, { ...crawl, site })
      }
      await delay(LOOK_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  function begin(sites: WatchedSite[], db: Database, random: () => number) {
    watched = sites
    homes.begin(numbers, random)
    for (const number of numbers) {
      drawn.set(number, randomFrom(Math.trunc(random() * 2 ** 31)))
      drawSitemap(number)
    }
    watching = watch(db)
  }

  async function failAtLast(isDown: IsDown, deadlineMs: number) {
    await homes.calm()
    const until = async (site: WatchedSite, wanted: boolean) => {
      while ((await isDown(site)) !== wanted) {
        if (Date.now() > deadlineMs) return false
        await delay(POLL_MS)
      }
      return true
    }
    const told = watched.map(async (site) => {
      if (!(await until(site, false))) return false
      const recover = homes.fail(site.number)
      const isTold = await until(site, true)
      recover()
      return isTold
    })
    return (await Promise.all(told)).every((isTold) => isTold)
  }

  async function calm() {
    await homes.calm()
    faultySitemaps.clear()
    calmMs = Date.now()
  }

  function areCrawled() {
    const isWhole = ({ fromMs, isCutShort, isSitemapRead }: EndedCrawl) =>
      fromMs >= calmMs && !isCutShort && isSitemapRead
    const whole = [...websites.crawls.values()].filter(isWhole)
    return numbers.every((number) => whole.some(({ site }) => site === number))
  }

  async function end() {
    stop.abort()
    await watching
  }

  scope.after(async () => {
    await calm()
    await end()
  })
  for (const number of numbers) await open(number)
  return websites
}

function answer(response: ServerResponse, path: string, origin: string, isFaulty: boolean): void {
  const pages = Array.from({ length: PAGES }, (_, page) => pathOf(page))
  const page = pages.indexOf(path)
  if (path === '/sitemap.xml') {
    const listed = pages.filter((_, index) => index % 2 === 0)
    const urls = listed.map((one) => `<url><loc>${origin}${one}</loc></url>`).join('')
    const text = isFaulty
      ? '<nothing/>'
      : `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`
    response.writeHead(200, { 'content-type': 'application/xml' }).end(text)
  } else if (page < 0) response.writeHead(404).end()
  else {
    const links = Array.from({ length: LINKS }, (_, index) => pathOf((page + index + 1) % PAGES))
    const text = links.map((to) => `<a href="${to}">${to}</a>`).join(' ')
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${path}</title>${text}`)
  }
}
