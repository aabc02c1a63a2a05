import { daysRemaining, warnOfExpiry } from '../../core/monitors/certificate.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import type { MonitorSettings } from '../../core/monitors/monitor.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import {
  noSignIn,
  notEncrypted,
  signInNeedsTls,
  signInRefused,
  unlikeLine,
  unsendableSignIn,
} from '../../core/monitors/types/protocol-causes.ts'
import type { Network } from '../../net/network.ts'
import { answered, attempt, type ProbeAttempt } from '../attempt.ts'
import type { Connected } from '../connect.ts'
import { maskOf } from '../mask-secrets.ts'
import { meetAssertions } from '../meet-assertions.ts'
import { beginTls, converse, type OpenLine } from './conversation.ts'
import { briefly } from './farewell.ts'
import type { Abilities, LineProtocol, UnlikeAnswer, User } from './protocol.ts'
import { createTalk, type Talk } from './talk.ts'

const NO_ABILITIES: Abilities = { offersTls: false, signIns: [] }
/** No line of any protocol can carry these within a name or a password. */
const UNSENDABLE = /[\r\n\0]/

type SignedIn = Partial<Pick<MonitorSettings, 'username' | 'password' | 'ssl_expiry_warning_days'>>
type Current = ProbeAttempt<ProbeSettings>

/**
 * Up when a server greets as its protocol says, begins TLS as the monitor wants it, signs the monitor's user in where there is one, and its
 * greeting meets the assertions. Degraded when its certificate expires soon.
 */
export function createLineProbe(protocol: LineProtocol, network: Network, now: () => Date) {
  return async (settings: ProbeSettings, signal: AbortSignal): Promise<CheckResult> => {
    const result = await attempt(network, settings, signal, (current) =>
      converse(current, { name: protocol.name }, (line) => speak(current, protocol, line)),
    )
    return warnOfExpiry(result, (settings as SignedIn).ssl_expiry_warning_days, now())
  }
}

async function speak(current: Current, protocol: LineProtocol, line: OpenLine): Promise<CheckResult> {
  const { security } = line
  current.requested()
  const connectedAt = performance.now()
  let talk = talkOver(current, line.connected)
  if (protocol.hello !== undefined) talk.say(protocol.hello)
  const { banner, refusal } = await protocol.greet(talk)
  line.awaited = 'answer'
  current.greeted(Math.round((talk.beganAt() ?? connectedAt) - connectedAt))
  if (refusal) return refused(current, protocol, talk, refusal)
  let asked = await protocol.ask?.(talk)
  if (asked?.refusal) return refused(current, protocol, talk, asked.refusal)

  const wantsTls = security === 'starttls' || (security === 'auto' && asked?.abilities.offersTls === true)
  if (protocol.startTls && wantsTls) {
    const unstarted = await protocol.startTls(talk)
    if (unstarted) return refused(current, protocol, talk, unstarted)
    const ended = await beginTls(current, line, talk, { name: protocol.name }, (other) =>
      leadToTls(protocol, other),
    )
    if (ended) return ended
    talk = talkOver(current, line.connected)
    asked = await protocol.ask?.(talk)
    if (asked?.refusal) return refused(current, protocol, talk, asked.refusal)
  }

  const isPlain = protocol.startTls !== undefined && security === 'auto' && !wantsTls
  const fault = await signIn(current, protocol, talk, {
    abilities: asked?.abilities ?? NO_ABILITIES,
    isPlain,
  })
  const read = fault === null ? await protocol.read?.(talk, current.settings) : undefined
  if (read?.refusal) return refused(current, protocol, talk, read.refusal)
  const found = answered(current, fault)
  await leave(protocol, talk)
  if (fault !== null) return found
  const { certificate } = found
  return meetAssertions(
    current,
    { ...found, ...(isPlain && { note: notEncrypted(protocol.name) }) },
    {
      answer: read?.answer ?? banner,
      certificateDays: certificate && daysRemaining(certificate.expiresAt, current.network.now()),
    },
  )
}

function talkOver(current: Current, { socket }: Connected): Talk {
  return createTalk(socket, current.signal, current.progress)
}

/** Says on another connection all that comes before its handshake. */
async function leadToTls({ greet, ask, startTls }: LineProtocol, talk: Talk): Promise<boolean> {
  const greeting = await greet(talk)
  if (greeting.refusal) return false
  const asked = await ask?.(talk)
  if (asked?.refusal) return false
  return (await startTls?.(talk)) === null && !talk.hasMore()
}

/** Resolves with why the user is not signed in; null where they are, and where there is none. */
async function signIn(
  current: Current,
  protocol: LineProtocol,
  talk: Talk,
  { abilities, isPlain }: { abilities: Abilities; isPlain: boolean },
): Promise<string | null> {
  const { username, password } = current.settings as SignedIn
  if (!protocol.signIn || !username) return null
  if (isPlain) return signInNeedsTls(protocol.name)
  const user: User = { name: username, password: password ?? '' }
  if (UNSENDABLE.test(user.name + user.password)) return unsendableSignIn(protocol.name)
  current.secrets.push(...secretFormsOf(user))
  current.signingIn()
  const refusal = await protocol.signIn(talk, user, abilities)
  if (refusal === null) return null
  if (refusal === 'none') return noSignIn(protocol.name)
  return signInRefused(protocol.name, maskOf(current).apply(refusal.line))
}

/** How the sign-in is sent, besides as it is: a server may repeat it. */
function secretFormsOf({ name, password }: User): string[] {
  return [password, `\0${name}\0${password}`].map((text) => Buffer.from(text).toString('base64'))
}

async function leave({ farewell }: LineProtocol, talk: Talk): Promise<void> {
  if (farewell === undefined) return
  talk.say(farewell)
  await briefly(talk.line())
}

/** The server answers, and not as it should. */
async function refused(
  current: Current,
  protocol: LineProtocol,
  talk: Talk,
  { what, line, expected }: NonNullable<UnlikeAnswer>,
): Promise<CheckResult> {
  const found = answered(current, unlikeLine(protocol.name, what, maskOf(current).apply(line), expected))
  await leave(protocol, talk)
  return found
}
