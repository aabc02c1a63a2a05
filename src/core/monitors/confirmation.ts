import * as z from 'zod'
import { type Openness, regionsFor, type Turns } from '../probing/turns.ts'
import { cutCause } from './cause.ts'
import type { CheckResult, CheckStatus } from './check.ts'

/** How sure a team wants to be before a monitor goes down, and before it is up again; heartbeats do not ask. */
export const TeamConfirmation = z.object({
  confirmations: z
    .int()
    .min(0)
    .max(3)
    .describe('How many more attempts must fail before a check is recorded as failed; 0: none.'),
  recovery_checks: z
    .int()
    .min(1)
    .max(5)
    .describe('How many checks in a row must pass before a monitor that is down is up again.'),
})
export type TeamConfirmation = z.infer<typeof TeamConfirmation>

/** Off: rule 1 and 2 of the specification to the letter. The columns have the same defaults. */
export const NO_CONFIRMATION: TeamConfirmation = { confirmations: 0, recovery_checks: 1 }

export const TeamConfirmationPatch = TeamConfirmation.partial()
export type TeamConfirmationPatch = z.infer<typeof TeamConfirmationPatch>

/** Who is asked and has not begun by then is not waited for any longer. */
export const CLAIM_WITHIN_MS = 3_000
/** How much longer than its timeout an attempt elsewhere may take until its answer is here. */
export const ANSWER_MARGIN_MS = 5_000
/** Before each further attempt from the same region: a hiccup of the way there is to be over. */
export const AGAIN_AFTER_MS = 1_000

/** One attempt of a check, and the region that it was made from. */
export type Attempt = { region: string; result: CheckResult }

/** What is known of a monitor when an attempt fails; null where nobody could say. */
export type Known = { status: CheckStatus; passing: number } | null

/**
 * A failure is confirmed where it is news: not while the monitor is down, unless it was about to be up again. What one
 * region alone cannot see must not keep it down for ever.
 */
export function needsConfirmation(known: Known, result: CheckStatus, confirmations: number): boolean {
  const isNews = known === null || known.status !== 'down' || known.passing > 0
  return confirmations > 0 && result === 'down' && isNews
}

/** The regions to ask about a monitor: those whose turns come next, at most so many. */
export function confirmersOf(
  turns: Turns,
  region: string,
  count: number,
  nowMs: number,
  monitor: Openness = {},
): string[] {
  const regions = regionsFor(turns, monitor, nowMs)
  const place = regions.indexOf(region)
  const next = [...regions.slice(place + 1), ...regions.slice(0, Math.max(place, 0))]
  return next.slice(0, count)
}

/** How long confirming can take at most: every region is asked in vain, and this one tries again for each. */
export function longestConfirmationMs(timeoutMs: number, confirmations: number): number {
  if (confirmations === 0) return 0
  return timeoutMs + ANSWER_MARGIN_MS + confirmations * (AGAIN_AFTER_MS + timeoutMs + ANSWER_MARGIN_MS)
}

/**
 * What a check came to that failed at first: any attempt that passed counts, then our own trouble, and only when all
 * others failed is the failure true. A note says how that was found; the cause stays what it was.
 */
export function conclude(first: Attempt, others: readonly Attempt[]): Attempt {
  const passed = others.find(({ result }) => result.status === 'up' || result.status === 'degraded')
  if (passed) return { ...passed, result: { ...passed.result, note: notConfirmed(first, passed) } }
  const unjudged = others.find(({ result }) => result.status === 'pending')
  if (unjudged) return unjudged
  return { ...first, result: { ...first.result, note: confirmed(first, others) } }
}

function notConfirmed(first: Attempt, passed: Attempt): string {
  const seenFrom = passed.region === first.region ? '' : ` (seen from ${nameOf(first.region)})`
  const cause = first.result.errorMessage ?? 'the check failed'
  return cutCause(`not confirmed ${sayWhere(first.region, [passed])}${seenFrom}: ${cause}`)
}

function confirmed(first: Attempt, others: readonly Attempt[]): string {
  return `confirmed ${sayWhere(first.region, others)}`
}

function sayWhere(region: string, attempts: readonly Attempt[]): string {
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

/** A result as it was handed over as JSON, where dates are text. */
export function readResult(json: CheckResult): CheckResult {
  const { certificate } = json
  return {
    ...json,
    certificate: certificate && { ...certificate, expiresAt: new Date(certificate.expiresAt) },
  }
}
