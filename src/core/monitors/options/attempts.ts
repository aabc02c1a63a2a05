import { cutCause, MAX_CAUSE_LENGTH } from '../cause.ts'
import type { CheckResult, CheckStatus } from '../check.ts'
import { isNews } from '../confirmation.ts'
import type { MonitorPatience } from './patience.ts'

/** The failed attempts of a monitor in a row, and the time from which a further failure counts; null: at once. */
export type Attempts = { failed: number; nextAt: Date | null }
export const NO_ATTEMPTS: Attempts = { failed: 0, nextAt: null }

/** The monitor's state before a result. */
export type BeforeAttempt = Attempts & { status: CheckStatus; passing: number }

/** The result as it counts, and the attempts once it has. `isLast`: no further attempt is to be made. */
export type Attempt = { result: CheckResult; attempts: Attempts; isLast: boolean }

/**
 * Counts a result as an attempt. A failure that is not the last of its attempts judges nothing: its result is `pending`, with
 * the cause and its number. A failure that comes too soon, as from another region, is counted once with the one before. Our own
 * trouble is no attempt, and what is down needs no further ones.
 */
export function countAttempt(
  before: BeforeAttempt,
  result: CheckResult,
  checkedAt: Date,
  { attempts, retryMs }: Pick<MonitorPatience, 'attempts' | 'retryMs'>,
): Attempt {
  const { failed, nextAt } = before
  const most = attempts ?? 1
  if (result.status === 'pending') return { result, attempts: { failed, nextAt }, isLast: true }
  if (result.status !== 'down' || most === 1) return { result, attempts: NO_ATTEMPTS, isLast: true }
  if (!isNews(before)) return { result, attempts: { failed: most, nextAt: null }, isLast: true }
  const isTooSoon = nextAt !== null && checkedAt < nextAt
  const number = Math.min(isTooSoon ? Math.max(failed, 1) : failed + 1, most)
  if (number >= most) return { result, attempts: { failed: most, nextAt: null }, isLast: true }
  return {
    result: asAttempt(result, number, most),
    attempts: { failed: number, nextAt: isTooSoon ? nextAt : new Date(checkedAt.getTime() + retryMs) },
    isLast: false,
  }
}

function asAttempt({ answer: _, ...result }: CheckResult, number: number, most: number): CheckResult {
  const counted = `, attempt ${number} of ${most}`
  const cause = cutCause(result.errorMessage ?? 'the check failed', MAX_CAUSE_LENGTH - counted.length)
  return { ...result, status: 'pending', errorMessage: cause + counted }
}
