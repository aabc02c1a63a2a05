import { CHECK_CANCELLED, noAnswer, oddAnswer, TOO_BUSY } from '../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../core/monitors/check.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import { type Deadline, startDeadline } from '../net/deadline.ts'
import type { Network } from '../net/network.ts'
import { networkFor } from '../net/on-behalf-of.ts'
import { createObservations, type Observations } from './observations.ts'

const REQUEST_TIMEOUT = 408

type Timed = Pick<
  ProbeSettings,
  'url' | 'request_timeout_seconds' | 'shows_encryption' | 'shows_traits' | 'team_id'
>

type ExplainFailure = (signal: AbortSignal) => Promise<string | null>

/** One attempt under way. A probe reports each step to its observations, which grow as it goes. */
export type ProbeAttempt<Settings extends Timed = Timed> = Observations & {
  readonly network: Network
  readonly settings: Settings
  /** Aborts when time runs out or the result is no longer needed: destroy everything and return. */
  readonly signal: AbortSignal
  /** On the clock of performance.now(). */
  readonly startedAt: number
  /** Records progress, now or at `atMs` of performance.now(): something awaited arrived. */
  readonly progress: (atMs?: number) => void
  /** Secrets that the attempt was given on its way, such as a token: no answer that repeats one is shown with it. */
  readonly secrets: string[]
  /** See `Deadline.forgive`. */
  readonly forgive: (ms: number) => void
  /** Sets how to look for a better explanation of a failure, which may be null. It must bound its own time. */
  explainFailureBy(explain: ExplainFailure): void
}

/** Runs a probe's look at its target under one deadline, and judges what the deadline cut short. */
export async function attempt<Settings extends Timed>(
  network: Network,
  settings: Settings,
  caller: AbortSignal,
  probe: (attempt: ProbeAttempt<Settings>) => Promise<CheckResult>,
): Promise<CheckResult> {
  const deadline = startDeadline(settings.request_timeout_seconds * 1_000, caller, network.loop)
  const better: { explain: ExplainFailure | null } = { explain: null }
  const current: ProbeAttempt<Settings> = {
    ...createObservations(deadline.progress),
    network: networkFor(network, settings.team_id),
    settings,
    signal: deadline.signal,
    startedAt: performance.now(),
    progress: deadline.progress,
    secrets: [],
    forgive: deadline.forgive,
    explainFailureBy: (explain) => {
      better.explain = explain
    },
  }
  const result = await probe(current)
    .then((found) => judge(current, found, deadline))
    .finally(deadline.stop)
  const cause = result.status === 'down' ? await better.explain?.(caller) : null
  return cause ? { ...result, errorMessage: cause } : result
}

/** The target answered, correctly or not: `error` says what is wrong with the answer. */
export function answered(current: ProbeAttempt, error: string | null): CheckResult {
  const elapsedMs = performance.now() - current.startedAt - current.observed.ownWaitMs
  const responseTimeMs = Math.max(0, Math.round(elapsedMs))
  if (current.observed.via === null) return found(current, error, responseTimeMs)
  // Its address is reached through the proxy alone, so that it is no landmark for others.
  const { address: _, otherAddress: __, name: ___, ...rest } = found(current, error)
  return { ...rest, responseTimeMs }
}

/** There was no answer, or no complete one. */
export function unanswered(current: ProbeAttempt, error: string): CheckResult {
  const { via } = current.observed
  const result = found(current, error)
  if (via === null) return result
  // The way from here ends at the proxy.
  const { address: _, otherAddress: __, name: ___, ...rest } = result
  const { address, name } = via
  return { ...rest, ...(address !== null && { address }), ...(name !== undefined && { name }) }
}

function found(
  { observed }: ProbeAttempt,
  error: string | null,
  responseTimeMs: number | null = null,
): CheckResult {
  const { oddities, phases, certificate, address, otherAddress, name, encryption, traits } = observed
  const result: CheckResult = {
    status: error === null ? 'up' : 'down',
    responseTimeMs,
    httpStatusCode: observed.httpStatusCode,
    errorMessage: error,
    phases,
    certificate,
  }
  // To spread them in would copy the rest for each.
  if (error === null && oddities.size > 0) result.note = oddAnswer(oddities)
  if (address !== null) result.address = address
  if (otherAddress !== null) result.otherAddress = otherAddress
  if (name !== null) result.name = name
  if (traits !== null) result.traits = traits
  if (encryption !== null) Object.assign(result, { encryption })
  return result
}

/** An answer counts, however late. Without one, the way the deadline ended decides whose fault it is. */
function judge(current: ProbeAttempt, result: CheckResult, deadline: Deadline): CheckResult {
  if (result.responseTimeMs !== null)
    return isGivenUp(result) && deadline.isOvertaken() ? resultWithout('pending', TOO_BUSY) : result
  if (deadline.end() === 'cancelled') return resultWithout('pending', CHECK_CANCELLED)
  if (deadline.end() === 'stalled') return resultWithout('pending', TOO_BUSY)
  if (result.status === 'pending') return result
  if (deadline.end() === 'expired') {
    const cause = noAnswer(current.settings.request_timeout_seconds, current.observed.waitingFor)
    return { ...unanswered(current, cause), ...(result.answer && { answer: result.answer }) }
  }
  return deadline.isOvertaken() ? resultWithout('pending', TOO_BUSY) : result
}

/** A 408 means that the server waited for us and gave up. */
function isGivenUp({ status, httpStatusCode }: CheckResult): boolean {
  return status === 'down' && httpStatusCode === REQUEST_TIMEOUT
}
