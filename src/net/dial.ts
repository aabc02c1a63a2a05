import net from 'node:net'
import { noRoute } from '../core/monitors/cause.ts'
import type { AddressKind } from './address-policy.ts'
import { blockListOf } from './address-policy.ts'
import { type DialFailure, judgeFailures } from './dial-failure.ts'
import { letGoWhenClosed } from './let-go.ts'
import type { Network } from './network.ts'
import { codeOf, familyTrouble } from './own-trouble.ts'
import { policyAt, resolveTarget } from './resolve.ts'
import { askRoute } from './route.ts'
import type { DialWay, Tunnel, Via } from './way.ts'

/** Head start of each address over the next one (RFC 8305, section 5). */
const ATTEMPT_DELAY_MS = 250
/**
 * Each is tried while time is left, as in browsers. More than any real service has; a name with thousands of addresses
 * must not make us try them all.
 */
const MAX_ADDRESSES = 64

export type DialPhase = 'looking up the name' | 'connecting'

/** Milliseconds are whole. `phase` is where the attempt ended; after an abort nothing else is known. */
export type DialResult =
  /** `address` is an IP literal without brackets. The caller must destroy the socket. */
  | (Lookup & {
      kind: 'connected'
      socket: net.Socket
      address: string
      dnsMs: number
      connectMs: number
      /** Spent on the way to a proxy, `via`. */
      asideMs?: number
      via?: Via
    })
  | (Lookup &
      Tried & {
        kind: 'failed'
        reason: string
        dnsMs: number | null
        phase: DialPhase
        isRefused?: true
        via?: Via
      })
  /** `causeIfTheirs`: what to tell once it turns out not to be our fault; null where it always is. */
  | (Lookup & Tried & { kind: 'inconclusive'; reason: string; causeIfTheirs: string | null })

/** The name that was sent to the name servers, if any. */
type Lookup = { name?: string }

/** The first address that failed, null when none was tried, and the first one of the other family. */
type Tried = { address: string | null; otherAddress?: string }

/**
 * Resolves the host once and connects to an address that the policy for its kind allows. Never throws for network failures.
 * `onLookedUp` receives the duration of the name look-up before any connection is made. When the signal aborts, every
 * socket is destroyed and the result is `failed` with the phase reached; the caller, who knows why it aborted, should
 * replace the reason.
 */
export async function dial(
  network: Network,
  target: { kind: AddressKind; host: string; port: number; way?: DialWay },
  signal: AbortSignal,
  onLookedUp: (tookMs: number) => void = () => {},
): Promise<DialResult> {
  const startedAt = performance.now()
  const host = withoutBrackets(target.host)
  const resolved = await resolveTarget(network, target.kind, host, signal, target.way)
  if (resolved.kind === 'inconclusive') return { ...resolved, address: null }
  if (resolved.kind === 'failed')
    return { address: null, ...resolved, dnsMs: null, phase: 'looking up the name' }
  const lookup = resolved.name === undefined ? {} : { name: resolved.name }
  const resolvedAt = performance.now()
  if (resolved.name !== undefined) onLookedUp(resolvedAt - startedAt)
  // An address needs no look-up: the time until here is our own.
  const dnsMs = net.isIP(host) ? 0 : Math.round(resolvedAt - startedAt)
  const addresses = alternateFamilies(resolved.addresses).slice(0, MAX_ADDRESSES)
  if (target.way?.tunnel)
    return throughTunnel(target.way.tunnel, { addresses, port: target.port }, { dnsMs, ...lookup }, signal)
  const blockedFor = (address: string) => blockListOf(policyAt(network, target.kind, address))
  const { winner, failures, tried } = await race(blockedFor, addresses, target.port, signal)
  if (winner) {
    const connectMs = Math.round(performance.now() - resolvedAt)
    return { kind: 'connected', ...winner, dnsMs, connectMs, ...lookup }
  }
  const explained = await Promise.all(failures.map(askRoute))
  const ended = { ...firstOfEachFamily(triedFor(tried, explained)), ...lookup }
  const failed = { kind: 'failed', dnsMs, phase: 'connecting', ...ended } as const
  if (signal.aborted) return { ...failed, reason: 'gave up connecting' }
  const judged = judgeFailures(explained, target.port)
  if (judged.kind === 'failed') return { ...failed, ...judged }
  const { kind, reason, isOfTheWay } = judged
  return { kind, reason, causeIfTheirs: isOfTheWay ? noRoute(addresses) : null, ...ended }
}

async function throughTunnel(
  tunnel: Tunnel,
  target: { addresses: readonly string[]; port: number },
  lookup: Lookup & { dnsMs: number },
  signal: AbortSignal,
): Promise<DialResult> {
  const opened = await tunnel(target, signal)
  const [address = null] = target.addresses
  switch (opened.kind) {
    case 'connected':
      return { ...lookup, ...opened }
    case 'failed':
      return {
        ...lookup,
        kind: 'failed',
        reason: opened.reason,
        phase: 'connecting',
        address,
        via: opened.via,
      }
    case 'inconclusive':
      return { kind: 'inconclusive', reason: opened.reason, causeIfTheirs: null, address }
  }
}

/** The addresses that say something about the target: those of a family that this machine lacks only without others. */
function triedFor(tried: readonly string[], failures: readonly DialFailure[]): readonly string[] {
  const lacking = failures.filter(({ code }) => familyTrouble(code) !== null).map(({ address }) => address)
  const telling = tried.filter((address) => !lacking.includes(address))
  return telling.length > 0 ? telling : tried
}

function firstOfEachFamily(addresses: readonly string[]): Tried {
  const [address = null] = addresses
  const other = addresses.find((one) => net.isIPv6(one) !== net.isIPv6(address ?? ''))
  return { address, ...(other !== undefined && { otherAddress: other }) }
}

function withoutBrackets(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}

/** IPv6, IPv4, IPv6, … (RFC 8305, section 4). */
function alternateFamilies(addresses: readonly string[]): readonly string[] {
  if (addresses.length < 2) return addresses
  const six = addresses.filter((address) => net.isIPv6(address))
  const four = addresses.filter((address) => !net.isIPv6(address))
  const longest = Math.max(six.length, four.length)
  return Array.from({ length: longest }, (_, i) => [six[i], four[i]])
    .flat()
    .filter((address) => address !== undefined)
}

type Race = {
  winner: { socket: net.Socket; address: string } | null
  failures: DialFailure[]
  tried: readonly string[]
}

/** Starts the next address 250 ms after the last, or as soon as one fails. The first connection wins. */
function race(
  blockedFor: (address: string) => net.BlockList,
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
) {
  return new Promise<Race>((resolve) => {
    const sockets = new Set<net.Socket>()
    const failures: DialFailure[] = []
    let started = 0
    let nextStart: NodeJS.Timeout | undefined

    const end = (winner: { socket: net.Socket; address: string } | null) => {
      clearTimeout(nextStart)
      signal.removeEventListener('abort', giveUp)
      for (const socket of sockets) if (socket !== winner?.socket) socket.destroy()
      sockets.clear()
      resolve({ winner, failures, tried: addresses.slice(0, started) })
    }
    const giveUp = () => end(null)
    const startNext = () => {
      clearTimeout(nextStart)
      const address = addresses[started++]
      if (address === undefined) return
      const socket = connect(blockedFor(address), address, port)
      letGoWhenClosed(socket)
      sockets.add(socket)
      socket.once('connect', () => end({ socket, address }))
      // Stays for the life of the socket: an error between two owners must not end the process.
      socket.on('error', (error) => {
        if (!sockets.delete(socket)) return
        failures.push({ address, code: codeOf(error) })
        if (failures.length === addresses.length) end(null)
        else startNext()
      })
      if (started < addresses.length) nextStart = setTimeout(startNext, ATTEMPT_DELAY_MS)
    }

    if (signal.aborted) return resolve({ winner: null, failures, tried: [] })
    signal.addEventListener('abort', giveUp, { once: true })
    startNext()
  })
}

/** The address is always a judged IP literal, so Node resolves nothing; the block list is a second check. */
function connect(blocked: net.BlockList, address: string, port: number): net.Socket {
  return net.connect({
    host: address,
    port,
    autoSelectFamily: false,
    blockList: blocked,
    noDelay: true,
  })
}
