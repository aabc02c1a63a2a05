import { type Candidate, createBudget } from '../../../core/sites/crawl/budget.ts'
import { MAX_SOURCES } from '../../../core/sites/site-finding.ts'
import { hashAddress, type KnownAddress } from '../../../store/sites/crawls.ts'

/** Everything that a crawl has come to, by hash: whether an address is new and affordable, and how many links to it are kept. */
export type KnownAddresses = {
  /** Whether the address is to be looked at; `isNew`: by this call. */
  take(candidate: Candidate): { isTaken: boolean; isNew: boolean }
  /** Whether one more link to it is kept. */
  keepsLink(address: string): boolean
  isBudgetSpent(): boolean
}

export function createKnownAddresses(maxPages: number, before: readonly KnownAddress[]): KnownAddresses {
  const sources = new Map<string, number>()
  const budget = createBudget(maxPages)
  const keyOf = (address: string) => hashAddress(address).toString('latin1')
  for (const { address, isPage, depth, sources: kept } of before) {
    budget.take({ address: new URL(address), isPage, depth, isVouchedFor: true })
    sources.set(keyOf(address), kept)
  }

  return {
    take(candidate) {
      const key = keyOf(candidate.address.href)
      if (sources.has(key)) return { isTaken: true, isNew: false }
      const isNew = budget.take(candidate)
      if (isNew) sources.set(key, 0)
      return { isTaken: isNew, isNew }
    },
    keepsLink(address) {
      const key = keyOf(address)
      const kept = sources.get(key) ?? 0
      if (kept >= MAX_SOURCES) return false
      sources.set(key, kept + 1)
      return true
    },
    isBudgetSpent: () => budget.isSpent(),
  }
}
