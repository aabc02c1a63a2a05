import type { FoundFault, FoundLink } from '../../../core/sites/crawl/found.ts'
import type { LinkOutcome } from '../../../core/sites/link-outcome.ts'
import type { Crawling } from './crawling.ts'

export type Found = {
  links: FoundLink[]
  faults: FoundFault[]
  /** Of what was found. */
  depth: number
  isVouchedFor: boolean
}

/** Writes what became of an address and what it led to, within the budget. */
export async function keep(
  { known, write }: Crawling,
  address: string,
  outcome: LinkOutcome,
  { links, faults, depth, isVouchedFor }: Found,
): Promise<void> {
  const found = []
  const kept = new Map<string, string>()
  for (const link of links) {
    const { href } = link.address
    if (kept.has(href)) continue
    const { isTaken, isNew } = known.take({ address: link.address, isPage: link.isPage, depth, isVouchedFor })
    if (isNew) found.push({ address: link.address, isPage: link.isPage, depth })
    if (isTaken && href !== address && known.keepsLink(href)) kept.set(href, link.label)
  }
  await write({
    address,
    outcome,
    found,
    links: [...kept].map(([target, label]) => ({ target, label })),
    faults: faults.map((fault) => ({ ...fault, key: faultKey(fault) })),
  })
}

/** A sitemap may have several faults; an insecure address is one, whatever pages use it. */
function faultKey({ kind, address, detail }: FoundFault): string {
  return kind === 'sitemap_fault' ? `${kind} ${address} ${detail}` : `${kind} ${address}`
}

export const NOTHING_FOUND: Found = { links: [], faults: [], depth: 0, isVouchedFor: false }
