import { MAX_CRAWL_DEPTH } from '../site.ts'
import { shapeOf } from './address.ts'
import { type CrawlLimit, MAX_PAGES_OF_SHAPE, MAX_TARGETS_PER_PAGE } from './limits.ts'

/** An address that a crawl has come to. A sitemap vouches for its pages: they are no endless space. */
export type Candidate = { address: URL; isPage: boolean; depth: number; isVouchedFor: boolean }

export type CrawlBudget = {
  /** Takes an address, which counts from then on, or says by what limit it is left out. To be asked once for each address. */
  take(candidate: Candidate): CrawlLimit | null
}

export function createBudget(maxPages: number): CrawlBudget {
  const shapes = new Map<string, number>()
  let pages = 0
  let targets = 0

  return {
    take({ address, isPage, depth, isVouchedFor }) {
      if (!isPage) return ++targets > maxPages * MAX_TARGETS_PER_PAGE ? 'targets' : null
      if (depth > MAX_CRAWL_DEPTH) return 'depth'
      const shape = shapeOf(address)
      const alike = shapes.get(shape) ?? 0
      if (!isVouchedFor && alike >= MAX_PAGES_OF_SHAPE) return 'alike'
      if (pages >= maxPages) return 'pages'
      pages++
      shapes.set(shape, alike + 1)
      return null
    },
  }
}
