import * as z from 'zod'
import { ContactType } from '../alerting/contact.ts'
import { Instant } from '../instant.ts'
import { MonitorBrief, StatusCounts } from './status.ts'

/** A monitor that is down, degraded or cannot be judged, and why. */
export const AttentionItem = z.object({ monitor: MonitorBrief, reason: z.string().nullable() })
export type AttentionItem = z.infer<typeof AttentionItem>

/** An incident began or ended. */
export const RecentEvent = z.object({
  at: Instant,
  kind: z.enum(['opened', 'resolved']),
  incident_id: z.int(),
  monitor_id: z.int(),
  monitor_name: z.string(),
  cause: z.string().nullable(),
  /** Of an incident that ended. */
  duration_seconds: z.int().nullable(),
})
export type RecentEvent = z.infer<typeof RecentEvent>

/** A contact that did not get its last alert. */
export const FailingContact = z.object({
  id: z.int(),
  name: z.string(),
  type: ContactType,
  failed_at: Instant,
  detail: z.string(),
})
export type FailingContact = z.infer<typeof FailingContact>

/** The first screen, problems first. */
export const Overview = z.object({
  counts: StatusCounts,
  /** The worst first, bounded: `counts` says how many there are. */
  attention: z.array(AttentionItem),
  events: z.array(RecentEvent),
  failing_contacts: z.array(FailingContact),
  /** Of those that can be told at all: without mail set up no address is. */
  contacts_count: z.int(),
})
export type Overview = z.infer<typeof Overview>
