import { MONITOR_TYPES, usesSetting } from '../core/monitors/monitor-types.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import { parseTarget } from '../core/monitors/target.ts'
import { dial } from '../net/dial.ts'
import type { Network } from '../net/network.ts'
import { targetHost } from '../net/target-host.ts'
import type { Probe } from './probe.ts'

const TIMEOUT_SECONDS = 3
const PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

/**
 * Creates a function that tests whether a target is reachable, by a connection or an echo, as the entry of its type
 * says: at `address`, or where its own host leads. It sends no request. It returns the address that was reached; null
 * without one, and for types without a landmark.
 */
export function createReach(network: Network, icmp: Probe) {
  return async (
    { type, url, port }: Pick<ProbeSettings, 'type' | 'url' | 'port'>,
    address: string | null,
    signal: AbortSignal,
  ): Promise<string | null> => {
    const { landmark } = MONITOR_TYPES[type]
    if (landmark === null) return null
    if (landmark === 'echo') {
      const echoed = await icmp(echoSettings(type, address === null ? url : echoUrl(address)), signal)
      return echoed.status === 'up' ? (echoed.address ?? null) : null
    }
    const parsed = parseTarget(url)
    const host = address ?? (parsed && targetHost(parsed))
    if (!parsed || host === null) return null
    const written = Number(parsed.port) || PORTS[new URL(url).protocol]
    const dialled = await dial(
      network,
      { kind: 'check', host, port: (usesSetting(type, 'port') ? port : null) ?? written ?? 0 },
      signal,
    )
    if (dialled.kind !== 'connected') return null
    dialled.socket.destroy()
    return dialled.address
  }
}

function echoUrl(address: string): string {
  return `icmp://${address.includes(':') ? `[${address}]` : address}`
}

function echoSettings(type: ProbeSettings['type'], url: string): ProbeSettings {
  return {
    type,
    url,
    port: null,
    http_method: 'GET',
    expected_status_codes: [],
    expected_keyword: null,
    request_timeout_seconds: TIMEOUT_SECONDS,
    interval_seconds: TIMEOUT_SECONDS,
    request_headers: null,
    username: null,
    password: null,
    ssl_expiry_warning_days: 1,
  }
}
