import net from 'node:net'
import { type DialFailure, judgeFailures } from './dial-failure.ts'
import { letGoWhenClosed } from './let-go.ts'
import type { Network } from './network.ts'
import { codeOf } from './own-trouble.ts'
import { resolveTarget } from './resolve.ts'
import { askRoute } from './route.ts'

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
  | (Lookup & { kind: 'connected'; socket: net.Socket; address: string; dnsMs: number; connectMs: number })
  /** `address` is the first one tried; null when there was none. */
  | (Lookup & {
      kind: 'failed'
      reason: string
      dnsMs: number | null
      phase: DialPhase
      address: string | null
    })
  /** `isOfTheWay`: the cause lies between us and the target, and may still be the target's own. */
  | (Lookup & { kind: 'inconclusive'; reason: string; isOfTheWay: boolean })

/** The name that was sent to the name servers, if any. */
type Lookup = { name?: string }

/**
 * Resolves the host once and connects to an address that the policy allows. Never throws for network failures.
 * `onLookedUp` receives the duration of the name look-up before any connection is made. When the signal aborts, every
 * socket is destroyed and the result is `failed` with the phase reached; the caller, who knows why it aborted, should
 * replace the reason.
 */
export async function dial(
  network: Network,
  target: { host: string; port: number },
  signal: AbortSignal,
  onLookedUp: (tookMs: number) => void = () => {},
): Promise<DialResult> {
  const startedAt = performance.now()
  const resolved = await resolveTarget(network, withoutBrackets(target.host), signal)
  if (resolved.kind === 'inconclusive') return resolved
  if (resolved.kind === 'failed')
    return { ...resolved, dnsMs: null, phase: 'looking up the name', address: null }
  const lookup = resolved.name === undefined ? {} : { name: resolved.name }
  const resolvedAt = performance.now()
  if (resolved.name !== undefined) onLookedUp(resolvedAt - startedAt)
  const dnsMs = Math.round(resolvedAt - startedAt)
  const addresses = alternateFamilies(resolved.addresses).slice(0, MAX_ADDRESSES)
  const { winner, failures } = await race(network, addresses, target.port, signal)
  if (winner) {
    const connectMs = Math.round(performance.now() - resolvedAt)
    return { kind: 'connected', ...winner, dnsMs, connectMs, ...lookup }
  }
  const ended = { dnsMs, phase: 'connecting', address: addresses[0] ?? null, ...lookup } as const
  if (signal.aborted) return { kind: 'failed', reason: 'gave up connecting', ...ended }
  const judged = judgeFailures(await Promise.all(failures.map(askRoute)), target.port)
  return judged.kind === 'inconclusive' ? judged : { ...judged, ...ended }
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

/** Starts the next address 250 ms after the last, or as soon as one fails. The first connection wins. */
function race(network: Network, addresses: readonly string[], port: number, signal: AbortSignal) {
  return new Promise<{ winner: { socket: net.Socket; address: string } | null; failures: DialFailure[] }>(
    (resolve) => {
      const sockets = new Set<net.Socket>()
      const failures: DialFailure[] = []
      let started = 0
      let nextStart: NodeJS.Timeout | undefined

      const end = (winner: { socket: net.Socket; address: string } | null) => {
        clearTimeout(nextStart)
        signal.removeEventListener('abort', giveUp)
        for (const socket of sockets) if (socket !== winner?.socket) socket.destroy()
        sockets.clear()
        resolve({ winner, failures })
      }
      const giveUp = () => end(null)
      const startNext = () => {
        clearTimeout(nextStart)
        const address = addresses[started++]
        if (address === undefined) return
        const socket = connect(network, address, port)
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

      if (signal.aborted) return resolve({ winner: null, failures })
      signal.addEventListener('abort', giveUp, { once: true })
      startNext()
    },
  )
}

/** The address is always a judged IP literal, so Node resolves nothing; the block list is a second check. */
function connect(network: Network, address: string, port: number): net.Socket {
  return net.connect({
    host: address,
    port,
    autoSelectFamily: false,
    blockList: network.blocked,
    noDelay: true,
  })
}
