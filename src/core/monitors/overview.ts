import * as z from 'zod'
import { ContactType } from '../alerting/contact.ts'
import { Instant } from '../instant.ts'
import { ServerBrief } from '../servers/server-brief.ts'
import { SiteArea } from '../sites/area.ts'
import { SiteBrief } from '../sites/site-brief.ts'
import { MonitorBrief, StatusCounts } from './status.ts'

/** A monitor that is down, degraded or cannot be judged, with the reason. */
export const AttentionItem = z.object({ monitor: MonitorBrief, reason: z.string().nullable() })
export type AttentionItem = z.infer<typeof AttentionItem>

/** A server that is down or degraded, with the reason. */
export const ServerAttention = z.object({
  server: ServerBrief,
  reason: z.string().nullable(),
})
export type ServerAttention = z.infer<typeof ServerAttention>

/** A site that is down or degraded, with the area that makes it so and the reason. */
export const SiteAttention = z.object({
  site: SiteBrief,
  area: SiteArea,
  reason: z.string().nullable(),
})
export type SiteAttention = z.infer<typeof SiteAttention>

/** The start or end of an incident. */
export const RecentEvent = z.object({
  at: Instant,
  kind: z.enum(['opened', 'resolved']),
  incident_id: z.int(),
  monitor_id: z.int(),
  monitor_name: z.string(),
  cause: z.string().nullable(),
  /** Set when an incident ended. */
  duration_seconds: z.int().nullable(),
})
export type RecentEvent = z.infer<typeof RecentEvent>

/** A contact whose last alert was not delivered. */
export const FailingContact = z.object({
  id: z.int(),
  name: z.string(),
  type: ContactType,
  failed_at: Instant,
  detail: z.string(),
})
export type FailingContact = z.infer<typeof FailingContact>

/** The overview screen, problems first. */
export const Overview = z.object({
  counts: StatusCounts,
  /** Most severe first, and limited; `counts` has the totals. */
  attention: z.array(AttentionItem),
  /** The same of servers, and of sites. */
  servers: z.object({ counts: StatusCounts, attention: z.array(ServerAttention) }),
  sites: z.object({ counts: StatusCounts, attention: z.array(SiteAttention) }),
  events: z.array(RecentEvent),
  failing_contacts: z.array(FailingContact),
  /** Contacts that can be alerted; without mail set up, e-mail contacts do not count. */
  contacts_count: z.int(),
})
export type Overview = z.infer<typeof Overview>
