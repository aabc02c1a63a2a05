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
/** Silence after which the servers are also asked about the root, to learn whose fault it is. */
const DOUBT_AFTER_MS = 400
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

export type NameServers = (name: string, signal: AbortSignal) => Promise<LookUp>

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
  const inOrder = () => preferredFirst(servers ?? systemServers(), answeredLast)
  const askRoot = createRootQuestion(inOrder, timeouts.rootMs, monotonicMs)

  return async (name, signal) => {
    const root: { answer: RootAnswer | 'not asked' } = { answer: 'not asked' }
    const doubt = setTimeout(async () => {
      root.answer = 'silent'
      root.answer = await askRoot()
    }, DOUBT_AFTER_MS)
    try {
      const { answer, server } = await askInTurn(inOrder(), name, timeouts.queryMs, signal)
      if (answer.kind === 'server failed')
        return { ...answer, forEveryName: (await untilAborted(askRoot(), signal, root.answer)) === 'fails' }
      if (answer.kind === 'silent') {
        if (!signal.aborted && !answer.isGone)
          root.answer = await untilAborted(askRoot(), signal, root.answer)
        return { kind: 'silent', forEveryName: answer.isGone || root.answer === 'silent' }
      }
      if (server !== null) answeredLast = server
      return answer
    } finally {
      clearTimeout(doubt)
    }
  }
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

/** Whether any server answers about the root. */
function createRootQuestion(servers: () => readonly string[], timeoutMs: number, monotonicMs: () => number) {
  let askedAt = Number.NEGATIVE_INFINITY
  let answer: Promise<RootAnswer> = Promise.resolve('silent')
  return () => {
    if (monotonicMs() - askedAt < ROOT_ANSWER_HOLDS_MS) return answer
    askedAt = monotonicMs()
    answer = Promise.all(servers().map((server) => askAboutRoot(server, timeoutMs))).then(
      (answers) => (['answers', 'fails'] as const).find((one) => answers.includes(one)) ?? 'silent',
    )
    return answer
  }
}
