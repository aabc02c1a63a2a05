import * as z from 'zod'
import { Instant } from '../instant.ts'
import { ofEachField, ofEachKind } from '../maintenance/subject-kind.ts'
import { AlertEvent } from './alert.ts'
import { ContactType } from './contact.ts'
import { DeliveryState } from './delivery-state.ts'

/** One attempt to send an alert, and the receiver's response. */
export const DeliveryAttempt = z.object({
  attempt: z.int(),
  attempted_at: Instant,
  duration_ms: z.int(),
  outcome: z.enum(['sent', 'retry', 'rejected']),
  status_code: z.int().nullable(),
  detail: z.string(),
  /** Advice, in English; null where nothing is known to help. */
  advice: z.string().nullable(),
})
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

/** The reason of an alert that is neither the first of an incident nor its recovery; `policy` is a name. */
export const DeliveryOrigin = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('step'), number: z.int(), round: z.int(), policy: z.string().nullable() }),
  z.object({ kind: z.literal('drill'), number: z.int(), policy: z.string() }),
  z.object({ kind: z.literal('reminder') }),
  z.object({ kind: z.literal('acknowledgement') }),
])
export type DeliveryOrigin = z.infer<typeof DeliveryOrigin>

/** One alert to one contact, with all attempts. */
export const Delivery = z.object({
  id: z.int(),
  event: AlertEvent,
  origin: DeliveryOrigin.nullable(),
  state: DeliveryState,
  created_at: Instant,
  finished_at: Instant.nullable(),
  /** Set while the delivery waits for another attempt. */
  next_attempt_at: Instant.nullable(),
  /** The end of the contact's quiet hours in which it was held, or dropped. */
  held_until: Instant.nullable(),
  /** The contact's id is null once it is deleted; name and type are those at the time. */
  contact_id: z.int().nullable(),
  contact_name: z.string(),
  contact_type: ContactType,
  /** The subject, in the fields of its kind; none for a test of a contact, and for a drill. */
  ...ofEachField('_id', () => z.int().nullable()),
  ...ofEachField('_name', () => z.string().nullable()),
  /** The incident of a monitor. */
  incident_id: z.int().nullable(),
  attempts: z.array(DeliveryAttempt),
})
export type Delivery = z.infer<typeof Delivery>

/** Detail of a mail attempt on a service without a mail server. */
export const MAIL_IS_NOT_SET_UP = 'mail is not set up: set SMTP_URL'

/** Whether an alert was not sent because the service has no mail server, which is no failure of the contact. */
export function isNotSetUp({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): boolean {
  return state === 'failed' && attempts.at(-1)?.detail === MAIL_IS_NOT_SET_UP
}

/** Whether an alert waits for the end of its contact's quiet hours. */
export function isHeld({
  state,
  held_until,
  next_attempt_at,
}: Pick<Delivery, 'state' | 'held_until' | 'next_attempt_at'>): boolean {
  return state === 'pending' && held_until !== null && held_until === next_attempt_at
}

/** A contact with its recent deliveries and agreement. */
export const ContactSummary = z.object({
  id: z.int(),
  ...ofEachField('s_count', () => z.int()),
  /** How many of each kind alert the contact: those that have it in their lists, and those without a list; null for all. */
  alerted_by: z.object(ofEachKind(() => z.int().nullable())),
  /** Set while the address has not agreed to get alerts; `asked_at` is null if it was not asked yet. */
  awaits_agreement: z.object({ asked_at: Instant.nullable() }).nullable(),
  last_delivery: Delivery.pick({
    id: true,
    event: true,
    state: true,
    created_at: true,
    next_attempt_at: true,
    held_until: true,
  }).nullable(),
})
export type ContactSummary = z.infer<typeof ContactSummary>
