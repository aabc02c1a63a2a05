import * as z from 'zod'
import { FLAPS } from '../alerting/flapping.ts'
import { Instant } from '../instant.ts'
import type { Said } from '../language/said.ts'
import { ExpiryOf } from '../lists/expiry-list.ts'
import { CheckStatus } from '../monitors/check.ts'
import { PlanName } from '../teams/plan.ts'
import { SiteArea } from './area.ts'
import { SiteSettings } from './site.ts'

export const MAX_SITES_LISTED = 5_000
export const MAX_DNS_SETS = 500
export const MAX_SITE_INCIDENTS = 200

/** A line for each area: its state, since when, the next look. */
export const ShownArea = z.object({
  area: SiteArea,
  is_on: z.boolean(),
  status: CheckStatus,
  status_since: Instant,
  /** Why it is not up, or what is known: a sentence. */
  cause: z.string().nullable(),
  /** The same as sentences with their values; none without a cause. */
  cause_said: z.array(z.custom<Said>()),
  /** Trouble that one look has seen; the next look decides. */
  doubt: z.string().nullable(),
  looked_at: Instant.nullable(),
  next_look_at: Instant.nullable(),
  snoozed_until: Instant.nullable(),
  snooze_reason: z.string().nullable(),
})
export type ShownArea = z.infer<typeof ShownArea>

export const SiteRow = z.object({
  id: z.int(),
  name: z.string(),
  url: z.string(),
  is_active: z.boolean(),
  /** The worst of its areas that are on and not snoozed. */
  status: CheckStatus,
  status_since: Instant,
  ...FLAPS,
  areas: z.array(ShownArea),
  /** Confirmed, not fixed, not ignored. */
  broken_links: z.int(),
  /** Sorted. */
  tags: z.array(z.string()),
})
export type SiteRow = z.infer<typeof SiteRow>

/** The limits of the team's plan; null: unlimited. */
export const SiteLimits = z.object({
  sites: z.int(),
  plan: PlanName,
  max_sites: z.int().nullable(),
  max_crawl_pages: z.int(),
  min_home_interval_seconds: z.int(),
})
export type SiteLimits = z.infer<typeof SiteLimits>

/** A crawl, while it runs or after: numbers of addresses. */
export const ShownCrawl = z.object({
  started_at: Instant,
  ended_at: Instant.nullable(),
  pages_done: z.int(),
  pages_waiting: z.int(),
  links_done: z.int(),
  links_waiting: z.int(),
  /** Why it is not whole: sentences; none for a whole one. */
  cut_short: z.array(z.custom<Said>()),
  by_hand: z.boolean(),
})
export type ShownCrawl = z.infer<typeof ShownCrawl>

/** A certificate of the chain, the leaf first. */
export const ShownCertificate = z.object({
  subject: z.string(),
  issuer: z.string(),
  names: z.array(z.string()),
  expires_at: Instant,
  fingerprint: z.string(),
})
export type ShownCertificate = z.infer<typeof ShownCertificate>

export const SiteDetail = SiteRow.extend({
  settings: SiteSettings,
  chain: z.array(ShownCertificate),
  domain: z.object({
    name: z.string().nullable(),
    expires_on: z.string().nullable(),
    /** Where the date is from, or why there is none: a sentence. */
    source: z.string(),
  }),
  /** The newest one. */
  crawl: ShownCrawl.nullable(),
  /** A crawl that is due waits until one of `running` ends: of its team, which has as many as a team may, or of any. */
  crawl_waits: z.object({ for: z.enum(['team', 'any']), running: z.int() }).nullable(),
  created_at: Instant,
})
export type SiteDetail = z.infer<typeof SiteDetail>

/** Records of one type as they stood; the newest first. */
export const DnsSet = z.object({
  type: z.string(),
  records: z.array(z.string()),
  first_seen_at: Instant,
  last_seen_at: Instant,
})
export type DnsSet = z.infer<typeof DnsSet>

/** A date at which a certificate or a registration ends, of a site or a monitor. */
export const Expiry = z.object({
  of: ExpiryOf,
  subject: z.enum(['site', 'monitor']),
  subject_id: z.int(),
  name: z.string(),
  at: Instant,
})
export type Expiry = z.infer<typeof Expiry>

export const SiteIncident = z.object({
  id: z.int(),
  site_id: z.int(),
  site_name: z.string(),
  area: SiteArea,
  started_at: Instant,
  resolved_at: Instant.nullable(),
  cause: z.string(),
})
export type SiteIncident = z.infer<typeof SiteIncident>
