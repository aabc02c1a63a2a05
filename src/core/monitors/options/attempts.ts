import { cutCause, MAX_CAUSE_LENGTH } from '../cause.ts'
import { type CheckResult, type CheckStatus, passes } from '../check.ts'
import { isNews } from '../confirmation.ts'
import type { MonitorPatience } from './patience.ts'

/**
 * The attempts of a monitor in a row that failed, those that were not well (failed, or did not meet an expectation that only
 * warns), and the time from which a further one counts; null: at once.
 */
export type Attempts = { failed: number; unwell: number; nextAt: Date | null }
export const NO_ATTEMPTS: Attempts = { failed: 0, unwell: 0, nextAt: null }

/** The monitor's state before a result. `unmet`: it was told of an expectation that only warns. */
export type BeforeAttempt = Attempts & { status: CheckStatus; passing: number; unmet: boolean }

/** The result as it counts, and the attempts once it has. `isLast`: no further attempt is to be made. */
export type Attempt = { result: CheckResult; attempts: Attempts; isLast: boolean }

/**
 * Counts a result as an attempt. A failure that is not the last of its attempts judges nothing: its result is `pending`, with
 * the cause and its number; and so is an expectation that only warns, which counts after as many checks that were not well. One
 * that comes too soon, as from another region, is counted once with the one before. Our own trouble is no attempt, and what is
 * known already needs no further ones. A certificate that expires soon is no matter of patience.
 */
export function countAttempt(
  before: BeforeAttempt,
  result: CheckResult,
  checkedAt: Date,
  { attempts, retryMs }: Pick<MonitorPatience, 'attempts' | 'retryMs'>,
): Attempt {
  const { failed, unwell, nextAt } = before
  const most = attempts ?? 1
  if (result.status === 'pending') return { result, attempts: { failed, unwell, nextAt }, isLast: true }
  const fails = result.status === 'down'
  if (most === 1 || !(fails || result.unmet)) return { result, attempts: NO_ATTEMPTS, isLast: true }
  const isTooSoon = nextAt !== null && checkedAt < nextAt
  const next = (number: number) => Math.min(isTooSoon ? Math.max(number, 1) : number + 1, most)
  const counted = { failed: fails ? next(failed) : 0, unwell: next(unwell) }
  const number = fails ? counted.failed : counted.unwell
  if (number < most && (fails ? isNews(before) : isFirstWarning(before)))
    return {
      result: asAttempt(result, number, most),
      attempts: { ...counted, nextAt: isTooSoon ? nextAt : new Date(checkedAt.getTime() + retryMs) },
      isLast: false,
    }
  return { result, attempts: { failed: fails ? most : 0, unwell: most, nextAt: null }, isLast: true }
}

/** A monitor that fails recovers with a warning as soon as without one. */
function isFirstWarning({ status, unmet }: BeforeAttempt): boolean {
  return !unmet && (passes(status) || status === 'pending')
}

function asAttempt(
  { answer: _, unmet: __, unmetAt: ___, expiry, ...result }: CheckResult,
  number: number,
  most: number,
): CheckResult {
  if (expiry !== undefined) return { ...result, status: 'degraded', errorMessage: expiry }
  const counted = `, attempt ${number} of ${most}`
  const cause = cutCause(result.errorMessage ?? 'the check failed', MAX_CAUSE_LENGTH - counted.length)
  return { ...result, status: 'pending', errorMessage: cause + counted }
}
