import type { JudgedAnswer } from '../../core/expectations/evaluate.ts'
import { NO_HOST, noRoute } from '../../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import type { ProbedType } from '../../core/monitors/monitor-types.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { parseTarget, portOf, targetHost } from '../../core/monitors/target.ts'
import { notOfProtocol } from '../../core/monitors/types/causes.ts'
import type { Network } from '../../net/network.ts'
import { askByPackets, type PacketMeaning } from '../../net/packets.ts'
import { resolveTarget } from '../../net/resolve.ts'
import { answered, attempt, type ProbeAttempt, unanswered } from '../attempt.ts'
import { maskOf } from '../mask-secrets.ts'
import { meetAssertions } from '../meet-assertions.ts'
import type { Probe } from '../probe.ts'
import { wayOf } from '../way.ts'
import { Garbled } from './cursor.ts'

/** An address that is silent for so long, or for a part of the limit, leaves the packet to the next one. */
const ADDRESS_MS = 3_000
const ADDRESS_PART = 3
const MAX_ADDRESSES = 4

export type Current<Type extends ProbedType = ProbedType> = ProbeAttempt<ProbeSettings<Type>>

/** An answer as it was understood: why it is a failure, if it is one, and what assertions read. */
export type Understood = { fault: string | null; read?: Partial<JudgedAnswer> }

/**
 * The talk with one address: a packet, which is sent again while it is not answered, and the reader of what comes. A reader throws
 * `Garbled` of a packet that no server of the protocol sends.
 */
export type Dialogue = {
  packet: Uint8Array | (() => Uint8Array)
  read: (bytes: Buffer) => PacketMeaning<Understood>
}

/** A protocol of packets: its name as people write it, and what is said to each address. */
export type PacketProtocol<Type extends ProbedType> = {
  name: string
  begin: (current: Current<Type>) => Dialogue
}

/** Up when an address answers as the protocol has it, and its answer meets the assertions. */
export function createPacketProbe<Type extends ProbedType>(
  network: Network,
  protocol: PacketProtocol<Type>,
): Probe<Type> {
  const probe = (settings: ProbeSettings<Type>, signal: AbortSignal) =>
    attempt(network, settings, signal, (current) => checkByPackets(current, protocol))
  return probe as Probe<Type>
}

export async function checkByPackets<Type extends ProbedType>(
  current: Current<Type>,
  protocol: PacketProtocol<Type>,
  port: number | null = portOf(current.settings),
): Promise<CheckResult> {
  const { settings, network, signal } = current
  const url = parseTarget(settings.url)
  const host = url && targetHost(url)
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
  const addresses = resolved.addresses.slice(0, MAX_ADDRESSES)
  return askEach(current, protocol, { addresses, port }, (address) =>
    current.lookedUp({ dnsMs, address, ...named }, startedAt),
  )
}

/** Asks one address after the other until one answers. */
async function askEach<Type extends ProbedType>(
  current: Current<Type>,
  protocol: PacketProtocol<Type>,
  { addresses, port }: { addresses: readonly string[]; port: number },
  onAsked: (address: string) => void,
): Promise<CheckResult> {
  const { settings, signal } = current
  const limitMs = Math.min(ADDRESS_MS, (settings.request_timeout_seconds * 1_000) / ADDRESS_PART)
  let failed: CheckResult | null = null
  for (const [at, address] of addresses.entries()) {
    onAsked(address)
    current.requested()
    const isLast = at === addresses.length - 1
    const turn = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(Math.floor(limitMs))])
    const { packet, read } = protocol.begin(current)
    const sentAt = performance.now()
    const understood = (bytes: Buffer) => understand(protocol.name, read, bytes)
    const asked = await askByPackets({ address, port }, packet, understood, turn)
    if (asked.kind === 'answered') {
      current.firstByteRead(Math.round(performance.now() - sentAt))
      return judge(current, asked.answer)
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

/** A packet that cannot be read is an answer, and a wrong one. */
function understand(name: string, read: Dialogue['read'], bytes: Buffer): PacketMeaning<Understood> {
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof Garbled) return { answer: { fault: notOfProtocol(name) } }
    throw error
  }
}

/** The result of an answer: a server may repeat in it what it was sent. */
export async function judge<Type extends ProbedType>(
  current: Current<Type>,
  { fault, read = {} }: Understood,
): Promise<CheckResult> {
  // The settings of one type are those of some type.
  const any = current as unknown as Current
  if (fault !== null) return answered(current, maskOf(any).apply(fault))
  return meetAssertions(any, answered(current, null), read)
}
