import type { Assertion } from '../../expectations/assertion.ts'
import { judge } from '../../expectations/evaluate.ts'
import { isOfSeveralChecks } from '../../expectations/response-times.ts'
import type { CheckResult } from '../check.ts'
import { inverted } from './inverted.ts'

type Known = {
  /** In milliseconds, of the last checks that have one, this one included, oldest first. */
  times: readonly number[]
  /** Whether the result is that of a check upside down. */
  isInverted: boolean
}

/** An expectation of the answer that is not met, or one of several checks: its place among all, and whether the check fails. */
type Fault = { at: number; fails: boolean }

/**
 * The result of a check by all assertions of its monitor, once those of the answer have judged it. The order is theirs: the first
 * one of severity `down` that is not met says why, without one the first that only warns. A check that failed for another reason,
 * got no answer or could not be judged stays as it is.
 */
export function judgeOverChecks(
  result: CheckResult,
  assertions: readonly Assertion[],
  { times, isInverted }: Known,
): CheckResult {
  if (result.responseTimeMs === null || result.status === 'pending') return result
  const places = assertions.map((_, place) => place)
  const ofSeveral = places.filter((place) => isOfSeveralChecks(assertions[place] as Assertion))
  const unmet = judge(assertions.filter(isOfSeveralChecks), { ...NOTHING_READ, responseTimes: times })
  if (!unmet) return result
  const found = { at: ofSeveral[unmet.at] ?? 0, fails: unmet.severity === 'down' }
  // Upside down a check that met all else is down, and whatever only warns has no say.
  if (isInverted)
    return found.fails && result.status === 'down' ? inverted(withCause(result, unmet.cause, true)) : result
  const ofAnswer = places.filter((place) => !ofSeveral.includes(place))
  const known = faultOf(result, ofAnswer)
  return known === 'failed' || (known && !isBefore(found, known))
    ? result
    : withCause(result, unmet.cause, found.fails)
}

const NOTHING_READ = {
  ...{ statusCode: null, header: () => null, body: null },
  ...{ responseTimeMs: null, certificateDays: null, answer: null },
}

/** The expectation of the answer that is not met; null without one. `failed`: the check failed for another reason. */
function faultOf(
  { status, unmet, unmetAt }: CheckResult,
  places: readonly number[],
): Fault | 'failed' | null {
  const fails = status === 'down'
  if (unmetAt === undefined) return fails ? 'failed' : null
  return fails || unmet ? { at: places[unmetAt] ?? 0, fails } : null
}

function isBefore(one: Fault, other: Fault): boolean {
  return one.fails === other.fails ? one.at < other.at : one.fails
}

function withCause(
  { note: _, unmet, unmetAt: __, expiry, ...found }: CheckResult,
  errorMessage: string,
  fails: boolean,
): CheckResult {
  if (fails) return { ...found, status: 'down', errorMessage }
  // Another warning than that of an expectation is the certificate's.
  const ofCertificate = unmet ? expiry : (found.errorMessage ?? undefined)
  return {
    ...found,
    ...{ status: 'degraded', errorMessage, unmet: true },
    ...(ofCertificate !== undefined && { expiry: ofCertificate }),
  }
}
