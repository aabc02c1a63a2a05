import * as z from 'zod'
import { Instant } from '../instant.ts'
import type { FailingAnswer } from '../probing/failing-answer.ts'
import { cutCause, MAX_CAUSE_LENGTH } from './cause.ts'
import { MAX_STEP_TIMINGS, StepTiming } from './steps/step-timing.ts'

/** The status of one check, and of a monitor. `pending` means that it could not be judged. */
export const CheckStatus = z
  .enum(['pending', 'up', 'down', 'degraded', 'maintenance'])
  .describe(
    'The result of a check; for a monitor, of the latest one. `degraded` means passed with a warning, `maintenance` means failing inside a maintenance window, which opens no incident and alerts nobody, `pending` means not judged yet. Treat unknown values as `pending`.',
  )
export type CheckStatus = z.infer<typeof CheckStatus>

/** The statuses that a probe or a job can find. Neither knows of windows: by its time a failure becomes `maintenance`. */
export const FoundStatus = CheckStatus.exclude(['maintenance'])
export type FoundStatus = z.infer<typeof FoundStatus>

/** The duration of each phase of one attempt, in milliseconds; null for a phase that was not reached. */
export type Phases = {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
  transferMs: number | null
}

/** The leaf certificate that a check received. `fingerprint` (SHA-256, hex) tells it from its renewal. */
export type SeenCertificate = {
  expiresAt: Date
  fingerprint: string
}

/** The look of an answer over HTTP, beside its status. `bytes`: as its header says; `redirect`: where redirects led, null without any. */
export type AnswerTraits = { server: string | null; bytes: number | null; redirect: string | null }

/**
 * The result of one check. `pending` means trouble on our side (no name server, no descriptors, a stalled
 * loop): it judges nothing.
 */
export type CheckResult = {
  status: FoundStatus
  /** Full milliseconds from the start of the attempt to the last byte needed; null without a response. */
  responseTimeMs: number | null
  httpStatusCode: number | null
  /** The cause for people to read; null when the check passed without a warning. */
  errorMessage: string | null
  phases: Phases | null
  /** How each step of a check of several requests went, in their order. */
  steps?: StepTiming[]
  certificate: SeenCertificate | null
  /** Set on a `degraded` result: the cause is an expectation that only warns, not the certificate. */
  unmet?: boolean
  /** The place of the expectation that is not met among those of the answer; see `ofAnswer`. */
  unmetAt?: number
  /**
   * Set on a `pending` result of a group, none of whose members counts: its status is pending, and its incident goes on only
   * where members fail as planned (false).
   */
  membersLeave?: boolean
  /** The words about a certificate that expires soon, where the cause is that expectation. */
  expiry?: string
  /** How the result was found, if it took more than one attempt. Not part of the cause. */
  note?: string
  /** The last IP address connected to, or the first one that failed; absent if there was none. */
  address?: string
  /** The last name looked up; without `address`, the lookup failed. */
  name?: string
  /** How an answer over HTTP looked, where the settings ask for it. */
  traits?: AnswerTraits
  /** The answer of a target over HTTP that the check failed for. */
  answer?: FailingAnswer
  /** The first address of the other family, where the check failed and that was tried in vain as well. */
  otherAddress?: string
  /**
   * Set on a `pending` result: the check failed on the way to the target, presumably through trouble on our side. This
   * is the cause to tell once it turns out to be the target's; it speaks of the target only.
   */
  causeIfTheirs?: string
}

/** A rule that alerts when something is not up must not fire while its failure is planned. */
export const SAYS_NOTHING: readonly CheckStatus[] = ['pending', 'maintenance']

/** Statuses that end an incident: `up`, and `degraded` (passed with a warning). */
export function passes(status: CheckStatus): boolean {
  return status === 'up' || status === 'degraded'
}

/** A result with only a message, for checks that ended before anything was measured. */
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

/** The single text stored with a check: the note if it passed, otherwise the cause followed by the note. */
export function storedMessage({
  errorMessage,
  note,
}: Pick<CheckResult, 'errorMessage' | 'note'>): string | null {
  if (note === undefined) return errorMessage
  if (errorMessage === null) return note
  const short = cutCause(note, MAX_CAUSE_LENGTH / 2)
  return `${cutCause(errorMessage, MAX_CAUSE_LENGTH - short.length - ' ()'.length)} (${short})`
}

/** Splits the stored text as the API shows it: a check that passed has a note and no error. */
export function readStoredMessage(status: CheckStatus, stored: string | null) {
  return status === 'up' ? { errorMessage: null, note: stored } : { errorMessage: stored, note: null }
}

/** A check, with its fields in the order of every answer. */
export const Check = z.object({
  checked_at: Instant.describe('When the check ran.'),
  status: CheckStatus,
  response_time_ms: z
    .int()
    .min(0)
    .nullable()
    .describe('Response time in milliseconds; null without a response.'),
  http_status_code: z.int().nullable().describe('HTTP status received, for HTTP checks.'),
  region: z.string().max(16).nullable().describe('Region that the check ran from.'),
  error_message: z
    .string()
    .meta({ maxLength: MAX_CAUSE_LENGTH })
    .nullable()
    .describe('Reason for the failure or warning; null if the check passed.'),
  steps: z
    .array(StepTiming)
    .max(MAX_STEP_TIMINGS)
    .optional()
    .describe('How each step went; only in checks of `steps` and `browser`.'),
})
export type Check = z.infer<typeof Check>
