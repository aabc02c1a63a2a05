import type net from 'node:net'
import type { NameServers } from './names/name-servers.ts'

/** How a connection gets to its target, where a monitor says it; empty: as every one does. */
export type DialWay = {
  /** The version of IP. */
  version?: 4 | 6
  /** Name servers in place of the machine's, whose silence is not ours. */
  nameServers?: NameServers & { address: string }
  tunnel?: Tunnel
}

/** Connects to one of some judged addresses through a proxy. Never throws for network failures. */
export type Tunnel = (
  target: { addresses: readonly string[]; port: number },
  signal: AbortSignal,
) => Promise<Tunnelled>

/** The proxy: its address, null where none was tried, and the name that name servers were asked for. */
export type Via = { address: string | null; name?: string }

export type Tunnelled =
  /** `connectMs`: from the question to the proxy until its answer. `asideMs`: until then. The caller must destroy the socket. */
  | { kind: 'connected'; socket: net.Socket; address: string; connectMs: number; asideMs: number; via: Via }
  | { kind: 'failed'; reason: string; via: Via }
  | { kind: 'inconclusive'; reason: string }
