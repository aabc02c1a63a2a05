import { putLast } from '../../core/bounded-map.ts'
import { untilAborted } from '../until-aborted.ts'
import {
  askAboutRoot,
  askServer,
  type NameServerTimeouts,
  type RootAnswer,
  type ServerAnswer,
  systemServers,
  TIMEOUTS,
} from './name-server.ts'

/** Silence after which the next server is asked as well. */
const NEXT_SERVER_MS = 1_000
const DENIED_NAMES_KEPT = 10_000
/** One query for the root serves every check that doubts the servers within this time. */
const ROOT_ANSWER_HOLDS_MS = 1_000

export type LookUp =
  | { kind: 'found'; addresses: string[] }
  | { kind: 'not found' }
  | { kind: 'no address' }
  /** Every server failed, for example with SERVFAIL; `forEveryName` when they fail for the root as well. */
  | { kind: 'server failed'; code: string; forEveryName: boolean }
  /** No answer in time; `forEveryName` when the servers do not answer about the root either. */
  | { kind: 'silent'; forEveryName: boolean }
  /** This machine could not send the query. */
  | { kind: 'not asked'; reason: string }
  /** A name server that must not be asked. */
  | { kind: 'refused'; reason: string }

export type NameServers = {
  lookUp(name: string, signal: AbortSignal): Promise<LookUp>
  /**
   * Whether the server that knew no such name last denies that even the root exists: then its word is worth nothing, and
   * the next look-up begins with a server that answers about the root, if there is one.
   */
  isRootDenied(name: string, signal: AbortSignal): Promise<boolean>
}

/**
 * Looks names up with c-ares the way a stub resolver does (resolv.conf(5)): if a server fails, refuses or stays silent,
 * the next one is asked; the server that answered last goes first. `servers` as `ip:port`, or null for the system's.
 */
export function createNameServers(
  servers: readonly string[] | null,
  monotonicMs: () => number,
  given: Partial<NameServerTimeouts> = {},
): NameServers {
  const timeouts = { ...TIMEOUTS, ...given }
  let answeredLast: string | null = null
  /** The server that said of a name that it does not exist. */
  const deniedBy = new Map<string, string>()
  const inOrder = () => preferredFirst(servers ?? systemServers(), answeredLast)
  const askEachRoot = createRootQuestion(inOrder, timeouts.rootMs, monotonicMs)
  const askRoot = async () => best(await askEachRoot())

  async function isRootDenied(name: string, signal: AbortSignal): Promise<boolean> {
    const server = deniedBy.get(name)
    const answers = await untilAborted(askEachRoot(), signal, new Map<string, RootAnswer>())
    if (server === undefined || answers.get(server) !== 'denies') return false
    const well = [...answers].find(([, answer]) => answer === 'answers')
    if (answeredLast === server) answeredLast = well?.[0] ?? null
    return true
  }

  async function lookUp(name: string, signal: AbortSignal): Promise<LookUp> {
    const root: { answer: RootAnswer | 'not asked' } = { answer: 'not asked' }
    const doubt = setTimeout(async () => {
      root.answer = 'silent'
      root.answer = await askRoot()
    }, timeouts.doubtMs)
    try {
      const { answer, server } = await askInTurn(inOrder(), name, timeouts.queryMs, signal)
      if (answer.kind === 'server failed')
        return { ...answer, forEveryName: isSick(await untilAborted(askRoot(), signal, root.answer)) }
      if (answer.kind === 'silent') {
        if (!signal.aborted && !answer.isGone)
          root.answer = await untilAborted(askRoot(), signal, root.answer)
        return { kind: 'silent', forEveryName: answer.isGone || root.answer === 'silent' }
      }
      if (server !== null) answeredLast = server
      if (server !== null && answer.kind === 'not found') putLast(deniedBy, name, server, DENIED_NAMES_KEPT)
      return answer
    } finally {
      clearTimeout(doubt)
    }
  }

  return { lookUp, isRootDenied }
}

function isSick(answer: RootAnswer | 'not asked'): boolean {
  return answer === 'fails' || answer === 'denies'
}

function preferredFirst(servers: readonly string[], preferred: string | null): readonly string[] {
  if (preferred === null || !servers.includes(preferred)) return servers
  return [preferred, ...servers.filter((server) => server !== preferred)]
}

type Reply = { answer: ServerAnswer; server: string | null }

/**
 * Asks the first server, then each next one as soon as the one before has failed or stayed silent for a while. The
 * first answer about the name wins; without one, an error says more than silence.
 */
async function askInTurn(
  servers: readonly string[],
  name: string,
  timeoutMs: number,
  caller: AbortSignal,
): Promise<Reply> {
  const enough = new AbortController()
  const signal = AbortSignal.any([caller, enough.signal])
  const failures: ServerAnswer[] = []
  let started = 0
  let nextStart: NodeJS.Timeout | undefined
  try {
    return await new Promise<Reply>((resolve, reject) => {
      const startNext = () => void askNext().catch(reject)
      const askNext = async () => {
        clearTimeout(nextStart)
        const server = servers[started++]
        if (server === undefined) return
        if (started < servers.length) nextStart = setTimeout(startNext, NEXT_SERVER_MS)
        const answer = await askServer(server, name, timeoutMs, signal)
        if (answer.kind === 'not asked') return resolve({ answer, server: null })
        if (isAboutName(answer)) return resolve({ answer, server })
        failures.push(answer)
        if (failures.length === servers.length || caller.aborted)
          resolve({ answer: mostTelling(failures), server: null })
        else startNext()
      }
      if (servers.length === 0) resolve({ answer: { kind: 'silent', isGone: true }, server: null })
      startNext()
    })
  } finally {
    clearTimeout(nextStart)
    enough.abort()
  }
}

function isAboutName({ kind }: ServerAnswer): boolean {
  return kind !== 'server failed' && kind !== 'silent'
}

function mostTelling(failures: readonly ServerAnswer[]): ServerAnswer {
  const failed = failures.find(({ kind }) => kind === 'server failed')
  if (failed) return failed
  return { kind: 'silent', isGone: failures.every((answer) => answer.kind === 'silent' && answer.isGone) }
}

/** Any server that answers is enough. */
function best(answers: ReadonlyMap<string, RootAnswer>): RootAnswer {
  const known = [...answers.values()]
  return (['answers', 'fails', 'denies'] as const).find((one) => known.includes(one)) ?? 'silent'
}

/** The answer of each server about the root. */
function createRootQuestion(servers: () => readonly string[], timeoutMs: number, monotonicMs: () => number) {
  let askedAt = Number.NEGATIVE_INFINITY
  let answer: Promise<ReadonlyMap<string, RootAnswer>> = Promise.resolve(new Map())
  return () => {
    if (monotonicMs() - askedAt < ROOT_ANSWER_HOLDS_MS) return answer
    askedAt = monotonicMs()
    const ask = async (server: string) => [server, await askAboutRoot(server, timeoutMs)] as const
    answer = Promise.all(servers().map(ask)).then((answers) => new Map(answers))
    return answer
  }
}
