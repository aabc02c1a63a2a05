import * as z from 'zod'
import { Instant } from '../instant.ts'
import { Acknowledgement } from './acknowledgement.ts'

/** Most notes of one incident. */
export const MAX_INCIDENT_NOTES = 500

const Person = z.string().nullable()

/** A step or reminder that came: whom it alerted, or why nobody. */
export const StepEvent = z.object({
  kind: z.enum(['step', 'reminder']),
  at: Instant,
  number: z.int(),
  round: z.int(),
  /** The name of the schedule that was asked. */
  schedule: z.string().nullable(),
  contacts: z.array(z.string()),
  unreached: z.enum(['gap', 'unreachable', 'just alerted']).nullable(),
})
export type StepEvent = z.infer<typeof StepEvent>

/** An action of people on an incident, or a call for them. Names are null once their accounts are deleted. */
export const ResponseEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('acknowledged'),
    at: Instant,
    by: Person,
    via: z.enum(['dashboard', 'link']),
    note: z.string().nullable(),
  }),
  z.object({ kind: z.literal('withdrawn'), at: Instant, by: Person }),
  z.object({ kind: z.literal('note'), at: Instant, by: Person, text: z.string() }),
  StepEvent.extend({ kind: z.literal('step') }),
  StepEvent.extend({ kind: z.literal('reminder') }),
])
export type ResponseEvent = z.infer<typeof ResponseEvent>

/** A step or reminder that is to come unless somebody acknowledges. */
export const NextStep = z.object({ kind: z.enum(['step', 'reminder']), number: z.int(), at: Instant })
export type NextStep = z.infer<typeof NextStep>

/** A person to call about an open incident: who has it, or is on call now. */
export const CallablePerson = z.object({
  user_id: z.int(),
  name: z.string(),
  /** E.164. */
  phone: z.string(),
  why: z.enum(['acknowledged', 'on call']),
})
export type CallablePerson = z.infer<typeof CallablePerson>

/** The response to an incident: who has it, what happened, in order, and what comes next. */
export const IncidentResponse = z.object({
  acknowledgement: Acknowledgement.nullable(),
  /** Null without a policy. */
  policy: z.string().nullable(),
  events: z.array(ResponseEvent),
  next: z.array(NextStep),
  /** Members with a phone number, who has the incident first; nobody once it is over. */
  callable: z.array(CallablePerson),
})
export type IncidentResponse = z.infer<typeof IncidentResponse>
