import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { crawlAddress, isOfHost } from '../../../core/sites/crawl/address.ts'
import type { AddressAnswer, Turn } from '../../../core/sites/crawl/asking.ts'
import { isLeftOut } from '../../../core/sites/crawl/found.ts'
import { isPassing } from '../../../core/sites/crawl/is-fixed.ts'
import { judgeAnswer } from '../../../core/sites/crawl/judge-answer.ts'
import { createSitemapReader } from '../../../core/sites/crawl/sitemap.ts'
import { createFaults, type SitemapFaults } from '../../../core/sites/crawl/sitemap-faults.ts'
import { MAX_SITEMAP_BYTES, MAX_SITEMAPS, type ReadSitemap } from '../../../core/sites/crawl/sitemap-file.ts'
import { notLookedAt } from '../../../core/sites/crawl/unasked.ts'
import type { LinkOutcome } from '../../../core/sites/link-outcome.ts'
import { askTwice } from './ask-again.ts'
import type { Crawling } from './crawling.ts'
import { keep } from './keep-visit.ts'

/** Pages that a sitemap names stand one level below the home page. */
const DEPTH = 1
const MAX_FAULTS_OF_SITEMAP = 20

/** `isNamed`: robots.txt or an index says that there is one. */
type Named = { url: URL; isNamed: boolean; isIndexed: boolean }

/** Reads the sitemaps that robots.txt names, or the one at the usual place, which need not exist. */
export async function readSitemaps(crawling: Crawling, named: readonly string[]): Promise<void> {
  const { site } = crawling
  const first = named.length > 0 ? named : [new URL('sitemap.xml', site.url).href]
  const waiting = first.flatMap((address) => namedAt(address, site.url, named.length > 0))
  const seen = new Set<string>()
  for (const one of waiting) {
    if (seen.has(one.url.href)) continue
    if (seen.size >= MAX_SITEMAPS) {
      await crawling.leaveOut('sitemaps')
      return
    }
    seen.add(one.url.href)
    waiting.push(...(await crawling.inSitemapTurns((turn) => readOne(crawling, one, turn))))
  }
}

function namedAt(address: string, base: URL, isNamed: boolean): Named[] {
  const url = URL.parse(address, base.href)
  return url && /^https?:$/.test(url.protocol) ? [{ url, isNamed, isIndexed: false }] : []
}

/** Reads one, and says what further ones it names. */
async function readOne(crawling: Crawling, { url, isNamed, isIndexed }: Named, turn: Turn): Promise<Named[]> {
  const request = { address: url.href, method: 'GET', maxBytes: MAX_SITEMAP_BYTES } as const
  const answer = await askTwice(crawling, request, turn)
  const { asked } = answer
  crawling.signal.throwIfAborted()
  const outcome =
    asked.kind === 'inconclusive' ? notLookedAt(asked.reason) : judgeAnswer(url.href, asked, false)
  const isAbsent = outcome.verdict === 'broken' || outcome.verdict === 'unjudged'
  // At the usual place there need not be one.
  if (isAbsent && !isNamed && !isPassing(outcome)) return []
  if (isAbsent) {
    const faults = outcome.verdict === 'broken' && isNamed ? [outcome.detail] : []
    const kept = faults.length > 0 ? outcome : { ...outcome, verdict: 'unjudged' as const }
    await keepSitemap(crawling, url, kept, faults, [])
    return []
  }
  // Many sites answer whatever is asked for with a page.
  if (!isNamed && /html/i.test(answer.contentType)) return []
  const read = await parse(url, answer)
  const faults = createFaults()
  for (const fault of read.faults) faults.add(fault)
  if (read.kind === 'index' && isIndexed)
    faults.add('is an index that an index names: search engines do not read those')
  const isRead = read.kind !== 'index' || !isIndexed
  const further = isRead ? ownOf(crawling, url, read, faults) : []
  const isIndex = read.kind === 'index'
  await keepSitemap(crawling, url, outcome, faults.list(), isIndex ? [] : further)
  return isIndex ? further.map((inner) => ({ url: inner, isNamed: true, isIndexed: true })) : []
}

/** The addresses that a sitemap may name: of its own host, or of the one whose robots.txt names it. Others are not asked for. */
function ownOf({ site }: Crawling, url: URL, read: ReadSitemap, faults: SitemapFaults): URL[] {
  const own: URL[] = []
  for (const written of read.addresses) {
    const address = crawlAddress(written, url.href)
    if (!address) continue
    if (!isOfHost(address, url) && !isOfHost(address, site.url)) {
      const what = read.kind === 'index' ? 'a sitemap of another host' : 'an address of another host'
      faults.add(`names ${what}, which search engines pass over`, address.href)
    } else if (read.kind === 'index' || !isLeftOut(site, address)) own.push(address)
  }
  return own
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
    limits: [],
    // A host has sitemaps for more than a site at a path of it.
    links: pages
      .filter((address) => !isOfHost(address, crawling.site.url) || crawling.isOfSite(address))
      .map((address) => ({ address, isPage: crawling.isOfSite(address), label: 'sitemap' })),
    faults: faults
      .slice(0, MAX_FAULTS_OF_SITEMAP)
      .map((detail) => ({ kind: 'sitemap_fault', address: url.href, detail, label: 'sitemap' })),
  })
}

/** Unpacked piece by piece: a bomb ends where a sitemap has to. */
async function parse(url: URL, { body, contentType, cut }: AddressAnswer): Promise<ReadSitemap> {
  const isPacked = body[0] === 0x1f && body[1] === 0x8b
  const isText = /^text\/plain/i.test(contentType) || /\.txt(?:\.gz)?$/i.test(url.pathname)
  const reader = createSitemapReader(!isText)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const pieces = Readable.from(piecesOf(body), { objectMode: false })
  let left = MAX_SITEMAP_BYTES
  let isLarge = cut === 'large'
  try {
    for await (const piece of isPacked ? pieces.pipe(createGunzip()) : pieces) {
      isLarge ||= piece.length > left
      reader.write(decoder.decode(piece.subarray(0, left), { stream: true }))
      left -= Math.min(piece.length, left)
      if (isLarge) break
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return reader.end(error instanceof TypeError ? 'is not UTF-8' : 'cannot be unpacked')
  }
  if (isLarge) return reader.end('is larger than 50 MiB, which is the most that a sitemap may have')
  return reader.end(cut === null ? null : 'breaks off while it is read')
}

function* piecesOf(body: Buffer): Generator<Buffer> {
  const PIECE_BYTES = 65_536
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES)
}
