import * as z from 'zod'
import { LocalDate } from '../maintenance/local-time.ts'
import { RecordId } from '../record-id.ts'
import { label, MAX_NAME_LENGTH, text } from '../text.ts'
import { SiteArea } from './area.ts'

export const MAX_SITE_CONTACTS = 100
export const MAX_SITE_URL_LENGTH = 600
export const MAX_IGNORED_PATTERNS = 100
export const MAX_PATTERN_LENGTH = 300
/** The bound of one crawl; a plan may allow fewer. */
export const MAX_CRAWL_PAGES = 5_000
export const MAX_CRAWL_DEPTH = 10
export const MIN_HOME_INTERVAL_SECONDS = 30
export const MAX_HOME_INTERVAL_SECONDS = 3_600

/** A site, as a form sends it. Faults that look at several fields, or at the address, are `siteFaults`. */
export const SiteSettings = z.object({
  name: label(MAX_NAME_LENGTH).describe('Name of the site. Alerts and the dashboard show it.'),
  url: text(MAX_SITE_URL_LENGTH).describe(
    'Address of the home page: `https://example.com/`. The crawl begins there.',
  ),
  is_active: z.boolean().describe('False: nothing is looked at.').default(true),
  home_interval_seconds: z
    .int()
    .min(MIN_HOME_INTERVAL_SECONDS)
    .max(MAX_HOME_INTERVAL_SECONDS)
    .describe('Seconds between two looks at the home page.')
    .default(60),
  max_pages: z
    .int()
    .min(1)
    .max(MAX_CRAWL_PAGES)
    .describe('Pages that a crawl looks at.')
    .default(MAX_CRAWL_PAGES),
  checks_foreign_links: z
    .boolean()
    .describe('Whether links to other sites are looked at, once each.')
    .default(true),
  ignored_patterns: z
    .array(text(MAX_PATTERN_LENGTH))
    .max(MAX_IGNORED_PATTERNS)
    .describe('Addresses that a crawl leaves out; `*` stands for any characters.')
    .default([]),
  domain_expires_on: LocalDate.nullable()
    .describe('When the registration of the domain ends, where its registry does not publish that.')
    .default(null),
  areas_off: z
    .array(SiteArea)
    .max(SiteArea.options.length)
    .describe('Areas that are not looked at.')
    .default([]),
  contact_ids: z
    .array(RecordId)
    .max(MAX_SITE_CONTACTS)
    .describe('Contacts that alerts go to; none: to every contact of the team.')
    .default([]),
})
export type SiteSettings = z.infer<typeof SiteSettings>
