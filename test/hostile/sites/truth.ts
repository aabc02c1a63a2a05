import type { Delivery } from '../logs.ts'
import type { Span } from '../spans.ts'

/** The area of a site whose failure is an incident, as incidents name it. */
export const HOME = 'home_page'

/** The pages of each website; all are found by links, and half of them by its sitemap. */
export const PAGES = 24

/** The answer to a crawler; `isFaulty`: of a sitemap that is none, or of a home page that fails. */
export type CrawlAnswer = { site: number; path: string; atMs: number; isFaulty: boolean }

/**
 * A crawl that ended, by its row; `isCutShort`: before it had seen everything; `isSitemapRead`: the answer to its question
 * for the sitemap reached it.
 */
export type EndedCrawl = Span & { site: number; id: number; isCutShort: boolean; isSitemapRead: boolean }

/** An alert about a sitemap, which belongs to no incident; `atMs`: when the crawl ended that it tells of. */
export type Warning = Omit<Delivery, 'incident'> & { atMs: number }

/** Everything that crawlers were told, and what became of it. */
export type Sites = { numbers: number[]; answers: CrawlAnswer[]; crawls: EndedCrawl[]; warnings: Warning[] }

/** A site as the database knows it, and as everybody here does. */
export type WatchedSite = { id: number; number: number }

/** Tells outages and incidents of sites from those of servers, which have other conditions. */
export function isOfSite({ condition }: { condition?: string }): boolean {
  return condition === HOME
}

export function pathOf(page: number): string {
  return page === 0 ? '/' : `/page-${page}`
}
