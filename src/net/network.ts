import dns from 'node:dns'
import { createTurnstile, type Turnstile } from '../core/sharing/share.ts'
import type { RdapServices } from '../core/sites/domain/rdap.ts'
import type { PrivateTargets } from './address-policy.ts'
import { createLoopWatch, type LoopWatch } from './loop-watch.ts'
import { type HostsFile, openHostsFile } from './names/hosts-file.ts'
import type { NameServerTimeouts } from './names/name-server.ts'
import { createNameServers, type NameServers } from './names/name-servers.ts'
import { createOwnBroadcasts, type OwnBroadcasts } from './own-broadcasts.ts'
import { type AllContexts, createSecureContexts } from './tls/secure-context.ts'

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

const NO_REGISTRIES: RdapServices = { publication: new Date(0).toISOString(), services: [] }

/** This process's access to the network, created once: its setting, name resolution, trusted authorities. */
export type Network = {
  /** The setting, which address-policy.ts turns into a policy for each kind of address. */
  readonly privateTargets: PrivateTargets
  /** Whether a check goes where an answer from a public address leads, if that is a private one (PRIVATE_REDIRECTS). */
  readonly privateRedirects: PrivateTargets
  /** The paths of the sockets of this machine that checks may use, as the operator lists them (DOCKER_SOCKETS). */
  readonly sockets: readonly string[]
  readonly isOwnBroadcast: OwnBroadcasts
  readonly now: () => Date
  readonly hosts: HostsFile
  readonly nameServers: NameServers
  /** The name servers that look-ups ask, as `ip:port`; null for the system's. */
  readonly resolvers: readonly string[] | null
  readonly nameServerTimeouts: Partial<NameServerTimeouts>
  /** Where the name servers of other zones, and registries, listen. */
  readonly ports: { dns: number; whois: number }
  /** The RDAP servers of top-level domains. */
  readonly registries: () => Promise<RdapServices>
  /** The system's resolver (search domains, mDNS), for short names that the name servers do not know. */
  readonly systemLookUp: ((name: string) => Promise<string[]>) | null
  readonly loop: LoopWatch
  /** The team that this is used for, where that is known (./on-behalf-of.ts). */
  readonly teamId?: number
  /** Shared by the teams for which they are made. */
  readonly handshakes: Turnstile
  readonly secureContexts: AllContexts
}

export type NetworkOptions = {
  privateTargets: PrivateTargets
  /** `deny` unless told otherwise. */
  privateRedirects?: PrivateTargets
  /** None unless told otherwise. */
  sockets?: readonly string[]
  now?: () => Date
  /** Replaces the system's name servers, as `ip:port`; names are then sent nowhere else. */
  nameServers?: readonly string[]
  nameServerTimeouts?: Partial<NameServerTimeouts>
  /** Instead of the well-known ones, for servers of tests. */
  ports?: { dns: number; whois: number }
  /** Without it none are known, and registries are asked over WHOIS. */
  registries?: () => Promise<RdapServices>
  hostsFile?: string
  /** PEM certificates trusted in addition to Node's roots and NODE_EXTRA_CA_CERTS. */
  extraAuthorities?: readonly string[]
}

export function createNetwork(options: NetworkOptions): Network {
  const monotonicMs = () => performance.now()
  return {
    privateTargets: options.privateTargets,
    privateRedirects: options.privateRedirects ?? 'deny',
    sockets: options.sockets ?? [],
    isOwnBroadcast: createOwnBroadcasts(monotonicMs),
    now: options.now ?? (() => new Date()),
    hosts: openHostsFile(options.hostsFile ?? HOSTS_FILE, monotonicMs),
    nameServers: createNameServers(options.nameServers ?? null, monotonicMs, options.nameServerTimeouts),
    resolvers: options.nameServers ?? null,
    nameServerTimeouts: options.nameServerTimeouts ?? {},
    ports: options.ports ?? { dns: 53, whois: 43 },
    registries: options.registries ?? (async () => NO_REGISTRIES),
    systemLookUp: options.nameServers ? null : askSystem,
    loop: createLoopWatch(monotonicMs),
    handshakes: createTurnstile('handshakes'),
    secureContexts: createSecureContexts(options.extraAuthorities ?? []),
  }
}

/** All addresses of a name by getaddrinfo(3); empty on failure. It cannot be cancelled, so race it. */
async function askSystem(name: string): Promise<string[]> {
  const found = await dns.promises.lookup(name, { all: true, order: 'verbatim' }).catch(() => [])
  return found.map(({ address }) => address)
}
