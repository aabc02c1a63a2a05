import { MONITOR_TYPES, type ProbedType } from '../core/monitors/monitor-types.ts'
import { parseTarget, portOf, targetHost } from '../core/monitors/target.ts'
import { dial } from '../net/dial.ts'
import type { Network } from '../net/network.ts'
import type { EchoProbe } from './icmp.ts'

const TIMEOUT_SECONDS = 3

/**
 * Creates a function that tests whether a target is reachable, by a connection or an echo, as the entry of its type
 * says: at `address`, or where its own host leads. It sends no request. It returns the address that was reached; null
 * without one, and for types without a landmark.
 */
export function createReach(network: Network, echo: EchoProbe) {
  return async (
    { type, url, port }: { type: ProbedType; url: string; port: number | null },
    address: string | null,
    signal: AbortSignal,
  ): Promise<string | null> => {
    const { landmark } = MONITOR_TYPES[type]
    if (landmark === null) return null
    if (landmark === 'echo') {
      const asked = address === null ? url : echoUrl(address)
      const echoed = await echo({ url: asked, request_timeout_seconds: TIMEOUT_SECONDS }, signal)
      return echoed.status === 'up' ? (echoed.address ?? null) : null
    }
    const parsed = parseTarget(url)
    const host = address ?? (parsed && targetHost(parsed))
    if (!parsed || host === null) return null
    const place = { kind: 'check', host, port: portOf({ type, url, port }) ?? 0 } as const
    const dialled = await dial(network, place, signal)
    if (dialled.kind !== 'connected') return null
    dialled.socket.destroy()
    return dialled.address
  }
}

function echoUrl(address: string): string {
  return `icmp://${address.includes(':') ? `[${address}]` : address}`
}
