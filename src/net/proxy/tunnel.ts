import type net from 'node:net'
import { addressAndPort, byProxy } from '../../core/monitors/cause.ts'
import { type ProxyAddress, readProxy } from '../../core/monitors/options/proxy-address.ts'
import { dial } from '../dial.ts'
import type { Network } from '../network.ts'
import { secure } from '../tls/tls.ts'
import type { DialWay, Tunnel, Tunnelled, Via } from '../way.ts'
import { NoBytes } from './first-bytes.ts'
import { openByConnect } from './http-connect.ts'
import { openBySocks } from './socks.ts'

/** Each is a connection to the proxy of its own, one after the other. */
const MAX_ADDRESSES = 4
const NOWHERE: Via = { address: null }

type Reached = { kind: 'connected'; socket: net.Socket; via: Via } | Exclude<Tunnelled, { kind: 'connected' }>

/**
 * A tunnel through the proxy at a URL that `readProxy` takes. The address of the proxy is judged as one that a member gave; those of the
 * target have been judged, and the proxy gets no name. `way`: how the proxy itself is reached.
 */
export function createTunnel(network: Network, url: string, way: DialWay): Tunnel {
  const proxy = readProxy(url)
  return async ({ addresses, port }, signal) => {
    if (!proxy) return { kind: 'failed', reason: byProxy('its address cannot be read'), via: NOWHERE }
    let asideMs = 0
    let failed: Tunnelled = {
      kind: 'failed',
      reason: byProxy('there is no address to ask for'),
      via: NOWHERE,
    }
    for (const address of addresses.slice(0, MAX_ADDRESSES)) {
      const beganAt = performance.now()
      const reached = await reach(network, proxy, way, signal)
      if (reached.kind !== 'connected') return { ...reached, reason: byProxy(reached.reason) }
      const { socket, via } = reached
      const askedAt = performance.now()
      asideMs += askedAt - beganAt
      const refusal = await open(socket, proxy, { address, port }, signal)
      const connectMs = Math.round(performance.now() - askedAt)
      if (refusal === null) return { kind: 'connected', socket, address, connectMs, asideMs, via }
      socket.destroy()
      const reason = byProxy(`${refusal}, asked for ${addressAndPort(address, port)}`)
      failed = { kind: 'failed', reason, via }
      if (signal.aborted) break
    }
    return failed
  }
}

async function reach(
  network: Network,
  { isSecure, host, port }: ProxyAddress,
  way: DialWay,
  signal: AbortSignal,
): Promise<Reached> {
  const dialed = await dial(network, { kind: 'check', host, port, way }, signal)
  if (dialed.kind === 'inconclusive') return { kind: 'inconclusive', reason: dialed.reason }
  const { address, name } = dialed
  const via = { address, ...(name !== undefined && { name }) }
  if (dialed.kind === 'failed') return { kind: 'failed', reason: dialed.reason, via }
  if (!isSecure) return { kind: 'connected', socket: dialed.socket, via }
  const secured = await secure(network, dialed.socket, { kind: 'check', host, alpn: null, way }, signal)
  if (secured.kind === 'inconclusive') return secured
  if (secured.kind === 'failed') return { kind: 'failed', reason: secured.reason, via }
  if (secured.refusal === null) return { kind: 'connected', socket: secured.socket, via }
  secured.socket.destroy()
  return { kind: 'failed', reason: secured.refusal, via }
}

async function open(
  socket: net.Socket,
  { protocol, user }: ProxyAddress,
  target: { address: string; port: number },
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const opened = protocol === 'socks5' ? openBySocks : openByConnect
    return await opened(socket, target, user, signal)
  } catch (error) {
    if (error instanceof NoBytes) return 'the connection was closed'
    throw error
  }
}
