import * as z from 'zod'
import { ContactType } from '../alerting/contact.ts'
import { DeliveryState } from '../alerting/delivery-state.ts'
import { QuietHours } from '../alerting/quiet-hours.ts'
import { Instant } from '../instant.ts'
import { SUBJECT_KINDS } from '../maintenance/subject-kind.ts'
import { RecordId } from '../record-id.ts'
import { Acknowledgement } from './acknowledgement.ts'
import { PolicyChain } from './policy.ts'

export const MAX_DRY_RUN_EVENTS = 100
/** A dry run with reminders looks so far ahead. */
export const DRY_RUN_HOURS = 24

/** A question what would happen; a policy that is not saved yet may be asked about. */
export const DryRunQuestion = z.object({
  kind: z.enum(SUBJECT_KINDS),
  id: RecordId.describe('ID of the monitor, server or site that fails.'),
  at: z.iso.datetime({ offset: true }).describe('When it fails.'),
  policy: PolicyChain.nullable().default(null).describe('The policy to try; null for the one that applies.'),
})
export type DryRunQuestion = z.infer<typeof DryRunQuestion>

const Unreached = z.enum(['gap', 'unreachable', 'just alerted']).nullable()

/** The events that follow if a subject fails at a time and nobody acknowledges. */
export const DryRun = z.object({
  subject: z.string(),
  /** Later than asked where maintenance applies. */
  opens_at: Instant,
  events: z.array(
    z.object({
      kind: z.enum(['alert', 'step', 'reminder']),
      number: z.int(),
      round: z.int(),
      at: Instant,
      schedule: z.string().nullable(),
      contacts: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          /** The effect of the contact's quiet hours on the alert, and when they end; null if it is sent. */
          quiet: z.object({ action: QuietHours.shape.action, until: Instant }).nullable(),
        }),
      ),
      unreached: Unreached,
    }),
  ),
})
export type DryRun = z.infer<typeof DryRun>

/** In a drill steps follow each other so quickly. */
export const DRILL_STEP_SECONDS = 10
/** A drill can be acknowledged for this long after its last step. */
export const DRILL_MINUTES = 15

/** A drill: the steps of a policy one after the other, with the alerts that they sent. */
export const Drill = z.object({
  id: z.int(),
  policy: z.string(),
  started_at: Instant,
  /** When its links stop to work. */
  ends_at: Instant,
  acknowledgement: Acknowledgement.nullable(),
  steps: z.array(
    z.object({
      number: z.int(),
      at: Instant,
      is_done: z.boolean(),
      schedule: z.string().nullable(),
      unreached: Unreached,
      alerts: z.array(
        z.object({
          contact_name: z.string(),
          contact_type: ContactType,
          state: DeliveryState,
          /** The receiver's response to the last attempt. */
          detail: z.string().nullable(),
        }),
      ),
    }),
  ),
})
export type Drill = z.infer<typeof Drill>
