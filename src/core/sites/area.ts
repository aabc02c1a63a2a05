import * as z from 'zod'
import { phrase } from '../language/phrase.ts'

/** The areas of a site, each on a schedule of its own. Those from `links` on come from one crawl. */
export const SiteArea = z.enum([
  'home_page',
  'certificate',
  'dns',
  'domain',
  'links',
  'mixed_content',
  'sitemap',
])
export type SiteArea = z.infer<typeof SiteArea>

/** Areas that a crawl looks at. `links` carries the schedule of the crawl. */
export const CRAWLED_AREAS = ['links', 'mixed_content', 'sitemap'] as const satisfies SiteArea[]
/** Areas without a schedule: what a crawl for links finds besides. */
export const FOUND_BESIDE = ['mixed_content', 'sitemap'] as const satisfies SiteArea[]
export type CrawledArea = (typeof CRAWLED_AREAS)[number]
export type LookedArea = Exclude<SiteArea, CrawledArea>

export const AREA_NAMES = {
  home_page: phrase('Home page'),
  certificate: phrase('Certificate'),
  dns: 'DNS',
  domain: phrase('Domain'),
  links: phrase('Links'),
  mixed_content: phrase('Mixed content'),
  sitemap: phrase('Sitemap'),
} as const satisfies Record<SiteArea, string>

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Milliseconds between two looks. The home page has the interval of its site. */
export const LOOK_EVERY_MS = {
  certificate: HOUR_MS,
  dns: 5 * MINUTE_MS,
  domain: DAY_MS,
  links: DAY_MS,
} as const

/** Areas whose failure is an outage: all others warn. */
export const OUTAGE_AREAS = ['home_page', 'certificate', 'dns', 'domain'] as const satisfies SiteArea[]
