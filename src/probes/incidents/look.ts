import type { TargetLook } from '../../core/monitors/incidents/target-look.ts'
import { MONITOR_TYPES, namedBy, serviceOfScheme } from '../../core/monitors/monitor-types.ts'
import { mayHaveCertificate, securityOf } from '../../core/monitors/options/security.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { parseTarget, portOf, schemeOf, targetHost } from '../../core/monitors/target.ts'
import type { Network } from '../../net/network.ts'
import { resolveTarget } from '../../net/resolve.ts'
import type { EchoSockets } from '../icmp/echo.ts'
import { wayOf } from '../way.ts'
import { lookAtTls, tryAddresses } from './connections.ts'
import { lookAtNames } from './names.ts'
import { traceRoute } from './route.ts'

/** The bound of each collector in milliseconds; all of them begin together. */
const BOUNDS = { names: 5_000, route: 4_000, connections: 5_000, tls: 7_000 }
const MAX_ADDRESSES = 4
const HTTPS_PORT = 443

/**
 * Looks at name, route, addresses and TLS of the target of a monitor, within a few seconds. Never throws for network failures. Every
 * address that is dialled is judged as that of its check.
 */
export async function lookAtTarget(
  network: Network,
  sockets: EchoSockets,
  settings: ProbeSettings,
  signal: AbortSignal,
  bounds: typeof BOUNDS = BOUNDS,
): Promise<TargetLook | null> {
  const url = parseTarget(settings.url)
  const host = url && targetHost(url)
  if (host === null || !isHost(settings)) return null
  const within = (ms: number) => AbortSignal.any([signal, AbortSignal.timeout(ms)])
  const way = await wayOf({ network, settings })
  const { isDialled } = MONITOR_TYPES[settings.type].url ?? { isDialled: false }
  // Its own name servers are asked by the check, and ours would say something else.
  const looksUp = way.nameServers === undefined && way.tunnel === undefined
  const names = looksUp ? lookAtNames(network, host, within(bounds.names)) : null
  const nothing = { connections: [], route: null, encryption: null, refusal: null, isOurs: false }
  const isThroughProxy = way.tunnel !== undefined
  const port = portTo(settings)
  if (!isDialled) return { host, port, isThroughProxy, names: await names, ...nothing }
  const dialling = dialAll()
  return { host, port, isThroughProxy, names: await names, ...nothing, ...(await dialling) }

  async function dialAll(): Promise<Partial<TargetLook>> {
    const resolved = await resolveTarget(network, 'check', host as string, within(bounds.names), way)
    if (resolved.kind !== 'resolved')
      return { refusal: resolved.reason, isOurs: resolved.kind === 'inconclusive' }
    const addresses = resolved.addresses.slice(0, MAX_ADDRESSES)
    const [first] = addresses
    const [connections, route, encryption] = await Promise.all([
      port !== null && overConnections(settings)
        ? tryAddresses(network, { addresses, port, way }, within(bounds.connections))
        : [],
      first !== undefined && !isThroughProxy ? traceRoute(sockets, first, within(bounds.route)) : null,
      port !== null && beginsWithTls(settings)
        ? lookAtTls(network, settings, { host: host as string, port, way }, within(bounds.tls))
        : null,
    ])
    return { connections, route, encryption }
  }
}

const NAMES_SEVERAL = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*,/i

/** A container, a service of several servers and a list of them have names that are none of one host. */
function isHost({ type, url }: ProbeSettings): boolean {
  const isNamed = namedBy(type) !== null || serviceOfScheme(type, schemeOf(url)) !== null
  return !isNamed && !NAMES_SEVERAL.test(url)
}

function portTo(settings: ProbeSettings): number | null {
  const port = portOf({
    type: settings.type,
    url: settings.url,
    port: 'port' in settings ? settings.port : null,
  })
  return port ?? (settings.type === 'ssl' ? HTTPS_PORT : null)
}

function overConnections({ type, url }: ProbeSettings): boolean {
  return /^(http|ws)s?:/i.test(url) || MONITOR_TYPES[type].phases.some((phase) => phase === 'connect_ms')
}

/** Whether TLS begins with the first byte: elsewhere a talk comes before it, which only the check has. */
function beginsWithTls({ type, url, options }: ProbeSettings): boolean {
  if (type === 'ssl' || /^(https|wss):/i.test(url)) return true
  const security = { type, url, options: options ?? null }
  return mayHaveCertificate(security) && securityOf(security) === 'implicit'
}
