import { daysRemaining, warnOfExpiry } from '../../core/monitors/certificate.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import type { MonitorSettings } from '../../core/monitors/monitor.ts'
import { databaseOf } from '../../core/monitors/options/databases.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import {
  foundTooMuch,
  invalidReply,
  noSignIn,
  notEncrypted,
  offersNoTls,
  queryRefused,
  signInNeedsTls,
  signInRefused,
} from '../../core/monitors/types/protocol-causes.ts'
import type { Network } from '../../net/network.ts'
import { answered, attempt, type ProbeAttempt } from '../attempt.ts'
import { beginTls, converse, type OpenLine } from '../lines/conversation.ts'
import { briefly } from '../lines/farewell.ts'
import { createTalk, type Talk, TalkEnded } from '../lines/talk.ts'
import { maskOf } from '../mask-secrets.ts'
import { meetAssertions } from '../meet-assertions.ts'
import { Garbled } from '../packets/cursor.ts'
import {
  type DatabaseEngine,
  DatabaseRefusal,
  type DatabaseSession,
  type DatabaseUser,
  MAX_BYTES,
  MAX_ROWS,
  MAX_TEXT_LENGTH,
  type QueryResult,
  TooManyRows,
  TooMuchText,
} from './engine.ts'
import { askInTurn } from './members.ts'

/** A line, such as an error, may be as long as all. */
const LIMITS = { whole: MAX_BYTES, line: MAX_BYTES }

type SignedIn = Partial<Pick<MonitorSettings, 'username' | 'password' | 'ssl_expiry_warning_days'>>
type Current = ProbeAttempt<ProbeSettings>

/**
 * Up when a database begins TLS as the monitor wants it, signs its user in, and answers its query as the assertions want. Degraded when
 * its certificate expires soon. `load` gets what the engine needs for the first check of its type, before that is timed.
 */
export function createDatabaseProbe(load: () => Promise<DatabaseEngine>, network: Network, now: () => Date) {
  return async (settings: ProbeSettings, signal: AbortSignal): Promise<CheckResult> => {
    const engine = await load()
    const result = await attempt(network, settings, signal, (current) => checkMembers(current, engine))
    return warnOfExpiry(result, (settings as SignedIn).ssl_expiry_warning_days, now())
  }
}

/** A check of the host of the URL, or of the first of several members that answers. */
async function checkMembers(current: Current, engine: DatabaseEngine): Promise<CheckResult> {
  const members = (await engine.findMembers?.(current)) ?? null
  if (members === null)
    return converse(current, engine, (line) => createTurn(current, engine, line, null).check())
  if ('status' in members) return members
  const { places, home } = members
  return askInTurn(current, engine.name, places, (turn, at) =>
    converse(turn, engine, (line) => createTurn(turn, engine, line, home).check(), at),
  )
}

/** A check of a database over one connection. */
function createTurn(current: Current, engine: DatabaseEngine, line: OpenLine, home: string | null) {
  const { settings } = current
  const { security } = line
  const { name } = engine
  const database = databaseOf(settings)
  const connectedAt = performance.now()
  let step: 'greeting' | 'signing in' | 'running the query' = 'greeting'
  let isHeard = false

  /** Says what is waited for now. Nothing but the first byte, until that has come. */
  const noteStep = () => {
    if (!isHeard) return
    if (step === 'signing in') current.signingIn()
    if (step === 'running the query') current.querying()
  }
  const enter = (next: typeof step) => {
    step = next
    noteStep()
  }
  const onRead = () => {
    if (!isHeard) {
      isHeard = true
      line.awaited = 'answer'
      current.greeted(Math.round(performance.now() - connectedAt))
      noteStep()
    }
    current.progress()
  }
  const talkOver = ({ socket }: OpenLine['connected']) => createTalk(socket, current.signal, onRead, LIMITS)
  let talk = talkOver(line.connected)

  async function check(): Promise<CheckResult> {
    current.requested()
    const session = engine.begin(database, { url: settings.url, home })
    try {
      return await converseOver(session)
    } catch (error) {
      const cause = causeOf(error)
      if (cause === null) throw error
      const found = answered(current, cause)
      // It would log a client that went without a word.
      if (error instanceof DatabaseRefusal && step === 'running the query') await leave(session, talk)
      return found
    }
  }

  async function converseOver(session: DatabaseSession): Promise<CheckResult> {
    await session.greet?.(talk)
    const wantsTls = session.startTls !== undefined && (security === 'auto' || security === 'starttls')
    let isSecret = security === 'implicit'
    if (wantsTls && (await session.startTls?.(talk))) {
      const { carrier } = engine
      const terms = { name, offer: 'TLS', limits: LIMITS, ...(carrier && { carrier }) } as const
      const ended = await beginTls(current, line, talk, terms, (other) =>
        leadToTls(engine, settings.url, other),
      )
      if (ended) return ended
      talk = talkOver(line.connected)
      isSecret = true
    } else if (security === 'starttls') return answered(current, offersNoTls(name))

    const isPlain = wantsTls && !isSecret
    const fault = await signIn(session, { isSecret, allowsClear: !isPlain })
    if (fault !== null) return answered(current, fault)
    const found = await ask(session)
    const passing = answered(current, null)
    await leave(session, talk)
    const { certificate } = passing
    return meetAssertions(
      current,
      { ...passing, ...(isPlain && { note: notEncrypted(name, 'TLS') }) },
      {
        answer: found?.first ?? null,
        body: found && JSON.stringify(found.rows),
        certificateDays: certificate && daysRemaining(certificate.expiresAt, current.network.now()),
      },
    )
  }

  async function signIn(
    session: DatabaseSession,
    way: Pick<DatabaseUser, 'isSecret' | 'allowsClear'>,
  ): Promise<string | null> {
    const { username, password } = settings as SignedIn
    enter('signing in')
    const user = { name: username ?? '', password: password ?? '' }
    const fault = await session.signIn(talk, { ...user, ...way })
    if (fault === 'none') return noSignIn(name)
    return fault === 'clear' ? signInNeedsTls(name, 'TLS') : null
  }

  async function ask(session: DatabaseSession): Promise<QueryResult | null> {
    const query = settings.options?.query ?? engine.usualQuery
    if (query === undefined) return null
    enter('running the query')
    const limitMs = settings.request_timeout_seconds * 1_000
    return session.ask(talk, query, limitMs)
  }

  /** The words of a cause for what a session rejects with; null for what is no matter of the protocol. */
  function causeOf(error: unknown): string | null {
    if (error instanceof DatabaseRefusal) {
      const words = maskOf(current).apply(error.message)
      return step === 'running the query' ? queryRefused(name, words) : signInRefused(name, words)
    }
    if (error instanceof Garbled) return invalidReply(name)
    if (error instanceof TooManyRows) return foundTooMuch(name, MAX_ROWS, 'rows')
    if (error instanceof TooMuchText) return foundTooMuch(name, MAX_TEXT_LENGTH, 'characters')
    const isLong = error instanceof TalkEnded && error.how === 'too much' && step === 'running the query'
    return isLong ? foundTooMuch(name, MAX_BYTES, 'bytes') : null
  }

  return { check }
}

/** Says on another connection all that comes before its handshake. */
async function leadToTls(engine: DatabaseEngine, url: string, talk: Talk): Promise<boolean> {
  const session = engine.begin(null, { url, home: null })
  try {
    await session.greet?.(talk)
    return (await session.startTls?.(talk)) === true && !talk.hasMore()
  } catch (error) {
    if (error instanceof DatabaseRefusal || error instanceof Garbled) return false
    throw error
  }
}

async function leave(session: DatabaseSession, talk: Talk): Promise<void> {
  const farewell = session.farewell?.()
  if (!farewell) return
  talk.write(farewell)
  await briefly(talk.more())
}
