import { type Said, said } from '../../language/said.ts'
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

const grouped = (number: number) => number.toLocaleString('en-US')

const REASONS: Record<CrawlLimit, (maxPages: number) => Said> = {
  pages: (max) => said('it has more than {max} pages, the most that a crawl looks at', { max: grouped(max) }),
  depth: () => said('it has pages more than {max} levels deep', { max: MAX_CRAWL_DEPTH }),
  alike: () =>
    said('it has more than {max} pages of one kind, as a calendar has', { max: grouped(MAX_PAGES_OF_SHAPE) }),
  targets: (max) =>
    said('it uses more than {max} addresses that are no pages of it', {
      max: grouped(max * MAX_TARGETS_PER_PAGE),
    }),
  large: () =>
    said('a page has more than {max} MiB, and the rest was not read', { max: MAX_PAGE_BYTES / MEBIBYTE }),
  broken_off: () => said('a page broke off while it was read, or cannot be unpacked'),
  many_links: () =>
    said('a page has more than {max} links, and the rest was not looked at', {
      max: grouped(MAX_LINKS_OF_PAGE),
    }),
  long_address: () => said('a link is longer than {max} characters', { max: grouped(MAX_ADDRESS_LENGTH) }),
  sitemaps: () => said('it has more than {max} sitemaps', { max: MAX_SITEMAPS }),
  refused: () => said('its server answered 429 again and again, and was left alone'),
  time: () => said('it took longer than {max} hours', { max: MAX_CRAWL_HOURS }),
}

export function limitSentence(limit: CrawlLimit, maxPages: number): Said {
  return REASONS[limit](maxPages)
}
