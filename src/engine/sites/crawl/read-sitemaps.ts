import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { crawlAddress } from '../../../core/sites/crawl/address.ts'
import type { AddressAnswer } from '../../../core/sites/crawl/asking.ts'
import { isLeftOut } from '../../../core/sites/crawl/found.ts'
import { judgeAnswer } from '../../../core/sites/crawl/judge-answer.ts'
import {
  createSitemapReader,
  MAX_SITEMAP_BYTES,
  MAX_SITEMAPS,
  type ReadSitemap,
} from '../../../core/sites/crawl/sitemap.ts'
import type { LinkOutcome } from '../../../core/sites/link-outcome.ts'
import type { Crawling } from './crawling.ts'
import { keep } from './keep-visit.ts'

/** Pages that a sitemap names stand one level below the home page. */
const DEPTH = 1
const MAX_FAULTS_OF_SITEMAP = 20

/** Reads the sitemaps that robots.txt names, or the one at the usual place, which need not exist. */
export async function readSitemaps(crawling: Crawling, named: readonly string[]): Promise<void> {
  const usual = new URL('/sitemap.xml', crawling.site.url).href
  const waiting = (named.length > 0 ? named : [usual]).map((address) => ({ address, isIndexed: false }))
  const seen = new Set<string>()
  for (const { address, isIndexed } of waiting) {
    const url = URL.parse(address, crawling.site.url.href)
    if (!url || !/^https?:$/.test(url.protocol) || seen.has(url.href) || seen.size >= MAX_SITEMAPS) continue
    seen.add(url.href)
    const isNamed = named.length > 0 || isIndexed
    const read = await readOne(crawling, url, isNamed)
    if (read?.kind === 'index' && !isIndexed)
      waiting.push(...read.addresses.map((inner) => ({ address: inner, isIndexed: true })))
  }
}

/** Null for one that is not there. */
async function readOne(crawling: Crawling, url: URL, isNamed: boolean): Promise<ReadSitemap | null> {
  const { ask, turn, signal } = crawling
  const answer = await ask({ address: url.href, method: 'GET', maxBytes: MAX_SITEMAP_BYTES }, turn, signal)
  const { asked } = answer
  signal.throwIfAborted()
  if (asked.kind === 'inconclusive') return null
  const outcome = judgeAnswer(url.href, asked, false)
  if (outcome.verdict === 'unjudged' || (outcome.verdict === 'broken' && !isNamed)) return null
  if (outcome.verdict === 'broken') {
    await keepSitemap(crawling, url, outcome, [outcome.detail], [])
    return null
  }
  // Many sites answer whatever is asked for with a page.
  if (!isNamed && /html/i.test(answer.contentType)) return null
  const read = await parse(url, answer)
  const faults = [...read.faults]
  const addresses: URL[] = []
  if (read.kind === 'pages') {
    for (const address of read.addresses) {
      if (!URL.canParse(address))
        faults.push(`names ${JSON.stringify(address.slice(0, 200))}, which is no address`)
      const page = URL.canParse(address) ? crawlAddress(address, url.href) : null
      if (page && !isLeftOut(crawling.site, page)) addresses.push(page)
    }
  }
  await keepSitemap(crawling, url, outcome, faults.slice(0, MAX_FAULTS_OF_SITEMAP), addresses)
  return read
}

async function keepSitemap(
  crawling: Crawling,
  url: URL,
  outcome: LinkOutcome,
  faults: string[],
  pages: URL[],
): Promise<void> {
  await crawling.add({ address: url, isPage: false })
  await keep(crawling, url.href, outcome, {
    depth: DEPTH,
    isVouchedFor: true,
    links: pages.map((address) => ({ address, isPage: crawling.isOfSite(address), label: 'sitemap' })),
    faults: faults.map((detail) => ({ kind: 'sitemap_fault', address: url.href, detail, label: 'sitemap' })),
  })
}

/** Unpacked piece by piece: a bomb ends where a sitemap has to. */
async function parse(url: URL, { body, contentType }: AddressAnswer): Promise<ReadSitemap> {
  const isPacked = body[0] === 0x1f && body[1] === 0x8b
  const isText = /^text\/plain/i.test(contentType) || /\.txt(?:\.gz)?$/i.test(url.pathname)
  const reader = createSitemapReader(!isText)
  const decoder = new TextDecoder()
  const pieces = Readable.from(piecesOf(body), { objectMode: false })
  let left = MAX_SITEMAP_BYTES
  try {
    for await (const piece of isPacked ? pieces.pipe(createGunzip()) : pieces) {
      reader.write(decoder.decode(piece.subarray(0, left), { stream: true }))
      left -= Math.min(piece.length, left)
      if (left === 0) break
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return reader.end('cannot be unpacked')
  }
  return reader.end(left === 0 ? 'is larger than 50 MiB, which is the most that a sitemap may have' : null)
}

function* piecesOf(body: Buffer): Generator<Buffer> {
  const PIECE_BYTES = 65_536
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES)
}
