import { addressKey } from '../../../core/sites/crawl/address.ts'
import type { FoundFault, FoundLink } from '../../../core/sites/crawl/found.ts'
import type { CrawlLimit } from '../../../core/sites/crawl/limits.ts'
import type { LinkOutcome } from '../../../core/sites/link-outcome.ts'
import type { Crawling } from './crawling.ts'

export type Found = {
  links: FoundLink[]
  faults: FoundFault[]
  /** Limits by which something of it is left out. */
  limits: CrawlLimit[]
  /** The depth of what was found. */
  depth: number
  isVouchedFor: boolean
}

/** Limits that are of one page: which one it is helps. */
const OF_PAGE: ReadonlySet<CrawlLimit> = new Set(['large', 'broken_off', 'many_links', 'long_address'])

/** Writes what became of an address and what it led to, within the budget. */
export async function keep(
  { known, write, leaveOut }: Crawling,
  address: string,
  outcome: LinkOutcome,
  { links, faults, limits, depth, isVouchedFor }: Found,
): Promise<void> {
  const found = []
  const kept = new Map<string, { target: string; label: string }>()
  const own = addressKey(address)
  const hit = new Set(limits)
  for (const link of links) {
    const { href } = link.address
    const key = addressKey(href)
    if (kept.has(key)) continue
    const { isNew, limit } = known.take({ address: link.address, isPage: link.isPage, depth, isVouchedFor })
    if (isNew) found.push({ address: link.address, isPage: link.isPage, depth })
    if (limit !== null) hit.add(limit)
    if (key !== own && known.keepsLink(href)) kept.set(key, { target: href, label: link.label })
  }
  // Before the visit: a crawl that is killed in between looks again, and says so again.
  for (const limit of hit) await leaveOut(limit, OF_PAGE.has(limit) ? address : undefined)
  await write({
    address,
    outcome,
    found,
    links: [...kept.values()],
    faults: faults.map((fault) => ({ ...fault, key: faultKey(fault) })),
  })
}

/** A sitemap may have several faults; an address is one, whatever pages use it. */
function faultKey({ kind, address, detail }: FoundFault): string {
  return kind === 'sitemap_fault' ? `${kind} ${address} ${detail}` : `${kind} ${address}`
}

export const NOTHING_FOUND: Found = { links: [], faults: [], limits: [], depth: 0, isVouchedFor: false }
