import { addressKey, isOfHost, isOfSite, siteScope } from '../../../core/sites/crawl/address.ts'
import { type CrawledSite, isLeftOut } from '../../../core/sites/crawl/found.ts'
import { type CrawlKnowledge, isPassing } from '../../../core/sites/crawl/is-fixed.ts'
import { notLookedAt } from '../../../core/sites/crawl/unasked.ts'
import type { Connection } from '../../../postgres/database.ts'
import {
  type CrawlToReview,
  type JudgedAddress,
  readNamed,
  readOutcomes,
  type StoredFinding,
} from '../../../store/sites/crawl-findings.ts'
import { hashAddress } from '../../../store/sites/crawls.ts'

const NOT_LOOKED_AT = notLookedAt('the crawl ended before')

type Reviewed = {
  crawlId: number
  known: readonly StoredFinding[]
  faulty: readonly JudgedAddress[]
  at: Date
}

/** Everything that a crawl says of findings that it has not seen. */
export async function readKnowledge(
  client: Connection,
  crawl: CrawlToReview,
  { crawlId, known, faulty, at }: Reviewed,
): Promise<CrawlKnowledge> {
  const home = new URL(crawl.url)
  const addresses = new Set([home.href, ...known.flatMap(addressesOf)])
  const hashes = new Map([...addresses].map((address) => [textOf(hashAddress(address)), addressKey(address)]))
  const wanted = [...hashes.keys()].map((text) => Buffer.from(text, 'base64'))
  const rows = await readOutcomes(client, crawlId, wanted)
  const outcomes = new Map(
    rows.map(({ address, outcome }) => [addressKey(address), outcome ?? NOT_LOOKED_AT]),
  )
  const named = await readNamed(client, crawlId, wanted)
  const leadsTo = outcomes.get(addressKey(home.href))?.final_address ?? null
  const site: CrawledSite = { ...crawl, url: siteScope(home, leadsTo) }
  const is = (address: string, asked: (url: URL) => boolean) => {
    const url = URL.parse(address)
    return url !== null && asked(url)
  }
  return {
    outcomes,
    named: new Set(named.flatMap((hash) => hashes.get(textOf(hash)) ?? [])),
    isWhole: crawl.cutShort.length === 0,
    hiddenSince: hiddenSince(known, faulty, at),
    isLeftOut: (address) => is(address, (url) => isLeftOut(site, url)),
    isOutside: (page) => is(page, (url) => isOfHost(url, site.url) && !isOfSite(url, site.url)),
    at,
  }
}

/** Since when the newest of the pages and sitemaps that could not be read could not be read. */
function hiddenSince(
  known: readonly StoredFinding[],
  faulty: readonly JudgedAddress[],
  at: Date,
): Date | null {
  const since = new Map<string, number>()
  for (const { address, kind, firstSeenAt, fixedAt } of known) {
    if (fixedAt !== null || (kind !== 'broken_link' && kind !== 'unjudged' && kind !== 'sitemap_fault'))
      continue
    const key = addressKey(address)
    since.set(key, Math.min(since.get(key) ?? Number.POSITIVE_INFINITY, firstSeenAt.getTime()))
  }
  const hiding = faulty.filter(
    ({ isPage, isSitemap, outcome }) => (isPage || isSitemap) && isPassing(outcome),
  )
  const times = hiding.map(({ address }) => since.get(addressKey(address)) ?? at.getTime())
  return times.length === 0 ? null : new Date(Math.max(...times))
}

function addressesOf({ address, sources }: StoredFinding): string[] {
  return [address, ...sources.map(({ page }) => page)]
}

function textOf(hash: Buffer): string {
  return hash.toString('base64')
}
