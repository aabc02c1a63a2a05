import dns from 'node:dns'
import { codeOf, shortage } from '../own-trouble.ts'

/** Each waits twice as long as the one before: 7.5 s in all. A packet that is lost costs half a second only. */
const QUERY_TRIES = 4
/** How long one address family waits for the other once it has an answer. */
const OTHER_FAMILY_MS = 100
/** Without an answer for this long, it is asked whether this machine could send the query at all. */
const DOUBT_OURSELVES_MS = 100

/**
 * Time limits of one query: for a name, which is queried again after that, and for the root, about which the servers are also
 * asked after `doubtMs` of silence, to learn whose fault it is.
 */
export type NameServerTimeouts = { queryMs: number; doubtMs: number; rootMs: number }

export const TIMEOUTS: NameServerTimeouts = { queryMs: 500, doubtMs: 400, rootMs: 1_500 }

/** One server's answer about a name. */
export type ServerAnswer =
  | { kind: 'found'; addresses: string[] }
  | { kind: 'not found' }
  | { kind: 'no address' }
  /** The server's own error, such as SERVFAIL or REFUSED. */
  | { kind: 'server failed'; code: string }
  /** `isGone` when nothing listens at that address. */
  | { kind: 'silent'; isGone: boolean }
  /** This machine could not send the query. */
  | { kind: 'not asked'; reason: string }

/**
 * The answer of a server about the root. A working server gives one, even when a name has problems; one that denies that the
 * root exists (NXDOMAIN) denies everything.
 */
export type RootAnswer = 'answers' | 'denies' | 'fails' | 'silent'

type FamilyAnswer = { addresses: string[]; code: string | null }

/** The system's name servers as `ip:port`, read each time because they change. */
export function systemServers(): readonly string[] {
  return new dns.promises.Resolver().getServers()
}

/** Asks one server (`ip:port`) for the addresses of a name until the signal aborts. */
export async function askServer(
  server: string,
  name: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  // A separate resolver costs 50 µs, and can be cancelled on its own.
  const resolver = createResolver(server, timeoutMs, QUERY_TRIES)
  // c-ares says neither that it could open no socket (a refused connection) nor that it got no port (silence).
  let ours: Promise<string | null> | undefined
  const doubt = setTimeout(() => {
    ours = shortage()
  }, DOUBT_OURSELVES_MS)
  try {
    const answer = summarize(await bothFamilies(resolver, name, signal))
    const reason = answer.kind === 'silent' ? ((await ours) ?? (await shortage())) : null
    return reason === null ? answer : { kind: 'not asked', reason }
  } finally {
    clearTimeout(doubt)
    resolver.cancel()
  }
}

export async function askAboutRoot(server: string, timeoutMs: number): Promise<RootAnswer> {
  return createResolver(server, timeoutMs, 1)
    .resolveNs('.')
    .then(() => 'answers' as const, rootAnswerOf)
}

function createResolver(server: string, timeout: number, tries: number): dns.promises.Resolver {
  const resolver = new dns.promises.Resolver({ timeout, tries })
  resolver.setServers([server])
  return resolver
}

function rootAnswerOf(error: unknown): RootAnswer {
  const code = codeOf(error)
  if (code === 'ETIMEOUT' || code === 'ECONNREFUSED') return 'silent'
  if (code === 'ENOTFOUND') return 'denies'
  return ['ESERVFAIL', 'EREFUSED', 'ENOTIMP'].includes(code) ? 'fails' : 'answers'
}

/** Queries IPv6 and IPv4 together. A silent family delays the other only briefly. */
async function bothFamilies(resolver: dns.promises.Resolver, name: string, signal: AbortSignal) {
  const answers: FamilyAnswer[] = [
    { addresses: [], code: 'ETIMEOUT' },
    { addresses: [], code: 'ETIMEOUT' },
  ]
  let otherFamily: NodeJS.Timeout | undefined
  let enough = () => {}
  const cut = new Promise<void>((resolve) => {
    enough = resolve
  })
  const ask = async (slot: 0 | 1, query: Promise<string[]>) => {
    answers[slot] = await query.then(
      (addresses) => ({ addresses, code: null }),
      (error: unknown) => ({ addresses: [], code: codeOf(error) }),
    )
    if (answers[slot].addresses.length > 0) otherFamily ??= setTimeout(enough, OTHER_FAMILY_MS)
  }
  signal.addEventListener('abort', enough, { once: true })
  try {
    if (signal.aborted) enough()
    await Promise.race([cut, Promise.all([ask(0, resolver.resolve6(name)), ask(1, resolver.resolve4(name))])])
    return answers.slice()
  } finally {
    clearTimeout(otherFamily)
    signal.removeEventListener('abort', enough)
  }
}

function summarize(answers: readonly FamilyAnswer[]): ServerAnswer {
  const addresses = answers.flatMap((answer) => answer.addresses)
  if (addresses.length > 0) return { kind: 'found', addresses }
  const codes = answers.map((answer) => answer.code ?? 'ENODATA')
  if (codes.some((code) => code === 'ENOTFOUND' || code === 'EBADNAME')) return { kind: 'not found' }
  if (codes.every((code) => code === 'ENODATA')) return { kind: 'no address' }
  const unanswered = ['ENODATA', 'ETIMEOUT', 'ECONNREFUSED']
  const failure = codes.find((code) => !unanswered.includes(code))
  if (failure) return { kind: 'server failed', code: failure.replace(/^E/, '') }
  return { kind: 'silent', isGone: !codes.includes('ETIMEOUT') && !codes.includes('ENODATA') }
}
