import { putLast } from '../core/bounded-map.ts'
import { NO_HOST } from '../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../core/monitors/check.ts'
import { DEFAULT_WARNING_DAYS } from '../core/monitors/options/domain.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import { parseTarget, targetHost } from '../core/monitors/target.ts'
import {
  holdsMs,
  judgeKept,
  type KeptRegistration,
  keepRegistration,
} from '../core/sites/domain/kept-registration.ts'
import { registeredDomain } from '../core/sites/domain/registered-domain.ts'
import type { Network } from '../net/network.ts'
import { untilAborted } from '../net/until-aborted.ts'
import { answered, attempt, type ProbeAttempt, unanswered } from './attempt.ts'
import type { Probe } from './probe.ts'

const DOMAINS_KEPT = 10_000
const NOT_IN_TIME = 'the registry could not be asked in time'

type Current = ProbeAttempt<ProbeSettings<'domain'>>
/** `untilMs`: until when its registry is not asked again, on a clock that only goes forward. */
type Kept = KeptRegistration & { untilMs: number }
/** `isFresh`: the registry was asked for this check. */
type Learnt = { kept: Kept; isFresh: boolean }

/**
 * Up while a domain is registered, degraded when that ends soon. Registries bear few questions: what one said holds for many
 * checks, and each registry is asked about one domain at a time.
 */
export function createDomainProbe(
  network: Network,
  now: () => Date,
  monotonicMs = () => performance.now(),
): Probe<'domain'> {
  const known = new Map<string, Kept>()
  /** The last question that waits for each top-level domain. */
  const turns = new Map<string, Promise<unknown>>()

  async function learn(domain: string, topLevel: string, signal: AbortSignal): Promise<Learnt | null> {
    const before = turns.get(topLevel) ?? Promise.resolve()
    const turn = before.then(async () => {
      const kept = known.get(domain)
      if (kept && monotonicMs() < kept.untilMs) return { kept, isFresh: false }
      return signal.aborted ? null : { kept: await ask(domain, signal), isFresh: true }
    })
    const ended = turn
      .catch(() => {})
      .then(() => {
        if (turns.get(topLevel) === ended) turns.delete(topLevel)
      })
    turns.set(topLevel, ended)
    return untilAborted(turn, signal, null)
  }

  async function ask(domain: string, signal: AbortSignal): Promise<Kept> {
    const { lookAtDomain } = await import('./sites/domain.ts')
    const services = await network.registries()
    const { registration } = await lookAtDomain(network, services, domain, signal)
    // It is the domain that somebody registered, and not a name below it.
    if (registration.kind === 'none') throw new Error(registration.reason)
    const made = keepRegistration(domain, registration, known.get(domain) ?? null, now())
    const kept = { ...made, untilMs: monotonicMs() + holdsMs(made) }
    // A question that was cut short says nothing about its registry.
    if (!signal.aborted) putLast(known, domain, kept, DOMAINS_KEPT)
    return kept
  }

  async function check(current: Current): Promise<CheckResult> {
    const { settings, signal } = current
    const url = parseTarget(settings.url)
    const host = url && targetHost(url)
    if (host === null) return unanswered(current, NO_HOST)
    const registered = registeredDomain(host)
    if (registered.kind === 'none') return unanswered(current, registered.reason)
    const learnt = await learn(registered.domain, registered.topLevel, signal)
    if (learnt === null) return resultWithout('pending', NOT_IN_TIME)
    const warningDays = settings.options?.warning_days ?? DEFAULT_WARNING_DAYS
    const { status, cause } = judgeKept(learnt.kept, warningDays, now())
    if (status === 'pending') return resultWithout('pending', cause ?? NOT_IN_TIME)
    // A word that was known before took no time of the registry's.
    const result = learnt.isFresh ? answered(current, null) : unanswered(current, '')
    if (status === 'up')
      return { ...result, status, errorMessage: null, ...(cause !== null && { note: cause }) }
    return { ...result, status, errorMessage: cause, ...(status === 'degraded' && { unmet: true }) }
  }

  return (settings, signal) => attempt(network, settings, signal, check)
}
