import { cut } from '../../text.ts'
import { MAX_CRAWL_DEPTH } from '../site.ts'
import { MAX_ADDRESS_LENGTH } from './address.ts'
import { MAX_PAGE_BYTES } from './asking.ts'
import { MAX_LINKS_OF_PAGE } from './page.ts'
import { MAX_SITEMAPS } from './sitemap-file.ts'

/** Everything by which a crawl leaves out something of a site. */
export type CrawlLimit =
  | 'pages'
  | 'depth'
  | 'alike'
  | 'targets'
  | 'large'
  | 'broken_off'
  | 'many_links'
  | 'long_address'
  | 'sitemaps'
  | 'refused'
  | 'time'

export const MAX_CRAWL_HOURS = 20
/** Pages of one shape that are followed by links: the next month of a calendar is always there. */
export const MAX_PAGES_OF_SHAPE = 1_000
/** Targets that are no pages, for each page that a crawl may look at. */
export const MAX_TARGETS_PER_PAGE = 2
const MEBIBYTE = 1_024 * 1_024
const MAX_EXAMPLE_LENGTH = 200

const said = (number: number) => number.toLocaleString('en-US')

const REASONS: Record<CrawlLimit, (maxPages: number) => string> = {
  pages: (max) => `it has more than ${said(max)} pages, the most that a crawl looks at`,
  depth: () => `it has pages more than ${MAX_CRAWL_DEPTH} levels deep`,
  alike: () => `it has more than ${said(MAX_PAGES_OF_SHAPE)} pages of one kind, as a calendar has`,
  targets: (max) => `it uses more than ${said(max * MAX_TARGETS_PER_PAGE)} addresses that are no pages of it`,
  large: () => `a page has more than ${MAX_PAGE_BYTES / MEBIBYTE} MiB, and the rest was not read`,
  broken_off: () => 'a page broke off while it was read, or cannot be unpacked',
  many_links: () => `a page has more than ${said(MAX_LINKS_OF_PAGE)} links, and the rest was not looked at`,
  long_address: () => `a link is longer than ${said(MAX_ADDRESS_LENGTH)} characters`,
  sitemaps: () => `it has more than ${MAX_SITEMAPS} sitemaps`,
  refused: () => 'its server answered 429 again and again, and was left alone',
  time: () => `it took longer than ${MAX_CRAWL_HOURS} hours`,
}

/** Why a crawl is not whole: a sentence, with the first page that it is true of. */
export function limitReason(limit: CrawlLimit, maxPages: number, page?: string): string {
  const reason = REASONS[limit](maxPages)
  return page === undefined ? reason : `${reason}: ${cut(page, MAX_EXAMPLE_LENGTH)}`
}
