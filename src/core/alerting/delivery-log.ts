import * as z from 'zod'
import { Instant } from '../instant.ts'
import { AlertEvent } from './alert.ts'
import { ContactType } from './contact.ts'

export const DeliveryState = z.enum(['pending', 'sent', 'failed'])
export type DeliveryState = z.infer<typeof DeliveryState>

/** One try to send an alert, and what the receiver answered. */
export const DeliveryAttempt = z.object({
  attempt: z.int(),
  attempted_at: Instant,
  duration_ms: z.int(),
  outcome: z.enum(['sent', 'retry', 'rejected']),
  status_code: z.int().nullable(),
  detail: z.string(),
})
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

/** One alert to one contact, with every attempt. */
export const Delivery = z.object({
  id: z.int(),
  event: AlertEvent,
  state: DeliveryState,
  created_at: Instant,
  finished_at: Instant.nullable(),
  /** Of one that waits for another attempt. */
  next_attempt_at: Instant.nullable(),
  /** As it was called then; the id is null once the contact is deleted. */
  contact_id: z.int().nullable(),
  contact_name: z.string(),
  contact_type: ContactType,
  monitor_id: z.int().nullable(),
  monitor_name: z.string().nullable(),
  incident_id: z.int().nullable(),
  attempts: z.array(DeliveryAttempt),
})
export type Delivery = z.infer<typeof Delivery>

/** What an attempt by mail comes to on a service that has no mail server. */
export const MAIL_IS_NOT_SET_UP = 'mail is not set up: set SMTP_URL'

/** Whether an alert was not sent because there is no way to send it by: nothing has failed. */
export function isNotSetUp({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): boolean {
  return state === 'failed' && attempts.at(-1)?.detail === MAIL_IS_NOT_SET_UP
}

/** A contact with what became of it lately. */
export const ContactSummary = z.object({
  id: z.int(),
  monitors_count: z.int(),
  /** Of an address that gets no alerts before it agrees; not asked: null. */
  awaits_agreement: z.object({ asked_at: Instant.nullable() }).nullable(),
  last_delivery: Delivery.pick({ id: true, event: true, state: true, created_at: true }).nullable(),
})
export type ContactSummary = z.infer<typeof ContactSummary>
