import { registeredDomain } from '../../core/sites/domain/registered-domain.ts'
import { type DnsQuestions, withDnsQuestions } from '../../net/names/dns-records.ts'
import type { Network } from '../../net/network.ts'
import { resolveTarget } from '../../net/resolve.ts'

/** More name servers than this are not asked. */
const MAX_SERVERS = 8

/** A server of a zone, with the address (`ip:port`) at which the policy lets us ask it; null if there is none. */
export type ZoneServer = { name: string; address: string | null }

export type Zone =
  | { kind: 'found'; name: string; servers: ZoneServer[] }
  | { kind: 'no such name' }
  /** No zone that could be asked belongs to the name. */
  | { kind: 'none'; reason: string }
  | { kind: 'unknown'; reason: string }

/** The zone that a host name lies in, from the name upwards to the domain that somebody registered. */
export async function findZone(network: Network, host: string, signal: AbortSignal): Promise<Zone> {
  const registered = registeredDomain(host)
  if (registered.kind === 'none')
    return { kind: 'none', reason: `${host} has no zone whose name servers could be asked` }
  if (network.hosts(host).length > 0)
    return { kind: 'none', reason: `this machine has ${host} in its hosts file` }
  return withDnsQuestions(network.resolvers, signal, async (questions) => {
    for (const name of namesUpTo(host, registered.domain)) {
      // Resolvers follow an alias, and would answer about the zone of another name.
      if (name !== registered.domain && (await isAlias(questions, name))) continue
      const answer = await questions.ask(name, 'NS')
      if (answer.kind === 'answered' && answer.records.length > 0)
        return { kind: 'found', name, servers: await serversOf(network, answer.records, signal) }
      if (answer.kind === 'no such name' && name === registered.domain) return answer
      if (answer.kind === 'not asked') return { kind: 'unknown', reason: answer.reason }
      if (answer.kind === 'failed' || answer.kind === 'silent')
        return { kind: 'unknown', reason: `our name servers do not tell the name servers of ${name}` }
    }
    return { kind: 'unknown', reason: `${registered.domain} seems to have no name servers` }
  })
}

/**
 * Whether name servers of a domain answer; null if ours do not say. Resolvers get the records that name them from these
 * servers: the zone above refers to them.
 */
export async function haveNameServers(
  network: Network,
  domain: string,
  signal: AbortSignal,
): Promise<boolean | null> {
  const answer = await withDnsQuestions(network.resolvers, signal, ({ ask }) => ask(domain, 'NS'))
  if (answer.kind === 'answered') return answer.records.length > 0
  return answer.kind === 'silent' || answer.kind === 'not asked' ? null : false
}

async function isAlias(questions: DnsQuestions, name: string): Promise<boolean> {
  const answer = await questions.ask(name, 'CNAME')
  return answer.kind === 'answered' && answer.records.length > 0
}

/** `a.b.example.com`, `b.example.com`, `example.com`. */
function namesUpTo(host: string, domain: string): string[] {
  const labels = host
    .slice(0, host.length - domain.length)
    .split('.')
    .filter(Boolean)
  return [...labels.map((_, index) => [...labels.slice(index), domain].join('.')), domain]
}

async function serversOf(network: Network, names: string[], signal: AbortSignal): Promise<ZoneServer[]> {
  const known = [...new Set(names.map((name) => name.toLowerCase().replace(/\.$/, '')))].sort()
  return Promise.all(
    known.slice(0, MAX_SERVERS).map(async (name) => {
      const resolved = await resolveTarget(network, 'name server of a zone', name, signal)
      return { name, address: resolved.kind === 'resolved' ? addressOf(resolved.addresses, network) : null }
    }),
  )
}

/** IPv4 first: this machine may have no IPv6, which is no fault of the server. */
function addressOf(addresses: string[], { ports }: Network): string | null {
  const four = addresses.find((address) => !address.includes(':'))
  if (four) return `${four}:${ports.dns}`
  const [six] = addresses
  return six ? `[${six}]:${ports.dns}` : null
}
