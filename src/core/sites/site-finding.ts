import * as z from 'zod'
import { Instant } from '../instant.ts'
import { SiteArea } from './area.ts'

/** Pages that are kept of those that hold a faulty link. */
export const MAX_SOURCES = 20
export const MAX_FINDINGS_LISTED = 1_000
export const MAX_REASON_LENGTH = 500
/** A link is told once it failed in two crawls at least this far apart. */
export const CONFIRM_AFTER_MS = 3_600_000
/** After this long, findings that are known and not fixed are told again. */
export const REMIND_AFTER_MS = 7 * 86_400_000

/** `unjudged` is listed and never told; see core/sites/link-outcome.ts. */
export const FindingKind = z.enum([
  'broken_link',
  'redirect_hint',
  'soft_404',
  'unjudged',
  'mixed_active',
  'mixed_passive',
  'sitemap_fault',
])
export type FindingKind = z.infer<typeof FindingKind>

/** `label`: the text of the link, or the element and attribute that names the address. */
export const Source = z.object({ page: z.string(), label: z.string() })
export type Source = z.infer<typeof Source>

/** A fault of a site, as a line in a list. */
export const SiteFinding = z.object({
  id: z.int(),
  area: SiteArea,
  kind: FindingKind,
  address: z.string(),
  detail: z.string(),
  sources: z.array(Source).max(MAX_SOURCES),
  first_seen_at: Instant,
  last_seen_at: Instant,
  confirmed_at: Instant.nullable(),
  fixed_at: Instant.nullable(),
  ignored_at: Instant.nullable(),
  ignored_reason: z.string().nullable(),
})
export type SiteFinding = z.infer<typeof SiteFinding>
