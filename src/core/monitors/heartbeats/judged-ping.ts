import type { Unmet } from '../../expectations/evaluate.ts'
import { cutCause, TOO_BUSY } from '../cause.ts'
import { type CheckResult, resultWithout } from '../check.ts'
import { reportedFailure } from '../heartbeat.ts'
import type { PingKind } from '../ping.ts'

/** A ping as it came. */
export type SentPing = {
  kind: PingKind
  exitStatus: number | null
  /** The message of a push. */
  message: string | null
  responseTimeMs: number | null
}

/** The kind of a ping whose exit status says whether the job is done. */
export function kindOf(
  { kind, exitStatus }: SentPing,
  expectedExits: readonly number[] | undefined,
): PingKind {
  if (exitStatus === null || !expectedExits) return kind
  return expectedExits.includes(exitStatus) ? 'success' : 'fail'
}

/**
 * The result of a ping of a kind; null for one that only marks a start or logs text. `unmet`: an expectation of its body that is
 * not met, or that could not be judged.
 */
export function judgePing(
  { exitStatus, message, responseTimeMs }: SentPing,
  kind: PingKind,
  expectedExits: readonly number[] | undefined,
  unmet: Unmet | 'not judged' | null,
): CheckResult | null {
  if (kind === 'start' || kind === 'log') return null
  if (kind === 'fail')
    return { ...resultWithout('down', causeOf(exitStatus, message, expectedExits)), responseTimeMs }
  if (unmet === 'not judged') return resultWithout('pending', TOO_BUSY)
  const passed = { ...resultWithout('down', ''), status: 'up' as const, errorMessage: null, responseTimeMs }
  if (!unmet) return passed
  const { severity, cause } = unmet
  return {
    ...passed,
    status: severity,
    errorMessage: cutCause(cause),
    ...(severity === 'degraded' && { unmet: true }),
  }
}

function causeOf(
  exitStatus: number | null,
  message: string | null,
  expected: readonly number[] | undefined,
): string {
  const cause = reportedFailure(exitStatus, message)
  return exitStatus !== null && expected ? `${cause} (expected ${expected.join(', ')})` : cause
}
