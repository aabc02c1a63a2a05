import net from 'node:net'
import type { LookedUpNames } from '../../core/monitors/incidents/target-look.ts'
import { withDnsQuestions } from '../../net/names/dns-records.ts'
import type { Network } from '../../net/network.ts'
import { findZone } from '../sites/zone.ts'

/** Longer chains of aliases are followed by no resolver. */
const MAX_ALIASES = 8

/** The answer about a name with its chain of aliases, and the name servers of the zone that it lies in. */
export async function lookAtNames(
  network: Network,
  host: string,
  signal: AbortSignal,
): Promise<LookedUpNames> {
  if (net.isIP(host)) return { kind: 'address' }
  if (network.hosts(host).length > 0 || /(^|\.)localhost$/.test(host)) return { kind: 'hosts file' }
  const [answer, zone] = await Promise.all([
    withDnsQuestions(network.resolvers, signal, ({ ask }) => follow(ask, host)),
    findZone(network, host, signal),
  ])
  if (answer.kind === 'not asked') return answer
  const servers =
    zone.kind === 'found' ? { name: zone.name, servers: zone.servers.map(({ name }) => name) } : null
  return { ...answer, zone: servers }
}

type Ask = Parameters<Parameters<typeof withDnsQuestions>[2]>[0]['ask']
type Followed =
  | { kind: 'not asked'; reason: string }
  | Omit<Extract<LookedUpNames, { kind: 'asked' }>, 'zone'>

async function follow(ask: Ask, host: string): Promise<Followed> {
  const aliases: string[] = []
  let name = host
  while (aliases.length < MAX_ALIASES) {
    const alias = await ask(name, 'CNAME')
    if (alias.kind === 'not asked') return alias
    const next = alias.kind === 'answered' ? alias.records[0]?.toLowerCase().replace(/\.$/, '') : undefined
    if (next === undefined) break
    aliases.push(next)
    name = next
  }
  const answers = await Promise.all([ask(name, 'AAAA'), ask(name, 'A')])
  const asked = answers.find(({ kind }) => kind !== 'not asked')
  if (!asked) return answers[0] as Followed & { kind: 'not asked' }
  const addresses = answers.flatMap((answer) => (answer.kind === 'answered' ? answer.records : []))
  return { kind: 'asked', aliases, addresses, fault: addresses.length > 0 ? null : faultOf(answers, name) }
}

function faultOf(answers: readonly { kind: string; code?: string }[], name: string): string {
  const of = (kind: string) => answers.find((answer) => answer.kind === kind)
  if (of('no such name')) return `${name} does not exist`
  const failed = of('failed')
  if (failed) return `the name servers answer ${failed.code} for ${name}`
  return of('silent') ? `no name server answers for ${name}` : `${name} has no address`
}
