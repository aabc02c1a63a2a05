// A process of its own: a website of as many pages as it is told, which counts how it is asked. On the loopback.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { mostWithin } from '../support/statistics.ts'

export type SiteOrder = { pages: number } | 'count'
export type SiteReady = { port: number }
/** The counts of all requests until then, and of all connections. */
export type SiteCounts = { requests: number; pages: number; mostInSecond: number; mostConnections: number }

const SECOND_MS = 1_000
/** Each page leads to the pages after it, so that all are reached within ten levels. */
const LINKS = 40
/** A common shape of addresses would be taken for an endless space. */
const SECTIONS = 'abcdefghij'
const TEXT =
  '<p>Words that a page of the usual size is full of, and that a crawl reads to its end.</p>\n'.repeat(200)

const arrivals: number[] = []
const asked = new Set<number>()
let open = 0
let mostConnections = 0

function pathOf(page: number): string {
  return page === 0 ? '/' : `/section-${SECTIONS[page % SECTIONS.length]}/page-${page}`
}

/** Half of the pages are in it, the others are only linked to. */
function sitemapText(origin: string, pages: number): string {
  const listed = Array.from({ length: Math.ceil(pages / 2) }, (_, index) => pathOf(index * 2))
  const urls = listed.map((path) => `<url><loc>${origin}${path}</loc></url>`)
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`
}

function pageText(page: number, pages: number): string {
  const links = Array.from({ length: LINKS }, (_, index) => (page + index + 1) % pages)
  const anchors = links.map((to) => `<li><a href="${pathOf(to)}">Page ${to}</a></li>`)
  return `<!doctype html><title>Page ${page}</title><h1>Page ${page}</h1><ul>${anchors.join('')}</ul>${TEXT}`
}

/** Null for a path that is no page. */
function pageOf(path: string, pages: number): number | null {
  const page = path === '/' ? 0 : Number(/\/page-(\d+)$/.exec(path)?.[1] ?? Number.NaN)
  return page < pages && pathOf(page) === path ? page : null
}

async function serve(pages: number): Promise<void> {
  const server = http.createServer((request, response) => {
    arrivals.push(performance.now())
    const path = request.url ?? '/'
    if (path === '/sitemap.xml') {
      const text = sitemapText(`http://${request.headers.host}`, pages)
      return void response.writeHead(200, { 'content-type': 'application/xml' }).end(text)
    }
    const page = pageOf(path, pages)
    if (page === null) return void response.writeHead(404, { 'content-type': 'text/plain' }).end()
    asked.add(page)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageText(page, pages))
  })
  server.on('connection', (socket) => {
    mostConnections = Math.max(mostConnections, ++open)
    socket.once('close', () => open--)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.send?.({ port: (server.address() as AddressInfo).port } satisfies SiteReady)
}

process.on('disconnect', () => process.exit())
process.on('message', (order: SiteOrder) => {
  if (order !== 'count') return void serve(order.pages)
  process.send?.({
    requests: arrivals.length,
    pages: asked.size,
    mostInSecond: mostWithin(arrivals, SECOND_MS),
    mostConnections,
  } satisfies SiteCounts)
})
