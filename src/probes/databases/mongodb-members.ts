import { NO_HOST } from '../../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import { serviceOfScheme } from '../../core/monitors/monitor-types.ts'
import { databaseOf } from '../../core/monitors/options/databases.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { parseTarget, portOf, schemeOf, targetHost, urlsOfHosts } from '../../core/monitors/target.ts'
import { memberOutside } from '../../core/monitors/types/causes.ts'
import { dnsFailed, dnsNoRecords } from '../../core/monitors/types/protocol-causes.ts'
import { type RecordsAnswer, withDnsQuestions } from '../../net/names/dns-records.ts'
import { resolveTarget } from '../../net/resolve.ts'
import { type ProbeAttempt, unanswered } from '../attempt.ts'
import { nameServersOf, wayOf } from '../way.ts'
import type { DatabaseMember, Members } from './engine.ts'

type Current = ProbeAttempt<ProbeSettings>

/** More than a replica set has votes; a check tries one after the other. */
const MAX_MEMBERS = 10
const NAME = 'MongoDB'
const MIN_LABELS_WITH_PARENT = 3

/**
 * The members that a URL names, or the SRV records of its host ("Initial DNS Seedlist Discovery" of the specifications of MongoDB's
 * drivers), and the database that knows the user: that of `authSource`, of the path, or `admin` (null).
 */
export async function findMembers(current: Current): Promise<Members | CheckResult> {
  const { type, url } = current.settings
  const service = serviceOfScheme(type, schemeOf(url))
  if (service === null) {
    const places = urlsOfHosts(url).flatMap((one): DatabaseMember[] => {
      const [parsed, port] = [parseTarget(one), portOf({ type, url: one })]
      return parsed && port !== null ? [{ url: parsed, port }] : []
    })
    return places.length > 0 ? { places, home: homeOf(url, '') } : unanswered(current, NO_HOST)
  }
  const host = hostOf(url)
  if (host === null) return unanswered(current, NO_HOST)
  return membersOfRecords(current, service, host)
}

async function membersOfRecords(
  current: Current,
  service: string,
  host: string,
): Promise<Members | CheckResult> {
  const { network, settings, signal } = current
  const servers = nameServersOf(network, settings)
  if ('reason' in servers) return unanswered(current, servers.reason)
  const name = `${service}.${host}`
  current.connecting()
  const askedAt = performance.now()
  const [found, more] = await withDnsQuestions(servers.asked, signal, ({ ask }) =>
    Promise.all([ask(name, 'SRV'), ask(host, 'TXT')]),
  )
  current.setAside(performance.now() - askedAt)
  if (found.kind !== 'answered') return withoutAnswer(current, name, found)
  // A root as the target says that there is no such service (RFC 2782).
  const targets = inOrder(found.records).filter(([target]) => target !== '')
  if (targets.length === 0) return unanswered(current, dnsNoRecords(name, 'SRV'))
  const parent = parentOf(host)
  const places: DatabaseMember[] = []
  for (const [target, port] of targets) {
    const url = parseTarget(`tcp://${target}`)
    if (!url || !target.endsWith(`.${parent}`))
      return unanswered(current, memberOutside(NAME, host, target, parent))
    places.push({ url, port })
  }
  const words = more.kind === 'answered' ? (more.records[0] ?? '') : ''
  return { places: places.slice(0, MAX_MEMBERS), home: homeOf(settings.url, words) }
}

/** A name that gives no records: the look-up of its addresses tells whether that is our fault. */
async function withoutAnswer(
  current: Current,
  name: string,
  answer: Exclude<RecordsAnswer, { kind: 'answered' }>,
): Promise<CheckResult> {
  const { network, signal } = current
  if (answer.kind === 'not asked') return resultWithout('pending', answer.reason)
  const resolved = await resolveTarget(network, 'check', name, signal, await wayOf(current))
  current.lookedUp({ dnsMs: null, address: null, name }, performance.now())
  if (resolved.kind === 'failed') return unanswered(current, resolved.reason)
  if (resolved.kind === 'inconclusive') {
    const { reason, causeIfTheirs } = resolved
    return { ...resultWithout('pending', reason), ...(causeIfTheirs !== null && { causeIfTheirs }), name }
  }
  return unanswered(current, dnsFailed(name, answer.kind === 'failed' ? answer.code : 'SERVFAIL'))
}

/** The targets and ports of SRV records, the most preferred one first (RFC 2782). */
function inOrder(records: readonly string[]): [target: string, port: number][] {
  const read = records.map((record) => {
    const [priority = 0, weight = 0, port = 0] = record.split(' ', 3).map(Number)
    const target = record.split(' ')[3]?.toLowerCase().replace(/\.$/, '') ?? ''
    return { priority, weight, port, target }
  })
  read.sort(
    (one, other) =>
      one.priority - other.priority || other.weight - one.weight || (one.target < other.target ? -1 : 1),
  )
  return read.map(({ target, port }) => [target, port])
}

/** The domain that members must be in. */
function parentOf(host: string): string {
  const labels = host.split('.')
  return labels.length < MIN_LABELS_WITH_PARENT ? host : labels.slice(1).join('.')
}

function hostOf(url: string): string | null {
  const parsed = parseTarget(url)
  return parsed && targetHost(parsed)
}

/** `words`: further ones of the kind that stand behind the `?` of a URL, whose own go before them. */
function homeOf(url: string, words: string): string | null {
  const own = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? '').get('authSource')
  return own || new URLSearchParams(words).get('authSource') || databaseOf({ url })
}
