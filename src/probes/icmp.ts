import net from 'node:net'
import { CHECK_CANCELLED, noAddress, noRoute, TOO_BUSY } from '../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../core/monitors/check.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import { parseTarget, targetHost } from '../core/monitors/target.ts'
import { type Deadline, startDeadline } from '../net/deadline.ts'
import { createLoopWatch, type LoopWatch } from '../net/loop-watch.ts'
import type { Network } from '../net/network.ts'
import { resolveTarget } from '../net/resolve.ts'
import type { Address, EchoSockets } from './icmp/echo.ts'
import { REQUESTS, type SeriesOutcome, sendSeries } from './icmp/series.ts'
import { NOT_PERMITTED } from './icmp/socket.ts'

/** Why the others are not asked on: one for all. */
const ANSWERED = new Error('answered')
/** How long the first address family is asked alone (dual-stack hosts may be silent on one of them). */
const NEXT_FAMILY_DELAY_MS = 1_000

export type IcmpProbeDeps = {
  /**
   * Resolves a host (no brackets) and leaves out addresses that the policy refuses. Ends early when the signal aborts.
   */
  resolve: (
    host: string,
    signal: AbortSignal,
  ) => Promise<
    | { kind: 'addresses'; addresses: Address[]; name?: string }
    | { kind: 'failed'; reason: string; name?: string }
    | { kind: 'inconclusive'; reason: string; causeIfTheirs: string | null; name?: string }
  >
  sockets: EchoSockets
  now: () => Date
  /** The process's existing event loop watch, if any. */
  loop?: LoopWatch
}

/** Sends echo requests to the host of a URL, whoever asks. */
export type EchoProbe = (
  asked: Pick<ProbeSettings, 'url' | 'request_timeout_seconds'>,
  signal: AbortSignal,
) => Promise<CheckResult>

/** Up when at least one of three echo requests is answered; `responseTimeMs` is the median of the answers. */
export function createIcmpProbe(deps: IcmpProbeDeps): EchoProbe {
  const loop = deps.loop ?? createLoopWatch(() => performance.now())
  return async (settings, signal) => {
    const url = parseTarget(settings.url)
    const host = url && targetHost(url)
    if (host === null) return resultWithout('down', `no host in ${settings.url}`)
    const deadline = startDeadline(settings.request_timeout_seconds * 1_000, signal, loop)
    try {
      return await probeHost(deps, host, deadline, settings.request_timeout_seconds)
    } finally {
      deadline.stop()
    }
  }
}

/** Resolves as checks of other types do. */
export function resolveForEcho(network: Network): IcmpProbeDeps['resolve'] {
  return async (host, signal) => {
    const resolution = await resolveTarget(network, 'check', host, signal)
    if (resolution.kind !== 'resolved') return resolution
    const addresses = resolution.addresses.map((address) => ({
      address,
      family: address.includes(':') ? (6 as const) : (4 as const),
    }))
    const { name } = resolution
    return { kind: 'addresses' as const, addresses, ...(name !== undefined && { name }) }
  }
}

async function probeHost(
  { resolve, sockets, now }: IcmpProbeDeps,
  host: string,
  deadline: Deadline,
  timeoutSeconds: number,
): Promise<CheckResult> {
  const startedAt = now()
  const target = await resolve(host, deadline.signal)
  // An address needs no look-up: the time until here is our own.
  const dnsMs = net.isIP(host) ? 0 : Math.max(0, now().getTime() - startedAt.getTime())
  const asked = target.name === undefined ? {} : { name: target.name }
  if (target.kind === 'inconclusive') {
    const { reason, causeIfTheirs } = target
    return { ...resultWithout('pending', reason), ...asked, ...(causeIfTheirs !== null && { causeIfTheirs }) }
  }
  if (target.name !== undefined) deadline.forgive(dnsMs)
  if (deadline.end() !== null) {
    return { ...unanswered({ dnsMs, timeoutSeconds, deadline }, 'looking up the name'), ...asked }
  }
  if (target.kind === 'failed' && deadline.isOvertaken()) return resultWithout('pending', TOO_BUSY)
  if (target.kind === 'failed') return { ...resultWithout('down', target.reason), ...asked }
  if (target.addresses.length === 0) return resultWithout('down', noAddress(host))

  const candidates = firstOfEachFamily(target.addresses)
  const headStartMs = Math.min(NEXT_FAMILY_DELAY_MS, (timeoutSeconds * 1_000) / 2)
  const outcomes = await askInTurn(sockets, candidates, headStartMs, deadline)
  const result = judge(candidates, outcomes, { dnsMs, timeoutSeconds, deadline })
  return { ...result, ...asked, ...addressesOf(candidates, outcomes) }
}

/** The address that answered; else those that say something about the target, and without any all of them. */
function addressesOf(candidates: Address[], outcomes: (SeriesOutcome | null)[]) {
  const answered = outcomes.findIndex((outcome) => outcome?.kind === 'answered')
  if (answered >= 0) return { address: candidates[answered]?.address as string }
  const withOutcome = (...kinds: SeriesOutcome['kind'][]) =>
    candidates.filter((_, i) => kinds.some((kind) => outcomes[i]?.kind === kind))
  const sets = [withOutcome('silent', 'unreachable'), candidates]
  const [first, other] = sets.find(({ length }) => length > 0) ?? []
  return { ...(first && { address: first.address }), ...(other && { otherAddress: other.address }) }
}

/** One IPv6 and one IPv4 address, in the order given: each stands for the host. */
function firstOfEachFamily(addresses: Address[]): Address[] {
  const first = addresses[0]
  const other = addresses.find(({ family }) => family !== first?.family)
  return [first, other].filter((address) => address !== undefined)
}

/**
 * Asks the next candidate once the one before has failed or stayed silent for a while; null if it never got its turn.
 */
async function askInTurn(
  sockets: EchoSockets,
  candidates: Address[],
  headStartMs: number,
  deadline: Deadline,
): Promise<(SeriesOutcome | null)[]> {
  const answered = new AbortController()
  // Signals of two, and errors for why one of them ends, cost as much as an echo.
  const stop = candidates.length > 1 ? AbortSignal.any([deadline.signal, answered.signal]) : deadline.signal
  let turn: Promise<void> = Promise.resolve()
  const outcomes = candidates.map((candidate) => {
    const outcome = turn.then(async () => {
      if (stop.aborted) return null
      const settled = await sendSeries(sockets, candidate, stop, deadline.progress)
      if (settled.kind === 'answered') answered.abort(ANSWERED)
      return settled
    })
    turn = settledOrLate(outcome, headStartMs)
    return outcome
  })
  return Promise.all(outcomes)
}

function settledOrLate(outcome: Promise<unknown>, lateMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, lateMs)
    const settled = () => {
      clearTimeout(timer)
      resolve()
    }
    outcome.then(settled, settled)
  })
}

type EchoAttempt = { dnsMs: number; timeoutSeconds: number; deadline: Deadline }

/** Any answer wins; our own trouble rules out a verdict; a family that this machine lacks says nothing. */
function judge(candidates: Address[], outcomes: (SeriesOutcome | null)[], attempt: EchoAttempt): CheckResult {
  const answer = outcomes.find((outcome) => outcome?.kind === 'answered')
  if (answer) return answeredResult(answer.medianMs, attempt.dnsMs)
  if (attempt.deadline.end() === 'cancelled') return resultWithout('pending', CHECK_CANCELLED)
  const trouble = outcomes.find((outcome) => outcome?.kind === 'trouble')
  if (trouble) return resultWithout('pending', trouble.reason)
  const silent = candidates.filter((_, i) => outcomes[i]?.kind === 'silent').map(({ address }) => address)
  if (silent.length > 0) return unanswered(attempt, sentTo(silent))
  const unreachable = outcomes.find((outcome) => outcome?.kind === 'unreachable')
  if (unreachable) return resultWithout('down', unreachable.reason)
  const reasons = new Set(
    outcomes.map((outcome) => (outcome && 'reason' in outcome ? outcome.reason : TOO_BUSY)),
  )
  if (reasons.has(NOT_PERMITTED)) return resultWithout('pending', NOT_PERMITTED)
  const result = resultWithout('pending', [...reasons].join('; '))
  const isOfTheWay = outcomes.every((outcome) => outcome?.kind === 'no way')
  return isOfTheWay ? { ...result, causeIfTheirs: noRoute(candidates.map(({ address }) => address)) } : result
}

function unanswered({ deadline, timeoutSeconds }: EchoAttempt, waitingFor: string): CheckResult {
  if (deadline.end() === 'cancelled') return resultWithout('pending', CHECK_CANCELLED)
  if (deadline.end() === 'stalled') return resultWithout('pending', TOO_BUSY)
  return resultWithout('down', `no answer within ${timeoutSeconds} s (${waitingFor})`)
}

/** `3 echo requests sent to 2001:db8::7, 3 to 203.0.113.7` */
function sentTo(addresses: string[]): string {
  return `${REQUESTS} echo requests sent to ${addresses.join(`, ${REQUESTS} to `)}`
}

/** Name look-ups do not count toward a ping's time; they are kept as a phase. Less than half a millisecond is 0. */
function answeredResult(medianMs: number, dnsMs: number): CheckResult {
  const responseTimeMs = Math.round(medianMs)
  const phases = { dnsMs, connectMs: null, tlsMs: null, firstByteMs: responseTimeMs, transferMs: null }
  return { status: 'up', responseTimeMs, httpStatusCode: null, errorMessage: null, phases, certificate: null }
}
