import dns from 'node:dns'
import { codeOf } from './own-trouble.ts'
import { untilAborted } from './until-aborted.ts'

const QUERY_TRIES = 2
/** How long one address family waits for the other once it has an answer. */
const OTHER_FAMILY_MS = 100
/** Silence after which the servers are asked about the root as well, to learn whose fault it is. */
const DOUBT_AFTER_MS = 400
/** One question about the root serves every check that doubts within this time. */
const ROOT_ANSWER_HOLDS_MS = 1_000

/** How long one question waits for its answer: about a name, which is asked twice, and about the root. */
export type NameServerTimeouts = { queryMs: number; rootMs: number }

const TIMEOUTS: NameServerTimeouts = { queryMs: 2_000, rootMs: 1_500 }

export type LookUp =
  | { kind: 'found'; addresses: string[] }
  | { kind: 'not found' }
  | { kind: 'no address' }
  /** A server answered with an error, e.g. SERVFAIL; `forEveryName` when it says the same of the root. */
  | { kind: 'server failed'; code: string; forEveryName: boolean }
  /** No answer in time; `forEveryName` when the servers do not answer about the root either. */
  | { kind: 'silent'; forEveryName: boolean }

export type NameServers = (name: string, signal: AbortSignal) => Promise<LookUp>

type RootAnswer = 'answers' | 'fails' | 'silent'
type FamilyAnswer = { addresses: string[]; code: string | null }

/** Looks names up with c-ares; `servers` as `ip:port`, or null for those of the system. */
export function createNameServers(
  servers: readonly string[] | null,
  monotonicMs: () => number,
  timeouts: Partial<NameServerTimeouts> = {},
): NameServers {
  const { queryMs, rootMs } = { ...TIMEOUTS, ...timeouts }
  const askRoot = createRootQuestion(servers, rootMs, monotonicMs)

  return async (name, signal) => {
    // A resolver of its own costs 50 µs. It follows changes of resolv.conf and can be cancelled alone.
    const resolver = createResolver(servers, queryMs, QUERY_TRIES)
    const root: { answer: RootAnswer | 'not asked' } = { answer: 'not asked' }
    const doubt = setTimeout(async () => {
      root.answer = 'silent'
      root.answer = await askRoot()
    }, DOUBT_AFTER_MS)
    try {
      const outcome = summarise(await bothFamilies(resolver, name, signal))
      if (outcome.kind === 'silent' && !signal.aborted && !outcome.forEveryName)
        root.answer = await untilAborted(askRoot(), signal, root.answer)
      if (outcome.kind === 'silent')
        return { kind: 'silent', forEveryName: outcome.forEveryName || root.answer === 'silent' }
      if (outcome.kind === 'server failed' && outcome.code === 'SERVFAIL')
        return { ...outcome, forEveryName: (await untilAborted(askRoot(), signal, root.answer)) === 'fails' }
      return outcome
    } finally {
      clearTimeout(doubt)
      resolver.cancel()
    }
  }
}

function createResolver(servers: readonly string[] | null, timeout: number, tries: number) {
  const resolver = new dns.promises.Resolver({ timeout, tries })
  if (servers) resolver.setServers(servers)
  return resolver
}

/** Do the servers answer anything at all? Any answer about the root counts, even a refusal. */
function createRootQuestion(servers: readonly string[] | null, timeoutMs: number, monotonicMs: () => number) {
  let askedAt = Number.NEGATIVE_INFINITY
  let answer: Promise<RootAnswer> = Promise.resolve('silent')
  return () => {
    if (monotonicMs() - askedAt < ROOT_ANSWER_HOLDS_MS) return answer
    askedAt = monotonicMs()
    answer = createResolver(servers, timeoutMs, 1)
      .resolveNs('.')
      .then(() => 'answers' as const, rootAnswerOf)
    return answer
  }
}

function rootAnswerOf(error: unknown): RootAnswer {
  const code = codeOf(error)
  if (code === 'ETIMEOUT' || code === 'ECONNREFUSED') return 'silent'
  return code === 'ESERVFAIL' ? 'fails' : 'answers'
}

/** IPv6 and IPv4 together. A family that says nothing holds the other back only for a moment. */
async function bothFamilies(resolver: dns.promises.Resolver, name: string, signal: AbortSignal) {
  const answers: FamilyAnswer[] = [
    { addresses: [], code: 'ETIMEOUT' },
    { addresses: [], code: 'ETIMEOUT' },
  ]
  let patience: NodeJS.Timeout | undefined
  let enough = () => {}
  const cut = new Promise<void>((resolve) => {
    enough = resolve
  })
  const ask = async (slot: 0 | 1, query: Promise<string[]>) => {
    answers[slot] = await query.then(
      (addresses) => ({ addresses, code: null }),
      (error: unknown) => ({ addresses: [], code: codeOf(error) }),
    )
    if (answers[slot].addresses.length > 0) patience ??= setTimeout(enough, OTHER_FAMILY_MS)
  }
  signal.addEventListener('abort', enough, { once: true })
  try {
    if (signal.aborted) enough()
    await Promise.race([cut, Promise.all([ask(0, resolver.resolve6(name)), ask(1, resolver.resolve4(name))])])
    return answers.slice()
  } finally {
    clearTimeout(patience)
    signal.removeEventListener('abort', enough)
  }
}

function summarise(answers: readonly FamilyAnswer[]): LookUp {
  const addresses = answers.flatMap((answer) => answer.addresses)
  if (addresses.length > 0) return { kind: 'found', addresses }
  const codes = answers.map((answer) => answer.code ?? 'ENODATA')
  if (codes.some((code) => code === 'ENOTFOUND' || code === 'EBADNAME')) return { kind: 'not found' }
  if (codes.every((code) => code === 'ENODATA')) return { kind: 'no address' }
  const unanswered = ['ENODATA', 'ETIMEOUT', 'ECONNREFUSED']
  const failure = codes.find((code) => !unanswered.includes(code))
  if (failure) return { kind: 'server failed', code: failure.replace(/^E/, ''), forEveryName: false }
  return { kind: 'silent', forEveryName: !codes.includes('ETIMEOUT') && !codes.includes('ENODATA') }
}
