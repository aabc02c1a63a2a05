import {
  comparableSet,
  type DnsLook,
  type DnsType,
  isAddressType,
  policiesOf,
} from '../../core/sites/dns/records.ts'
import { type RecordsAnswer, withDnsQuestions } from '../../net/names/dns-records.ts'
import type { Network } from '../../net/network.ts'
import { findZone, type ZoneServer } from './zone.ts'

/** The answers of one server: a type that it did not answer about is absent. */
type Answers = {
  sets: Partial<Record<DnsType, string[]>>
  alias: string | null
  /** Null if it did not say. */
  exists: boolean | null
  /** Trouble of this machine. */
  trouble: string | null
}

/** Looks at the DNS of a host: asks each authoritative server of its zone. Never throws. */
export async function lookAtDns(network: Network, host: string, signal: AbortSignal): Promise<DnsLook> {
  const zone = await findZone(network, host, signal)
  if (signal.aborted) return { kind: 'unknown', reason: 'the look was given up' }
  if (zone.kind === 'no such name') return { kind: 'no_such_name' }
  if (zone.kind !== 'found') return zone
  const asked = await Promise.all(
    zone.servers.flatMap((server) =>
      server.address === null ? [] : [askServer(server, zone.name, host, signal)],
    ),
  )
  const trouble = asked.find(({ answers }) => answers.trouble !== null)?.answers.trouble
  if (trouble) return { kind: 'unknown', reason: trouble }
  const heard = asked.filter(({ answers }) => isHeard(answers))
  if (heard.length === 0) return askResolvers(network, zone.name, host, signal)
  const look = combine(heard)
  if (look.kind !== 'answered') return look
  const silent = asked.filter(({ answers }) => !isHeard(answers)).map(({ name }) => name)
  if (look.alias === null) return { ...look, silent }
  const { a: _a, aaaa: _aaaa, ...others } = look.sets
  return { ...look, silent, sets: { ...others, ...(await addressesOf(network, host, signal)) } }
}

async function askServer({ name, address }: ZoneServer, zone: string, host: string, signal: AbortSignal) {
  return { name, answers: await askAll([address as string], zone, host, signal) }
}

async function askAll(
  servers: readonly string[] | null,
  zone: string,
  host: string,
  signal: AbortSignal,
): Promise<Answers> {
  return withDnsQuestions(servers, signal, async ({ ask }) => {
    const [ns, mx, caa, texts, dmarcs, a, aaaa, cname] = await Promise.all([
      ask(zone, 'NS'),
      ask(zone, 'MX'),
      ask(zone, 'CAA'),
      ask(zone, 'TXT'),
      ask(`_dmarc.${zone}`, 'TXT'),
      ask(host, 'A'),
      ask(host, 'AAAA'),
      host === zone ? ({ kind: 'answered', records: [] } as const) : ask(host, 'CNAME'),
    ])
    // The apex of a zone cannot be an alias, and was not asked.
    const ofHost = host === zone ? [a, aaaa] : [a, aaaa, cname]
    const trouble = [ns, mx, caa, texts, dmarcs, ...ofHost].find(({ kind }) => kind === 'not asked')
    return {
      sets: {
        ...setOf('ns', ns),
        ...setOf('mx', mx),
        ...setOf('caa', caa),
        ...setOf('spf', texts),
        ...setOf('dmarc', dmarcs),
        ...setOf('a', a),
        ...setOf('aaaa', aaaa),
      },
      alias: cname.kind === 'answered' ? (cname.records[0] ?? null) : null,
      exists: ofHost.some(({ kind }) => kind === 'answered')
        ? true
        : ofHost.every(({ kind }) => kind === 'no such name')
          ? false
          : null,
      trouble: trouble?.kind === 'not asked' ? trouble.reason : null,
    }
  })
}

/** A name that does not exist has no records; a server that did not answer says nothing. */
function setOf(type: DnsType, answer: RecordsAnswer): Partial<Record<DnsType, string[]>> {
  if (answer.kind === 'no such name') return { [type]: [] }
  if (answer.kind !== 'answered') return {}
  const records = type === 'spf' || type === 'dmarc' ? policiesOf(type, answer.records) : answer.records
  return { [type]: comparableSet(type, records) }
}

function isHeard({ sets, exists }: Answers): boolean {
  return exists !== null || Object.keys(sets).length > 0
}

/** The answer of most servers holds; addresses of all are taken together, since servers rotate them each by itself. */
function combine(heard: { name: string; answers: Answers }[]): DnsLook {
  const answers = heard.map((one) => one.answers)
  if (answers.every(({ exists }) => exists === false)) return { kind: 'no_such_name' }
  const types = new Set(answers.flatMap(({ sets }) => Object.keys(sets) as DnsType[]))
  const sets: Partial<Record<DnsType, string[]>> = {}
  const disagreeing = new Set(heard.filter((one) => one.answers.exists === false).map(({ name }) => name))
  for (const type of types) {
    const said = heard.flatMap((one) => {
      const set = one.answers.sets[type]
      return set ? [{ name: one.name, set }] : []
    })
    if (isAddressType(type)) {
      sets[type] = comparableSet(
        type,
        said.flatMap(({ set }) => set),
      )
      continue
    }
    const common = mostCommon(said.map(({ set }) => set))
    sets[type] = common
    for (const { name, set } of said) if (!isSame(set, common)) disagreeing.add(name)
  }
  const alias = answers.find((one) => one.alias !== null)?.alias ?? null
  return { kind: 'answered', sets, disagreeing: [...disagreeing].sort(), silent: [], alias }
}

function mostCommon(sets: string[][]): string[] {
  const groups = [...Map.groupBy(sets, (set) => JSON.stringify(set)).values()]
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? []
}

function isSame(one: string[], other: string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Networks that let no questions out are no fault of the name servers: the resolvers know what they know. */
async function askResolvers(
  network: Network,
  zone: string,
  host: string,
  signal: AbortSignal,
): Promise<DnsLook> {
  const answers = await askAll(network.resolvers, zone, host, signal)
  if (!isHeard(answers)) return { kind: 'unknown', reason: `no name server of ${zone} answers us` }
  return combine([{ name: 'our resolvers', answers }])
}

/** The addresses of a name that is an alias: its own servers know only the alias. */
async function addressesOf(network: Network, host: string, signal: AbortSignal) {
  return withDnsQuestions(network.resolvers, signal, async ({ ask }) => {
    const [a, aaaa] = await Promise.all([ask(host, 'A'), ask(host, 'AAAA')])
    return { ...setOf('a', a), ...setOf('aaaa', aaaa) }
  })
}
