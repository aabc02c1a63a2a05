import * as z from 'zod'
import { ContactType } from '../alerting/contact.ts'
import { Instant } from '../instant.ts'
import { ofEachField } from '../maintenance/subject-kind.ts'
import { StatusCounts } from '../monitors/status.ts'
import { TroubleGroup } from './trouble.ts'

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

const { monitors: _, ...ofOthers } = ofEachField('s', () => z.object({ counts: StatusCounts }))

/** The overview screen, problems first. */
export const Overview = z.object({
  /** When it was answered, by the clock of the service: what began later is new to its reader. */
  at: Instant,
  /** The counts of monitors. */
  counts: StatusCounts,
  ...ofOthers,
  /** Ongoing incidents of all kinds, as the list of incidents has them. */
  incidents_open: z.int(),
  /** Worst first, then newest first, and limited; the counts have the totals. */
  troubles: z.array(TroubleGroup),
  /** In trouble, and in none of `troubles`. */
  troubles_rest: z.int(),
  events: z.array(RecentEvent),
  failing_contacts: z.array(FailingContact),
  /** Contacts that can be alerted; without mail set up, e-mail contacts do not count. */
  contacts_count: z.int(),
})
export type Overview = z.infer<typeof Overview>
