import { NO_HOST, noRoute } from '../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../core/monitors/check.ts'
import { bytesToSend } from '../core/monitors/options/send.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import { parseTarget, portOf } from '../core/monitors/target.ts'
import type { Network } from '../net/network.ts'
import { askByPackets } from '../net/packets.ts'
import { resolveTarget } from '../net/resolve.ts'
import { targetHost } from '../net/target-host.ts'
import { answered, attempt, type ProbeAttempt, unanswered } from './attempt.ts'
import { meetAssertions } from './meet-assertions.ts'
import type { Probe } from './probe.ts'
import { wayOf } from './way.ts'

/** An address that is silent for so long, or for a part of the limit, leaves the packet to the next one. */
const ADDRESS_MS = 3_000
const ADDRESS_PART = 3
const MAX_ADDRESSES = 4

type Current = ProbeAttempt<ProbeSettings<'udp'>>

/** Up when a packet comes back that meets the assertions. */
export function createUdpProbe(network: Network): Probe<'udp'> {
  return (settings, signal) => attempt(network, settings, signal, check)
}

async function check(current: Current): Promise<CheckResult> {
  const { settings, network, signal } = current
  const url = parseTarget(settings.url)
  const host = url && targetHost(url)
  const port = portOf(settings)
  if (host === null || port === null) return unanswered(current, NO_HOST)
  current.connecting()
  const startedAt = performance.now()
  const way = await wayOf(current)
  const resolved = await resolveTarget(network, 'check', host, signal, way)
  const { name } = resolved
  const named = name === undefined ? {} : { name }
  if (resolved.kind === 'inconclusive') {
    const { reason, causeIfTheirs } = resolved
    return {
      ...resultWithout('pending', reason),
      ...(causeIfTheirs !== null && { causeIfTheirs }),
      ...named,
    }
  }
  if (resolved.kind === 'failed') {
    current.lookedUp({ dnsMs: null, address: resolved.address ?? null, ...named }, startedAt)
    return unanswered(current, resolved.reason)
  }
  const dnsMs = name === undefined ? 0 : Math.round(performance.now() - startedAt)
  if (name !== undefined) current.forgive(performance.now() - startedAt)
  return askEach(current, { addresses: resolved.addresses.slice(0, MAX_ADDRESSES), port }, (address) =>
    current.lookedUp({ dnsMs, address, ...named }, startedAt),
  )
}

/** Asks one address after the other until one answers. */
async function askEach(
  current: Current,
  { addresses, port }: { addresses: readonly string[]; port: number },
  onAsked: (address: string) => void,
): Promise<CheckResult> {
  const { settings, signal } = current
  const packet = bytesToSend(settings.options?.send ?? '')
  const limitMs = Math.min(ADDRESS_MS, (settings.request_timeout_seconds * 1_000) / ADDRESS_PART)
  let failed: CheckResult | null = null
  for (const [at, address] of addresses.entries()) {
    onAsked(address)
    current.requested()
    const isLast = at === addresses.length - 1
    const turn = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(Math.floor(limitMs))])
    const sentAt = performance.now()
    const asked = await askByPackets(
      { address, port },
      packet,
      (bytes) => ({ answer: bytes.toString() }),
      turn,
    )
    if (asked.kind === 'answered') {
      current.firstByteRead(Math.round(performance.now() - sentAt))
      const answer = asked.answer.replaceAll('\r\n', '\n').replace(/\n+$/, '')
      return meetAssertions(current, answered(current, null), { answer })
    }
    if (signal.aborted) return unanswered(current, 'gave up')
    if (asked.kind === 'failed') failed = unanswered(current, asked.reason)
    if (asked.kind === 'inconclusive') {
      const theirs = asked.isOfTheWay ? { causeIfTheirs: noRoute([address]), address } : {}
      failed ??= { ...resultWithout('pending', asked.reason), ...theirs }
    }
  }
  return failed ?? unanswered(current, 'gave up')
}
