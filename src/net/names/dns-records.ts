import dns from 'node:dns'
import { shownLine } from '../../core/language/hidden-characters.ts'
import { codeOf, ownTrouble, shortage } from '../own-trouble.ts'

const TIMEOUT_MS = 2_000
const TRIES = 2
/** The bound of one answer; more is no set that people keep. */
const MAX_ANSWER_RECORDS = 100

export type RecordType = 'A' | 'AAAA' | 'CAA' | 'CNAME' | 'MX' | 'NS' | 'SRV' | 'TXT'

export type RecordsAnswer =
  /** As zone files write them; empty if the name has none of this type. */
  | { kind: 'answered'; records: string[] }
  | { kind: 'no such name' }
  /** The server answers nothing of use: SERVFAIL, REFUSED. */
  | { kind: 'failed'; code: string }
  | { kind: 'silent' }
  /** This machine could not ask. */
  | { kind: 'not asked'; reason: string }

/** Questions to the same servers (`ip:port`; null: the system's resolvers). `close` ends those under way. */
export type DnsQuestions = { ask(name: string, type: RecordType): Promise<RecordsAnswer>; close(): void }

/** Asks servers whose addresses the policy allows, or that the operator has chosen. The signal ends what is under way. */
export async function withDnsQuestions<Result>(
  servers: readonly string[] | null,
  signal: AbortSignal,
  ask: (questions: DnsQuestions) => Promise<Result>,
): Promise<Result> {
  const questions = openDnsQuestions(servers)
  const close = () => questions.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    return await ask(questions)
  } finally {
    signal.removeEventListener('abort', close)
    questions.close()
  }
}

function openDnsQuestions(servers: readonly string[] | null): DnsQuestions {
  const resolver = new dns.promises.Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  return {
    async ask(name, type) {
      try {
        const records = await ASK[type](resolver, name)
        return { kind: 'answered', records: records.slice(0, MAX_ANSWER_RECORDS).map(printable) }
      } catch (error) {
        return await meaningOf(codeOf(error))
      }
    },
    close: () => resolver.cancel(),
  }
}

type Resolver = dns.promises.Resolver

const ASK: Record<RecordType, (resolver: Resolver, name: string) => Promise<string[]>> = {
  A: (resolver, name) => resolver.resolve4(name),
  AAAA: (resolver, name) => resolver.resolve6(name),
  CNAME: (resolver, name) => resolver.resolveCname(name),
  NS: (resolver, name) => resolver.resolveNs(name),
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((parts) => parts.join('')),
  MX: async (resolver, name) =>
    (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange || '.'}`),
  SRV: async (resolver, name) =>
    (await resolver.resolveSrv(name)).map(
      ({ priority, weight, port, name: target }) => `${priority} ${weight} ${port} ${target || '.'}`,
    ),
  CAA: async (resolver, name) => (await resolver.resolveCaa(name)).map(caaInWords),
}

function caaInWords({ critical, ...properties }: dns.CaaRecord): string {
  const [[tag, value] = []] = Object.entries(properties).filter(([key]) => key !== 'type')
  return `${critical} ${tag} "${value}"`
}

async function meaningOf(code: string): Promise<RecordsAnswer> {
  if (code === 'ENODATA') return { kind: 'answered', records: [] }
  if (code === 'ENOTFOUND') return { kind: 'no such name' }
  // c-ares says neither that it could open no socket (a refused connection) nor that it got no port (silence).
  const isSilent = code === 'ECONNREFUSED' || code === 'ETIMEOUT'
  const reason = isSilent ? await shortage() : ownTrouble(code)
  if (reason !== null) return { kind: 'not asked', reason }
  if (code === 'ECANCELLED') return { kind: 'not asked', reason: 'the question was given up' }
  return isSilent ? { kind: 'silent' } : { kind: 'failed', code: code.replace(/^E/, '') }
}

/** Records may hold any bytes. */
export function printable(record: string): string {
  return shownLine(record.toWellFormed().replace(/\p{Cc}/gu, '\u{fffd}'))
}
