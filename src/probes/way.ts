import { addressAndPort, addressNotAllowed } from '../core/monitors/cause.ts'
import { readResolver } from '../core/monitors/options/connection.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import { createNameServers } from '../net/names/name-servers.ts'
import type { Network } from '../net/network.ts'
import { refusalOf } from '../net/resolve.ts'
import type { TlsTerms } from '../net/tls/tls.ts'
import type { DialWay } from '../net/way.ts'

type Settings = Pick<ProbeSettings, 'options'>

/** The way to the target that the options of a monitor say; what it needs besides is loaded for the first that wants it. */
export async function wayOf({
  network,
  settings: { options },
}: {
  network: Network
  settings: Settings
}): Promise<DialWay> {
  const { ip_version: version, resolver, proxy } = options ?? {}
  const way: DialWay = {
    ...(version && { version }),
    ...(resolver && { nameServers: nameServersAt(network, resolver) }),
  }
  if (!proxy) return way
  const { createTunnel } = await import('../net/proxy/tunnel.ts')
  // The version of IP is that of the target.
  const { version: _, ...thither } = way
  return { ...way, tunnel: createTunnel(network, proxy, thither) }
}

/** The name server that a monitor names. One whose address is not allowed is never asked. */
function nameServersAt(network: Network, resolver: string): DialWay['nameServers'] & {} {
  const chosen = chosenServer(network, resolver)
  const { address } = chosen
  if ('reason' in chosen)
    return {
      ...{ address, isRootDenied: async () => false },
      lookUp: async () => ({ kind: 'refused', reason: chosen.reason }),
    }
  const servers = [chosen.server]
  return { ...createNameServers(servers, () => performance.now(), network.nameServerTimeouts), address }
}

/** The name server that a monitor names, as `ip:port`; the reason why it may not be asked. */
function chosenServer(
  network: Network,
  resolver: string,
): { address: string; server: string } | { address: string; reason: string } {
  const read = readResolver(resolver)
  const address = read?.address ?? resolver
  const reason = read ? refusalOf(network, 'check', address) : addressNotAllowed(address)
  if (read && reason === null) return { address, server: addressAndPort(address, read.port) }
  return { address, reason: reason ?? addressNotAllowed(address) }
}

/** The name servers that questions of a check go to, for `withDnsQuestions`: that of the monitor, or those of this machine. */
export function nameServersOf(
  network: Network,
  { options }: Settings,
): { asked: readonly string[] | null } | { reason: string } {
  if (!options?.resolver) return { asked: network.resolvers }
  const chosen = chosenServer(network, options.resolver)
  return 'reason' in chosen ? { reason: chosen.reason } : { asked: [chosen.server] }
}

/**
 * The terms of TLS that the options of a monitor name; undefined for none. Another origin than the monitor's is shown neither its
 * certificate nor its name.
 */
export function tlsTermsOf({ options }: Settings, isOwn = true): TlsTerms | undefined {
  const tls = options?.tls
  if (!tls) return undefined
  const { verify: verifies = true, ca, client_certificate: certificate, client_key: key, server_name } = tls
  if (!isOwn) return { verifies, credentials: { ca } }
  return { verifies, serverName: server_name, credentials: { ca, certificate, key } }
}
