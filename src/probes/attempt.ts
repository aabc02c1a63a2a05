import { CHECK_CANCELLED, noAnswer, TOO_BUSY, type WaitingFor } from '../core/monitors/cause.ts'
import { type CheckResult, type Phases, resultWithout, type SeenCertificate } from '../core/monitors/check.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import { type Deadline, startDeadline } from '../net/deadline.ts'
import type { Network } from '../net/network.ts'

const REQUEST_TIMEOUT = 408

/** One attempt under way and everything known about it so far; a probe fills it in as it goes. */
export type ProbeAttempt = {
  readonly network: Network
  readonly settings: ProbeSettings
  /** Aborts when time runs out or the result is no longer needed: destroy everything and return. */
  readonly signal: AbortSignal
  /** On the clock of performance.now(). */
  readonly startedAt: number
  /** Records progress, now or at `atMs` of performance.now(): something awaited arrived. */
  readonly progress: (atMs?: number) => void
  /** See `Deadline.forgive`. */
  readonly forgive: (ms: number) => void
  waitingFor: WaitingFor
  /** Time spent in our own queues; does not count as the target's. */
  ownWaitMs: number
  phases: Phases
  httpStatusCode: number | null
  certificate: SeenCertificate | null
  /** The IP literal connected to, or the first one tried; null before that. */
  address: string | null
  /** The name sent to the name servers; null before that, and when none were needed. */
  name: string | null
  /** Looks for a better explanation of a failure; null where there is none. Bounds its own time. */
  explainFailure: ((signal: AbortSignal) => Promise<string | null>) | null
}

/** Runs a probe's look at its target under one deadline, and judges what the deadline cut short. */
export async function attempt(
  network: Network,
  settings: ProbeSettings,
  caller: AbortSignal,
  look: (attempt: ProbeAttempt) => Promise<CheckResult>,
): Promise<CheckResult> {
  const deadline = startDeadline(settings.request_timeout_seconds * 1_000, caller, network.loop)
  const current: ProbeAttempt = {
    network,
    settings,
    signal: deadline.signal,
    startedAt: performance.now(),
    progress: deadline.progress,
    forgive: deadline.forgive,
    waitingFor: 'looking up the name',
    ownWaitMs: 0,
    phases: noPhases(),
    httpStatusCode: null,
    certificate: null,
    address: null,
    name: null,
    explainFailure: null,
  }
  const result = await look(current)
    .then((found) => judge(current, found, deadline))
    .finally(deadline.stop)
  const cause = result.status === 'down' ? await current.explainFailure?.(caller) : null
  return cause ? { ...result, errorMessage: cause } : result
}

export function noPhases(): Phases {
  return { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null }
}

/** The target answered, correctly or not: `error` says what is wrong with the answer. */
export function answered(current: ProbeAttempt, error: string | null): CheckResult {
  const elapsedMs = performance.now() - current.startedAt - current.ownWaitMs
  return { ...found(current, error), responseTimeMs: Math.max(0, Math.round(elapsedMs)) }
}

/** There was no answer, or no complete one. */
export function unanswered(current: ProbeAttempt, error: string): CheckResult {
  return found(current, error)
}

function found(current: ProbeAttempt, error: string | null): CheckResult {
  return {
    status: error === null ? 'up' : 'down',
    responseTimeMs: null,
    httpStatusCode: current.httpStatusCode,
    errorMessage: error,
    phases: current.phases,
    certificate: current.certificate,
    ...(current.address !== null && { address: current.address }),
    ...(current.name !== null && { name: current.name }),
  }
}

/** An answer counts, however late. Without one, the way the deadline ended decides whose fault it is. */
function judge(current: ProbeAttempt, result: CheckResult, deadline: Deadline): CheckResult {
  if (result.responseTimeMs !== null)
    return isGivenUp(result) && deadline.isOvertaken() ? resultWithout('pending', TOO_BUSY) : result
  if (deadline.end() === 'cancelled') return resultWithout('pending', CHECK_CANCELLED)
  if (deadline.end() === 'stalled') return resultWithout('pending', TOO_BUSY)
  if (result.status === 'pending') return result
  if (deadline.end() === 'expired')
    return unanswered(current, noAnswer(current.settings.request_timeout_seconds, current.waitingFor))
  return deadline.isOvertaken() ? resultWithout('pending', TOO_BUSY) : result
}

/** A 408 means that the server waited for us and gave up. */
function isGivenUp({ status, httpStatusCode }: CheckResult): boolean {
  return status === 'down' && httpStatusCode === REQUEST_TIMEOUT
}
