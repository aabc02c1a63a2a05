import {
  askAboutRoot,
  askServer,
  type NameServerTimeouts,
  type RootAnswer,
  type ServerAnswer,
  systemServers,
  TIMEOUTS,
} from './name-server.ts'
import { untilAborted } from './until-aborted.ts'

/** Silence after which the next server is asked as well. */
const NEXT_SERVER_MS = 1_000
/** Silence after which the servers are asked about the root as well, to learn whose fault it is. */
const DOUBT_AFTER_MS = 400
/** One question about the root serves every check that doubts within this time. */
const ROOT_ANSWER_HOLDS_MS = 1_000

export type LookUp =
  | { kind: 'found'; addresses: string[] }
  | { kind: 'not found' }
  | { kind: 'no address' }
  /** Every server failed, e.g. with SERVFAIL; `forEveryName` when they fail for the root as well. */
  | { kind: 'server failed'; code: string; forEveryName: boolean }
  /** No answer in time; `forEveryName` when the servers do not answer about the root either. */
  | { kind: 'silent'; forEveryName: boolean }
  /** They could not be asked, for a reason of this machine. */
  | { kind: 'not asked'; reason: string }

export type NameServers = (name: string, signal: AbortSignal) => Promise<LookUp>

/**
 * Looks names up with c-ares as a stub resolver does (resolv.conf(5)): a server that fails, refuses or is silent
 * leaves the question to the next one, and the one that answered last is asked first. `servers` as `ip:port`, or null
 * for those of the system.
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

type Told = { answer: ServerAnswer; server: string | null }

/**
 * Asks the first server, and each next one as soon as the one before has failed or been silent for a while. The first
 * answer about the name counts; without any, a failure says more than silence.
 */
async function askInTurn(
  servers: readonly string[],
  name: string,
  timeoutMs: number,
  caller: AbortSignal,
): Promise<Told> {
  const enough = new AbortController()
  const signal = AbortSignal.any([caller, enough.signal])
  const failures: ServerAnswer[] = []
  let started = 0
  let nextStart: NodeJS.Timeout | undefined
  try {
    return await new Promise<Told>((resolve, reject) => {
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
          resolve({ answer: tellingMost(failures), server: null })
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

function tellingMost(failures: readonly ServerAnswer[]): ServerAnswer {
  const failed = failures.find(({ kind }) => kind === 'server failed')
  if (failed) return failed
  return { kind: 'silent', isGone: failures.every((answer) => answer.kind === 'silent' && answer.isGone) }
}

/** Does any server answer about the root? */
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
