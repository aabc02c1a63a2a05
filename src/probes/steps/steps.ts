import { noAnswer, TOO_BUSY } from '../../core/monitors/cause.ts'
import { daysRemaining, warnOfExpiry } from '../../core/monitors/certificate.ts'
import { type CheckResult, passes, resultWithout, type SeenCertificate } from '../../core/monitors/check.ts'
import type { RequestStep } from '../../core/monitors/options/protocols/steps.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import type { StepTiming } from '../../core/monitors/steps/step-timing.ts'
import { ofStep } from '../../core/monitors/types/causes.ts'
import { type Deadline, startDeadline } from '../../net/deadline.ts'
import type { Network } from '../../net/network.ts'
import { attempt, type ProbeAttempt, unanswered } from '../attempt.ts'
import { followRedirects } from '../follow-redirects.ts'
import { firstRequest } from '../hop.ts'
import { judgeAnswer } from '../judge-answer.ts'
import { maskOf } from '../mask-secrets.ts'
import { meetAssertions } from '../meet-assertions.ts'
import type { Probe } from '../probe.ts'
import { type Course, createCourse, type StepRequest } from './course.ts'

/** Steps that clean up run also when the time of the check is over: no longer than this each, nor all together beyond its end. */
const CLEANUP_SECONDS = 5

type Settings = ProbeSettings<'steps'>
type Begun = ProbeAttempt<ProbeSettings<'http'>>

type Run = {
  network: Network
  settings: Settings
  course: Course
  deadline: Deadline
  /** The signal of the caller, which ends the steps that clean up, too. */
  caller: AbortSignal
  now: () => Date
  startedAt: number
  cleanup: { seconds: number; deadline: Deadline | null }
}

/**
 * Up when every step is: each is a request that the probe of `http` would make, one after the other, with the cookies and the
 * values of those before. The first one that fails says why; those that clean up run all the same.
 */
export function createStepsProbe(
  network: Network,
  now: () => Date,
  cleanupSeconds = CLEANUP_SECONDS,
): Probe<'steps'> {
  return async (settings, caller) => {
    const deadline = startDeadline(settings.request_timeout_seconds * 1_000, caller, network.loop)
    const course = createCourse(network, settings)
    const cleanup: Run['cleanup'] = { seconds: cleanupSeconds, deadline: null }
    const run = { network, settings, course, deadline, caller, now, startedAt: performance.now(), cleanup }
    try {
      const found = await runSteps(run, settings.options?.steps ?? [])
      return warnOfExpiry(await judgeWhole(run, found), settings.ssl_expiry_warning_days, now())
    } finally {
      deadline.stop()
      cleanup.deadline?.stop()
    }
  }
}

async function runSteps(run: Run, steps: readonly RequestStep[]): Promise<CheckResult> {
  const timings: StepTiming[] = []
  const passed: CheckResult[] = []
  let failed: CheckResult | null = null
  for (const [index, step] of steps.entries()) {
    const startMs = Math.round(performance.now() - run.startedAt)
    const result = failed && !step.always ? null : await runStep(run, step, failed !== null)
    timings.push(timingOf(step, result, startMs, Math.round(performance.now() - run.startedAt)))
    if (!result || failed) continue
    const told = inNameOf(step, index + 1, result)
    if (passes(told.status)) passed.push(told)
    else failed = told
  }
  const whole = together(passed, failed)
  return whole.status === 'pending' ? whole : { ...whole, steps: timings }
}

/** Null for a step that cleans up after something that there is nothing of. */
async function runStep(run: Run, step: RequestStep, isCleanup: boolean): Promise<CheckResult | null> {
  const made = run.course.requestOf(step)
  if (made === 'missing') return null
  if ('cause' in made) return resultWithout('down', made.cause)
  const { request } = made
  const result = await (isCleanup ? cleanUp(run, step, request) : ask(run, step, request))
  return request.isWritten || !result ? result : withoutSecrets(run, request, result)
}

/** Makes the request of a step, within its own time and that of the whole check. */
async function ask(run: Run, step: RequestStep, request: StepRequest): Promise<CheckResult> {
  const { deadline, settings } = run
  const begun: { attempt: Begun | null } = { attempt: null }
  const result = await attempt(run.network, request.settings, deadline.signal, (current) => {
    begun.attempt = {
      ...current,
      forgive: (ms) => {
        current.forgive(ms)
        deadline.forgive(ms)
      },
    }
    return answerOf(run, step, request, begun.attempt)
  })
  if (result.status !== 'pending') deadline.progress()
  if (result.responseTimeMs !== null || !begun.attempt) return result
  const end = deadline.end()
  if (end === 'stalled') return resultWithout('pending', TOO_BUSY)
  if (end !== 'expired') return result
  const cause = noAnswer(settings.request_timeout_seconds, begun.attempt.observed.waitingFor)
  return unanswered(begun.attempt, cause)
}

/** Null once the time for cleaning up is over. */
async function cleanUp(run: Run, step: RequestStep, request: StepRequest): Promise<CheckResult | null> {
  const { cleanup, network, caller } = run
  cleanup.deadline ??= startDeadline(msLeft(run) + cleanup.seconds * 1_000, caller, network.loop)
  const { signal } = cleanup.deadline
  if (signal.aborted) return null
  const { request_timeout_seconds: own } = request.settings
  const settings = { ...request.settings, request_timeout_seconds: Math.min(own, cleanup.seconds) }
  return attempt(network, settings, signal, (current) => answerOf(run, step, request, current))
}

/** The rest of the time of the whole check. */
function msLeft({ settings, deadline, startedAt }: Run): number {
  if (deadline.signal.aborted) return 0
  return Math.max(0, settings.request_timeout_seconds * 1_000 - (performance.now() - startedAt))
}

function answerOf(
  { course, now }: Run,
  step: RequestStep,
  { settings, kind, isOwn }: StepRequest,
  current: Begun,
): Promise<CheckResult> {
  // One list for all steps: each adds what it gets to know.
  const knowing = { ...current, secrets: course.secrets }
  const reader = course.readerOf(step, () => current.observed.address)
  return followRedirects(
    knowing,
    { ...firstRequest(settings), cookies: course.cookies, kind, isOwn },
    (answer) => judgeAnswer(knowing, answer, { keyword: null, now, reader }),
  )
}

/** The words of a result whose host an answer or a secret told: causes name hosts. */
function withoutSecrets({ course }: Run, { settings }: StepRequest, result: CheckResult): CheckResult {
  const mask = maskOf({ settings, secrets: course.secrets })
  return inOtherWords(result, (words) => mask.apply(words))
}

function timingOf(
  { name }: RequestStep,
  result: CheckResult | null,
  startMs: number,
  endMs: number,
): StepTiming {
  if (!result) return { name, status: 'skipped', start_ms: null, duration_ms: null, http_status_code: null }
  const { status, httpStatusCode } = result
  return {
    name,
    // A check with a step that could not be judged is not judged either.
    status: status === 'pending' ? 'skipped' : status,
    start_ms: startMs,
    duration_ms: endMs - startMs,
    http_status_code: httpStatusCode,
  }
}

/** The result of a step, in whose words the step is named. */
function inNameOf({ name }: RequestStep, number: number, result: CheckResult): CheckResult {
  // The place is one among the expectations of the step.
  const { unmetAt: _, ...found } = inOtherWords(result, (words) => ofStep(number, name, words))
  return { ...found, phases: null }
}

function inOtherWords(result: CheckResult, say: (words: string) => string): CheckResult {
  const { errorMessage, note, causeIfTheirs, ...found } = result
  return {
    ...found,
    errorMessage: errorMessage && say(errorMessage),
    ...(note !== undefined && { note: say(note) }),
    ...(causeIfTheirs !== undefined && { causeIfTheirs: say(causeIfTheirs) }),
  }
}

/** One result of all steps: that of the one that failed, else of the first that warns, else of all. */
function together(passed: readonly CheckResult[], failed: CheckResult | null): CheckResult {
  const ran = failed ? [...passed, failed] : passed
  const first = failed ?? ran.find(({ status }) => status === 'degraded') ?? ran[0]
  const last = failed ?? ran.at(-1)
  if (!first || !last) return resultWithout('pending', TOO_BUSY)
  const { note: _, answer: __, ...found } = first
  const note = first.note ?? passed.find((result) => result.note !== undefined)?.note
  const times = ran.map(({ responseTimeMs }) => responseTimeMs)
  return {
    ...found,
    httpStatusCode: last.httpStatusCode,
    responseTimeMs: times.includes(null) ? null : times.reduce<number>((sum, ms) => sum + (ms ?? 0), 0),
    certificate: soonest(ran),
    ...(note !== undefined && first.errorMessage === null && { note }),
    ...(last.answer && { answer: last.answer }),
  }
}

function soonest(results: readonly CheckResult[]): SeenCertificate | null {
  return results.reduce<SeenCertificate | null>((found, { certificate }) => {
    return certificate && (!found || certificate.expiresAt < found.expiresAt) ? certificate : found
  }, null)
}

/** Judges what is expected of the check as a whole, once each step passes. */
function judgeWhole({ settings, course, now }: Run, found: CheckResult): Promise<CheckResult> | CheckResult {
  if (found.status !== 'up') return found
  const { certificate } = found
  const certificateDays = certificate && daysRemaining(certificate.expiresAt, now())
  return meetAssertions({ settings, secrets: course.secrets }, found, { certificateDays })
}
