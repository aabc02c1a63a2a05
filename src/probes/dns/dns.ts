import ipaddr from 'ipaddr.js'
import {
  NO_HOST,
  NO_NAME_SERVER,
  nameServerSilent,
  nameServersFail,
  noRoute,
} from '../../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import { readResolver } from '../../core/monitors/options/connection.ts'
import { DNS_PORTS, type DnsTransport } from '../../core/monitors/options/dns.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { parseTarget, targetHost } from '../../core/monitors/target.ts'
import { dnsFailed, dnsNoName, dnsNoRecords, dnsUnproven } from '../../core/monitors/types/protocol-causes.ts'
import {
  askByStream,
  askByUdp,
  type NameServerPlace,
  type QuestionOutcome,
} from '../../net/names/dns-question.ts'
import {
  type DnsAnswer,
  type DnsMessages,
  type DnsQuestion,
  openDnsMessages,
} from '../../net/names/dns-wire.ts'
import { systemServers } from '../../net/names/name-server.ts'
import type { Network } from '../../net/network.ts'
import { refusalOf } from '../../net/resolve.ts'
import { answered, attempt, type ProbeAttempt, unanswered } from '../attempt.ts'
import { connect, connectSecurely } from '../connect.ts'
import { meetAssertions } from '../meet-assertions.ts'
import type { Probe } from '../probe.ts'
import { tlsTermsOf } from '../way.ts'
import { askByHttps } from './dns-over-https.ts'

/** A name server of ours that is silent for so long, or for a part of the limit, leaves the question to the next one. */
const OWN_SERVER_MS = 3_000
const OWN_SERVER_PART = 3
/** The server says nothing about the name. */
const USELESS = new Set(['SERVFAIL', 'REFUSED', 'NOTIMP', 'FORMERR'])
/** RFC 7858, section 3.1, needs none; servers that share a port want it (RFC 9461, section 4.1). */
const ALPN = ['dot']

type Current = ProbeAttempt<ProbeSettings<'dns'>>
type Asking = { messages: DnsMessages; question: DnsQuestion; transport: Exclude<DnsTransport, 'https'> }

/** Up when a name server answers with a record of the type that is asked for, and the answer meets the assertions. */
export function createDnsProbe(network: Network): Probe<'dns'> {
  return (settings, signal) =>
    attempt(network, settings, signal, async (current) => {
      const { transport = 'udp', resolver } = settings.options ?? {}
      const question = questionOf(settings)
      if (!question) return unanswered(current, NO_HOST)
      const messages = await openDnsMessages()
      if (transport === 'https') {
        const asked = await askByHttps(current, { messages, question, url: resolver ?? '' })
        return 'status' in asked ? asked : judge(current, question, asked)
      }
      const asking = { messages, question, transport }
      return resolver ? askTheirs(current, asking, resolver) : askOurs(current, asking)
    })
}

function questionOf({ url, options }: ProbeSettings<'dns'>): DnsQuestion | null {
  const parsed = parseTarget(url)
  const host = parsed && targetHost(parsed)
  if (host === null) return null
  const { record_type: type = 'A', dnssec: wantsProof = false } = options ?? {}
  const isReversed = type === 'PTR' && ipaddr.isValid(host)
  return { name: isReversed ? reverseName(host) : host.replace(/\.$/, ''), type, wantsProof }
}

/** RFC 1035, section 3.5, and RFC 3596, section 2.5. */
function reverseName(address: string): string {
  const parsed = ipaddr.parse(address)
  const bytes = parsed.toByteArray().reverse()
  if (parsed.kind() === 'ipv4') return `${bytes.join('.')}.in-addr.arpa`
  const nibbles = bytes.flatMap((byte) => [byte & 15, byte >> 4])
  return `${nibbles.map((nibble) => nibble.toString(16)).join('.')}.ip6.arpa`
}

/** The name server that the monitor names: it is what is checked. */
async function askTheirs(current: Current, asking: Asking, resolver: string): Promise<CheckResult> {
  const place = readResolver(resolver, DNS_PORTS[asking.transport])
  if (!place) return unanswered(current, NO_HOST)
  const refusal = refusalOf(current.network, 'check', place.address)
  if (refusal !== null) return unanswered(current, refusal)
  const asked = await askAt(current, asking, { ...place, kind: 'check' }, current.signal)
  return 'status' in asked ? asked : judge(current, asking.question, asked)
}

/**
 * The name servers of this machine, one after the other. Whether their trouble is ours is decided as for any name that checks
 * look up.
 */
async function askOurs(current: Current, asking: Asking): Promise<CheckResult> {
  const { network, signal, settings } = current
  const { question, transport } = asking
  const { name } = question
  const limitMs = Math.floor(
    Math.min(OWN_SERVER_MS, (settings.request_timeout_seconds * 1_000) / OWN_SERVER_PART),
  )
  let useless: DnsAnswer | null = null
  for (const server of network.resolvers ?? systemServers()) {
    const place = placeOf(server, transport)
    const turn = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
    // The operator has chosen it, at whatever address.
    const asked = place && (await askAt(current, asking, { ...place, kind: 'resolver' }, turn))
    if (!asked || 'status' in asked) continue
    if (asked.kind === 'answered' && !USELESS.has(asked.answer.code))
      return judgeOurs(current, question, asked.answer)
    if (asked.kind === 'answered') useless = asked.answer
    if (signal.aborted) break
  }
  current.lookedUp({ dnsMs: null, address: null, name }, performance.now())
  const cause = useless ? dnsFailed(name, useless.code) : nameServerSilent(name)
  const known = await network.nameServers.lookUp(name, signal)
  const ours = (reason: string) => ({ ...resultWithout('pending', reason), causeIfTheirs: cause, name })
  if (known.kind === 'not asked') return resultWithout('pending', known.reason)
  if (known.kind === 'server failed' && known.forEveryName) return ours(nameServersFail(known.code))
  if (known.kind === 'silent' && known.forEveryName) return ours(NO_NAME_SERVER)
  return unanswered(current, cause)
}

/** That a name does not exist is believed of a name server of ours unless it denies even the root. */
async function judgeOurs(current: Current, question: DnsQuestion, answer: DnsAnswer): Promise<CheckResult> {
  const { name } = question
  current.lookedUp({ dnsMs: null, address: null, name }, performance.now())
  if (answer.code !== 'NXDOMAIN') return judge(current, question, { kind: 'answered', answer })
  await current.network.nameServers.lookUp(name, current.signal)
  return unanswered(current, dnsNoName(name))
}

/** `ip:port`, or `[ip]:port`, of a server as the system names it. */
function placeOf(server: string, transport: Asking['transport']): NameServerPlace | null {
  const read = readResolver(server)
  return read && transport === 'tls' ? { ...read, port: DNS_PORTS.tls } : read
}

/** One server's answer, or how the way to it ended. An answer that did not fit a packet is asked for again over TCP. */
async function askAt(
  current: Current,
  { messages, question, transport }: Asking,
  { kind, ...place }: NameServerPlace & { kind: 'check' | 'resolver' },
  signal: AbortSignal,
): Promise<QuestionOutcome | CheckResult> {
  if (transport === 'udp') {
    current.connecting()
    current.lookedUp({ dnsMs: null, address: place.address }, performance.now())
    const sentAt = performance.now()
    const asked = await askByUdp(messages, place, question, signal)
    if (asked.kind !== 'answered') return asked
    current.firstByteRead(Math.round(performance.now() - sentAt))
    if (!asked.answer.isCut) return asked
  }
  const url = parseTarget(`dns://${place.address.includes(':') ? `[${place.address}]` : place.address}`)
  const at = { kind, url, port: place.port }
  const connected =
    transport === 'tls'
      ? await connectSecurely(current, { ...at, terms: tlsTermsOf(current.settings) }, ALPN)
      : await connect(current, at)
  if (connected.kind === 'ended') return connected.result
  const { socket } = connected
  try {
    current.requested()
    const sentAt = performance.now()
    const asked = await askByStream(messages, connected, question, signal)
    if (asked.kind === 'answered') current.firstByteRead(Math.round(performance.now() - sentAt))
    return asked
  } finally {
    socket.destroy()
  }
}

async function judge(
  current: Current,
  { name, type, wantsProof }: DnsQuestion,
  asked: QuestionOutcome,
): Promise<CheckResult> {
  const { address } = current.observed
  if (asked.kind === 'silent') return unanswered(current, nameServerSilent(name))
  if (asked.kind === 'failed') return unanswered(current, asked.reason)
  if (asked.kind === 'inconclusive') {
    const theirs = asked.isOfTheWay && address !== null ? { causeIfTheirs: noRoute([address]), address } : {}
    return { ...resultWithout('pending', asked.reason), ...theirs }
  }
  const { code, isAuthentic, records } = asked.answer
  if (code === 'NXDOMAIN') return answered(current, dnsNoName(name))
  if (code !== 'NOERROR') return answered(current, dnsFailed(name, code))
  if (records.length === 0) return answered(current, dnsNoRecords(name, type))
  if (wantsProof && !isAuthentic) return answered(current, dnsUnproven(name))
  return meetAssertions(current, answered(current, null), { answer: records.join('\n') })
}
