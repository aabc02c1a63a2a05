import * as z from 'zod'
import { Instant } from '../instant.ts'
import { cutCause, MAX_CAUSE_LENGTH } from './cause.ts'

/** What one execution found, and what a monitor's `status` repeats. `pending` means: could not be judged. */
export const CheckStatus = z
  .enum(['pending', 'up', 'down', 'degraded'])
  .describe(
    'What a check found; of a monitor, the latest. `degraded` passed with a warning, `pending` was not judged yet. Read a value that you do not know as `pending`.',
  )
export type CheckStatus = z.infer<typeof CheckStatus>

/** Where the time of one attempt went, in milliseconds; null for a phase that was not reached. */
export type Phases = {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
  transferMs: number | null
}

/** The leaf certificate a check met. `fingerprint` (SHA-256, hex) tells one certificate from its renewal. */
export type SeenCertificate = {
  expiresAt: Date
  fingerprint: string
}

/**
 * What one execution of a check found.
 * `pending` is our own trouble (no name server, no descriptors, a stalled loop): it judges nothing.
 */
export type CheckResult = {
  status: CheckStatus
  /** Whole milliseconds from the start of the attempt to the last byte needed; null without an answer. */
  responseTimeMs: number | null
  httpStatusCode: number | null
  /** What a person needs to know; null when the check passed without a warning. */
  errorMessage: string | null
  phases: Phases | null
  certificate: SeenCertificate | null
  /** How it was found, where that took more than one attempt; no part of the cause. */
  note?: string
  /** The IP literal that was connected to last, or tried first; absent when it never came to one. */
  address?: string
  /** The name that the name servers were asked for last; with no `address` they did not give one. */
  name?: string
  /** Of a `pending` one: it failed on the way to the target, by what is thought our trouble. */
  isOfTheWay?: boolean
}

/** A check that passes recovers a monitor: `up`, or `degraded` (passed with a warning). */
export function passes(status: CheckStatus): boolean {
  return status === 'up' || status === 'degraded'
}

/** A result that says only why, for checks that ended before anything was measured. */
export function resultWithout(status: 'down' | 'pending', errorMessage: string): CheckResult {
  return {
    status,
    responseTimeMs: null,
    httpStatusCode: null,
    errorMessage,
    phases: null,
    certificate: null,
  }
}

/**
 * The one text that is kept with a check: of one that passed its note, of any other the cause with the note behind it.
 */
export function keptMessage({
  errorMessage,
  note,
}: Pick<CheckResult, 'errorMessage' | 'note'>): string | null {
  if (note === undefined) return errorMessage
  if (errorMessage === null) return note
  const short = cutCause(note, MAX_CAUSE_LENGTH / 2)
  return `${cutCause(errorMessage, MAX_CAUSE_LENGTH - short.length - ' ()'.length)} (${short})`
}

/** The kept text as the API shows it: what passed has no failure, and its note is told apart. */
export function readKept(status: CheckStatus, kept: string | null) {
  return status === 'up' ? { errorMessage: null, note: kept } : { errorMessage: kept, note: null }
}

/** A check as every answer shows it, in this order (specification, section 2.4). */
export const Check = z.object({
  checked_at: Instant.describe('When the check ran.'),
  status: CheckStatus,
  response_time_ms: z
    .int()
    .min(0)
    .nullable()
    .describe('Answer time in milliseconds; null without an answer.'),
  http_status_code: z.int().nullable().describe('HTTP status that was received, for HTTP checks.'),
  region: z.string().max(16).nullable().describe('Region that the check ran from.'),
  error_message: z
    .string()
    .meta({ maxLength: MAX_CAUSE_LENGTH })
    .nullable()
    .describe('Why it failed, or what it warns of; null when it passed.'),
})
export type Check = z.infer<typeof Check>
