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
 * says. It sends no request. False for types without a landmark.
 */
export function createReach(network: Network, icmp: Probe) {
  return async (
    { type, url, port }: Pick<ProbeSettings, 'type' | 'url' | 'port'>,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const { landmark } = MONITOR_TYPES[type]
    if (landmark === null) return false
    if (landmark === 'echo') return (await icmp(echoSettings(type, url), signal)).status === 'up'
    const parsed = parseTarget(url)
    const host = parsed && targetHost(parsed)
    if (!parsed || host === null) return false
    const written = Number(parsed.port) || PORTS[new URL(url).protocol]
    const dialled = await dial(
      network,
      { host, port: (usesSetting(type, 'port') ? port : null) ?? written ?? 0 },
      signal,
    )
    if (dialled.kind === 'connected') dialled.socket.destroy()
    return dialled.kind === 'connected'
  }
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
