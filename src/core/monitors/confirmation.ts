import * as z from 'zod'
import { type RegionAccess, regionsFor, type Turns } from '../probing/turns.ts'
import { cutCause } from './cause.ts'
import type { CheckResult, CheckStatus, FoundStatus } from './check.ts'

/**
 * How many failures a team requires before a monitor is down, and how many passes before it is up again.
 * Heartbeats are not affected.
 */
export const TeamConfirmation = z.object({
  confirmations: z
    .int()
    .min(0)
    .max(3)
    .describe('Additional attempts that must fail before a check counts as failed; 0: none.'),
  recovery_checks: z
    .int()
    .min(1)
    .max(5)
    .describe(
      'Consecutive checks that must pass before a monitor that is down is up again, or meet an assertion that warned.',
    ),
})
export type TeamConfirmation = z.infer<typeof TeamConfirmation>

/** Off: the first failure counts, and so does the first pass. The database columns have the same defaults. */
export const NO_CONFIRMATION: TeamConfirmation = { confirmations: 0, recovery_checks: 1 }

export const TeamConfirmationPatch = TeamConfirmation.partial()
export type TeamConfirmationPatch = z.infer<typeof TeamConfirmationPatch>

/** A confirming region that has not started by then is no longer waited for. */
export const CLAIM_WITHIN_MS = 3_000
/** Time that an attempt elsewhere may take beyond its timeout until its result arrives. */
export const ANSWER_MARGIN_MS = 5_000
/** Delay before each further attempt from the same region, to outlast a hiccup of the network. */
export const AGAIN_AFTER_MS = 1_000

/** One attempt of a check, with the region it was made from. */
export type RegionalAttempt = { region: string; result: CheckResult }

/** The monitor's state when an attempt fails; null if it could not be determined. */
export type KnownStatus = { status: CheckStatus; passing: number } | null

/**
 * A failure needs confirmation if it is news: the monitor is not down, or is about to recover. Otherwise a
 * failure that only one region sees could keep it down forever.
 */
export function needsConfirmation(known: KnownStatus, result: FoundStatus, confirmations: number): boolean {
  return confirmations > 0 && result === 'down' && isNews(known)
}

/** Whether a failure changes what is known. */
export function isNews(known: KnownStatus): boolean {
  return known === null || known.status !== 'down' || known.passing > 0
}

/** The regions to ask for confirmation: at most `count` of those whose turns come next. */
export function confirmersOf(
  turns: Turns,
  region: string,
  count: number,
  nowMs: number,
  monitor: RegionAccess = {},
): string[] {
  const regions = regionsFor(turns, monitor, nowMs)
  const place = regions.indexOf(region)
  const next = [...regions.slice(place + 1), ...regions.slice(0, Math.max(place, 0))]
  return next.slice(0, count)
}

/** The longest time that confirming can take: each region is asked in vain, then this one tries again. */
export function maxConfirmationMs(timeoutMs: number, confirmations: number): number {
  if (confirmations === 0) return 0
  return timeoutMs + ANSWER_MARGIN_MS + confirmations * (AGAIN_AFTER_MS + timeoutMs + ANSWER_MARGIN_MS)
}

/**
 * Combines the attempts of a check that failed at first: any pass wins, then trouble on our side; the failure
 * stands only if all attempts failed. The note says how it was found; the cause is unchanged.
 */
export function conclude(first: RegionalAttempt, others: readonly RegionalAttempt[]): RegionalAttempt {
  const passed = others.find(({ result }) => result.status === 'up' || result.status === 'degraded')
  if (passed) return { ...passed, result: { ...passed.result, note: notConfirmed(first, passed) } }
  const unjudged = others.find(({ result }) => result.status === 'pending')
  if (unjudged) return unjudged
  return { ...first, result: { ...first.result, note: confirmed(first, others) } }
}

function notConfirmed(first: RegionalAttempt, passed: RegionalAttempt): string {
  const seenFrom = passed.region === first.region ? '' : ` (seen from ${nameOf(first.region)})`
  const cause = first.result.errorMessage ?? 'the check failed'
  return cutCause(`not confirmed ${sayWhere(first.region, [passed])}${seenFrom}: ${cause}`)
}

function confirmed(first: RegionalAttempt, others: readonly RegionalAttempt[]): string {
  return `confirmed ${sayWhere(first.region, others)}`
}

function sayWhere(region: string, attempts: readonly RegionalAttempt[]): string {
  const elsewhere = [...new Set(attempts.map((attempt) => attempt.region))].filter((name) => name !== region)
  const again = attempts.filter((attempt) => attempt.region === region).length
  const parts = [
    elsewhere.length > 0 && `from ${elsewhere.map(nameOf).join(', ')}`,
    again === 1 && 'by another attempt',
    again > 1 && `by ${again} more attempts`,
  ]
  return parts.filter(Boolean).join(' and ')
}

function nameOf(region: string): string {
  return region || 'the unnamed region'
}

/** Reads a result from JSON, where dates are text. */
export function readResult(json: CheckResult): CheckResult {
  const { certificate } = json
  return {
    ...json,
    certificate: certificate && { ...certificate, expiresAt: new Date(certificate.expiresAt) },
  }
}
