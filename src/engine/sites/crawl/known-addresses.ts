import { type Candidate, createBudget } from '../../../core/sites/crawl/budget.ts'
import type { CrawlLimit } from '../../../core/sites/crawl/limits.ts'
import { MAX_SOURCES } from '../../../core/sites/site-finding.ts'
import { hashAddress, type KnownAddress } from '../../../store/sites/crawls.ts'

/** Everything that a crawl has come to, by hash: whether an address is new and affordable, and how many links to it are kept. */
export type KnownAddresses = {
  /** Whether the address is to be looked at; `isNew`: by this call; `limit`: why not. */
  take(candidate: Candidate): { isTaken: boolean; isNew: boolean; limit: CrawlLimit | null }
  /** Whether one more link to it is kept: those of addresses that are not looked at only show that a known fault is still there. */
  keepsLink(address: string): boolean
}

/** `faulty`: hashes of the addresses of faults that crawls before have found. */
export function createKnownAddresses(
  maxPages: number,
  before: readonly KnownAddress[],
  faulty: readonly Buffer[],
): KnownAddresses {
  const sources = new Map<string, number>()
  const taken = new Set<string>()
  const known = new Set(faulty.map(textOf))
  const budget = createBudget(maxPages)
  for (const { address, isPage, depth, sources: kept } of before) {
    budget.take({ address: new URL(address), isPage, depth, isVouchedFor: true })
    taken.add(textOf(hashAddress(address)))
    sources.set(textOf(hashAddress(address)), kept)
  }

  return {
    take(candidate) {
      const key = textOf(hashAddress(candidate.address.href))
      if (taken.has(key)) return { isTaken: true, isNew: false, limit: null }
      const limit = budget.take(candidate)
      if (limit === null) taken.add(key)
      return { isTaken: limit === null, isNew: limit === null, limit }
    },
    keepsLink(address) {
      const key = textOf(hashAddress(address))
      const kept = sources.get(key) ?? 0
      if (kept >= MAX_SOURCES || (!taken.has(key) && !known.has(key))) return false
      sources.set(key, kept + 1)
      return true
    },
  }
}

function textOf(hash: Buffer): string {
  return hash.toString('latin1')
}
