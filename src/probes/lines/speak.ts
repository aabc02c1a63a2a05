import {
  NO_HOST,
  noSignIn,
  notEncrypted,
  saidBeforeTls,
  signInNeedsTls,
  signInRefused,
  unlikeLine,
  unsendableSignIn,
} from '../../core/monitors/cause.ts'
import { daysRemaining, warnOfExpiry } from '../../core/monitors/certificate.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import type { MonitorSettings } from '../../core/monitors/monitor.ts'
import { securityOf } from '../../core/monitors/options/security.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { parseTarget, portOf } from '../../core/monitors/target.ts'
import type { Security } from '../../core/monitors/types/entry.ts'
import type { Network } from '../../net/network.ts'
import { answered, attempt, type ProbeAttempt, unanswered } from '../attempt.ts'
import { type CheckedPlace, type Connected, connect, connectSecurely, secureConnected } from '../connect.ts'
import { maskOf } from '../mask-secrets.ts'
import { meetAssertions } from '../meet-assertions.ts'
import { tlsTermsOf, wayOf } from '../way.ts'
import { cutOff } from './cut-off.ts'
import type { Abilities, LineProtocol, UnlikeAnswer, User } from './protocol.ts'
import { createTalk, type Talk, TalkEnded } from './talk.ts'

/** A server that is slow to let us go has answered all the same. */
const FAREWELL_MS = 1_000
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
    const result = await attempt(network, settings, signal, (current) => check(current, protocol))
    return warnOfExpiry(result, (settings as SignedIn).ssl_expiry_warning_days, now())
  }
}

async function check(current: Current, protocol: LineProtocol): Promise<CheckResult> {
  const { settings } = current
  const port = portOf(settings)
  if (port === null) return unanswered(current, NO_HOST)
  const place: CheckedPlace = {
    ...{ kind: 'check', url: parseTarget(settings.url), port },
    ...{ way: await wayOf(current), terms: tlsTermsOf(settings) },
  }
  const security = securityOf(settings)
  const connected = await (security === 'implicit'
    ? connectSecurely(current, place, null)
    : connect(current, place))
  if (connected.kind === 'ended') return connected.result
  const line: Line = { protocol, place, security, connected, isGreeted: false }
  try {
    return await speak(current, line)
  } catch (error) {
    if (!(error instanceof TalkEnded)) throw error
    const { connected, isGreeted } = line
    return cutOff(
      current,
      { name: protocol.name, port, connected, awaited: isGreeted ? 'answer' : 'greeting' },
      error,
    )
  } finally {
    line.connected.socket.destroy()
  }
}

/** One connection of a check, as far as it has come. */
type Line = {
  protocol: LineProtocol
  place: CheckedPlace
  security: Security
  connected: Connected
  isGreeted: boolean
}

async function speak(current: Current, line: Line): Promise<CheckResult> {
  const { protocol, security } = line
  current.requested()
  const connectedAt = performance.now()
  let talk = talkOver(current, line.connected)
  if (protocol.hello !== undefined) talk.say(protocol.hello)
  const { banner, refusal } = await protocol.greet(talk)
  line.isGreeted = true
  current.greeted(Math.round((talk.beganAt() ?? connectedAt) - connectedAt))
  if (refusal) return refused(current, line, talk, refusal)
  let asked = await protocol.ask?.(talk)
  if (asked?.refusal) return refused(current, line, talk, asked.refusal)

  const wantsTls = security === 'starttls' || (security === 'auto' && asked?.abilities.offersTls === true)
  if (protocol.startTls && wantsTls) {
    const unstarted = await protocol.startTls(talk)
    if (unstarted) return refused(current, line, talk, unstarted)
    if (talk.hasMore()) return answered(current, saidBeforeTls(protocol.name))
    const secured = await secureConnected(current, line.place, line.connected, null, (raw) =>
      leadToTls(protocol, createTalk(raw, current.signal, current.progress)),
    )
    if (secured.kind === 'ended') return secured.result
    line.connected = secured
    current.greeted(current.observed.phases.firstByteMs ?? 0)
    talk = talkOver(current, secured)
    asked = await protocol.ask?.(talk)
    if (asked?.refusal) return refused(current, line, talk, asked.refusal)
  }

  const isPlain = protocol.startTls !== undefined && security === 'auto' && !wantsTls
  const fault = await signIn(current, line, talk, { abilities: asked?.abilities ?? NO_ABILITIES, isPlain })
  const read = fault === null ? await protocol.read?.(talk, current.settings) : undefined
  if (read?.refusal) return refused(current, line, talk, read.refusal)
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
  try {
    const greeting = await greet(talk)
    if (greeting.refusal) return false
    const asked = await ask?.(talk)
    if (asked?.refusal) return false
    return (await startTls?.(talk)) === null && !talk.hasMore()
  } catch (error) {
    if (error instanceof TalkEnded) return false
    throw error
  }
}

/** Resolves with why the user is not signed in; null where they are, and where there is none. */
async function signIn(
  current: Current,
  { protocol }: Line,
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
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FAREWELL_MS)
  })
  await Promise.race([talk.line().catch(() => {}), over])
  clearTimeout(timer)
}

/** The server answers, and not as it should. */
async function refused(
  current: Current,
  { protocol }: Line,
  talk: Talk,
  { what, line, expected }: NonNullable<UnlikeAnswer>,
): Promise<CheckResult> {
  const found = answered(current, unlikeLine(protocol.name, what, maskOf(current).apply(line), expected))
  await leave(protocol, talk)
  return found
}
