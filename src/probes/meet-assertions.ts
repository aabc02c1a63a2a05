import type { JudgedAnswer } from '../core/expectations/evaluate.ts'
import { ofAnswer } from '../core/expectations/response-times.ts'
import { cutCause, TOO_BUSY } from '../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../core/monitors/check.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import type { ProbeAttempt } from './attempt.ts'
import { judgedWithinBound } from './bounded-evaluation.ts'
import { maskOf } from './mask-secrets.ts'

export const NOTHING_READ: JudgedAnswer = {
  statusCode: null,
  header: () => null,
  body: null,
  responseTimeMs: null,
  certificateDays: null,
  answer: null,
}

/** The result of an answer that passes but for its assertions, by what was read of it. */
export async function meetAssertions(
  current: Pick<ProbeAttempt<ProbeSettings>, 'settings' | 'secrets'>,
  passing: CheckResult,
  read: Partial<JudgedAnswer>,
): Promise<CheckResult> {
  const assertions = ofAnswer(current.settings.options?.assertions ?? [])
  if (assertions.length === 0) return passing
  const whole = { ...NOTHING_READ, responseTimeMs: passing.responseTimeMs, ...read }
  const unmet = await judgedWithinBound(assertions, whole)
  if (unmet === null) return passing
  if (unmet === 'not judged') return resultWithout('pending', TOO_BUSY)
  const { note: _, ...found } = passing
  const errorMessage = cutCause(maskOf(current).apply(unmet.cause))
  return unmet.severity === 'degraded'
    ? { ...found, status: 'degraded', errorMessage, unmet: true, unmetAt: unmet.at }
    : { ...found, status: 'down', errorMessage, unmetAt: unmet.at }
}
