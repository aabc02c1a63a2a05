import { isIPv6 } from 'node:net'
import { NO_HOST } from '../../core/monitors/cause.ts'
import { daysRemaining, warnOfExpiry } from '../../core/monitors/certificate.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import type { MonitorSettings } from '../../core/monitors/monitor.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { schemeOf } from '../../core/monitors/target.ts'
import {
  brokerElsewhere,
  invalidReply,
  noMessageWithin,
  notAmongMessages,
  notEncrypted,
  packedMessage,
  saidTooMuch,
  signInNeedsTls,
  unlikeLine,
  unsendableSignIn,
  webSocketInvalid,
} from '../../core/monitors/types/protocol-causes.ts'
import type { Network } from '../../net/network.ts'
import { publicNetworkOf } from '../../net/public-network.ts'
import { answered, attempt, type ProbeAttempt, unanswered } from '../attempt.ts'
import { type CheckedPlace, type Connected, connect, connectSecurely } from '../connect.ts'
import { beginTls, converse, type OpenLine } from '../lines/conversation.ts'
import { cutOff } from '../lines/cut-off.ts'
import { briefly } from '../lines/farewell.ts'
import { createTalk, type Talk, TalkEnded } from '../lines/talk.ts'
import { maskOf } from '../mask-secrets.ts'
import { meetAssertions } from '../meet-assertions.ts'
import { Garbled } from '../packets/cursor.ts'
import type { WebSocketStream } from '../web-sockets/messages.ts'
import { type Broker, type BrokerMessage, BrokerRefusal, type BrokerSession, type Guest } from './broker.ts'
import { openOverWeb } from './over-web.ts'

/** All that is read of one connection, with every message. */
const MAX_READ_BYTES = 4 * 1_024 * 1_024
/** Frames, packets and lines, and the parts of those: each costs time, however short it is. */
const MAX_PARTS = 20_000
const LIMITS = { whole: MAX_READ_BYTES, line: 64 * 1_024 }
/** As many are looked through for the one that was published. */
const MAX_MESSAGES = 1_000
/** No name or password may carry it: it ends both in what some protocols send. */
const UNSENDABLE = '\0'

const MAX_PORT = 65_535
/** Nothing of a URL but its host, which a broker says. */
const UNUSABLE_HOST = /[/?#@\\\s]|^$/

type SignedIn = Partial<Pick<MonitorSettings, 'username' | 'password' | 'ssl_expiry_warning_days'>>
type Current = ProbeAttempt<ProbeSettings>

/**
 * Up when a broker signs the monitor's user in, and a message arrives on the topic of the monitor where it has one; the message that
 * it publishes, where it does. Degraded when its certificate expires soon.
 */
export function createBrokerProbe(broker: Broker, network: Network, now: () => Date) {
  return async (settings: ProbeSettings, signal: AbortSignal): Promise<CheckResult> => {
    const result = await attempt(network, settings, signal, (current) =>
      converse(current, broker, (line) => createVisit(current, broker, line).pay()),
    )
    return warnOfExpiry(result, (settings as SignedIn).ssl_expiry_warning_days, now())
  }
}

/** A check of a broker over one connection, or over several where it names others. */
function createVisit(current: Current, { name, subprotocol, greet, signIn }: Broker, line: OpenLine) {
  const { place, security } = line
  const { username, password, options } = current.settings as SignedIn & ProbeSettings
  const said = (cause: string) => answered(current, maskOf(current).apply(cause))
  const others: Connected[] = []
  /** The one that ended, and its port; until one has, the last one. */
  const last = { connected: line.connected, port: place.port }
  let parts = 0
  let web: WebSocketStream | null = null
  const { address } = current.observed
  /** A broker on the internet that names an address of a private network has nothing to say there. */
  const isStranger = address === null || publicNetworkOf(address) !== null

  async function pay(): Promise<CheckResult> {
    try {
      return await speak()
    } catch (error) {
      if (error instanceof EndedAway) return error.result
      if (error instanceof BrokerRefusal) return said(error.message)
      if (error instanceof Garbled) return said(invalidReply(name))
      if (!(error instanceof TalkEnded)) throw error
      const ended = web?.ended()
      if (ended?.kind === 'invalid') return said(webSocketInvalid(ended.why))
      if (ended?.kind === 'too large') return said(saidTooMuch(name))
      if (error.how === 'too much' && line.awaited === 'message')
        return said(
          parts > MAX_PARTS
            ? noMessageWithin(name, MAX_PARTS, 'parts')
            : noMessageWithin(name, MAX_READ_BYTES, 'bytes'),
        )
      return cutOff(current, { name, ...last, awaited: line.awaited }, error)
    } finally {
      for (const { socket } of others) socket.destroy()
    }
  }

  async function speak(): Promise<CheckResult> {
    const { url } = place
    if (url === null) return unanswered(current, NO_HOST)
    const user = username ? { name: username, password: password ?? '' } : null
    if (user && (user.name + user.password).includes(UNSENDABLE)) return said(unsendableSignIn(name))
    const begun = await begin()
    if ('result' in begun) return begun.result
    const { talk, isPlain } = begun
    if (user && isPlain) return said(signInNeedsTls(name, 'TLS'))
    if (user) current.signingIn()
    const at = { host: url.hostname.replace(/^\[|\]$/g, ''), port: place.port }
    const session = await signIn(talk, { user, url, place: at, isEncrypted: begun.isEncrypted, open })
    const message =
      options?.topic === undefined ? null : await messageOn(current, line, session, options.topic)
    const found =
      message === 'missing'
        ? said(notAmongMessages(name, MAX_MESSAGES))
        : await judged(current, name, message, isPlain)
    await briefly(session.leave())
    web?.stream.end()
    return found
  }

  /** `isPlain`: TLS would have been used if the broker had offered it. */
  type Begun = { talk: Talk; isPlain: boolean; isEncrypted: boolean } | { result: CheckResult }

  /** Reads what the broker says first, and begins TLS behind that where the monitor wants it so. */
  async function begin(): Promise<Begun> {
    if (subprotocol !== undefined && /^wss?$/.test(schemeOf(current.settings.url))) {
      const opened = await openOverWeb(current, line.connected, subprotocol)
      if ('result' in opened) return opened
      web = opened
    }
    current.requested()
    const talk = talkOver(line.connected)
    const greeting = await greet?.(talk)
    line.awaited = 'answer'
    const isEncrypted = security === 'implicit'
    if (!greeting) return { talk, isPlain: false, isEncrypted }
    if (greeting.refusal) {
      const { what, line: first, expected } = greeting.refusal
      return { result: said(unlikeLine(name, what, maskOf(current).apply(first), expected)) }
    }
    const wantsTls = security === 'starttls' || (security === 'auto' && greeting.offersTls)
    if (!wantsTls) return { talk, isPlain: security === 'auto', isEncrypted }
    const result = await beginTls(
      current,
      line,
      talk,
      { name, offer: 'TLS', limits: LIMITS },
      async (other) => {
        const again = await greet?.(other)
        return again?.refusal === null && !other.hasMore()
      },
    )
    return result ? { result } : { talk: talkOver(line.connected), isPlain: false, isEncrypted: true }
  }

  /** Another connection, with the TLS of the first one. Only the host of the monitor is asked for by a name of its own. */
  async function open(other: Parameters<Guest['open']>[0]): Promise<Talk> {
    const there = other ? placeOf(other) : place
    const connected = await (security === 'implicit'
      ? connectSecurely(current, there, null)
      : connect(current, there))
    if (connected.kind === 'ended' && connected.isRefused && other)
      throw new BrokerRefusal(brokerElsewhere(name, other.who, other.host, other.port))
    if (connected.kind === 'ended') throw new EndedAway(connected.result)
    others.push(connected)
    current.requested()
    return talkOver(connected, there.port)
  }

  function placeOf({ who, host, port }: NonNullable<Parameters<Guest['open']>[0]>): CheckedPlace {
    const url = UNUSABLE_HOST.test(host) ? null : URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}`)
    if (!url || port < 1 || port > MAX_PORT) throw new BrokerRefusal(brokerElsewhere(name, who, host, port))
    const { serverName: _, ...terms } = place.terms ?? { verifies: true, credentials: {} }
    const there = { ...place, url, port, terms: place.terms && terms }
    return isStranger && current.network.privateRedirects === 'deny'
      ? { ...there, kind: 'redirect of a check' }
      : there
  }

  function talkOver(connected: Connected, port = place.port): Talk {
    const openAt = performance.now()
    const onRead = () => {
      current.progress()
      if (current.observed.phases.firstByteMs === null)
        current.firstByteRead(Math.round(performance.now() - openAt))
    }
    const carrier = connected === line.connected && web ? web.stream : connected.socket
    const talk = createTalk(carrier, current.signal, onRead, LIMITS)
    Object.assign(last, { connected, port })
    const noting = async <T>(read: () => Promise<T>): Promise<T> => {
      try {
        if (++parts > MAX_PARTS) throw new TalkEnded('too much')
        return await read()
      } catch (error) {
        Object.assign(last, { connected, port })
        throw error
      }
    }
    return { ...talk, line: () => noting(talk.line), frame: (lengthOf) => noting(() => talk.frame(lengthOf)) }
  }

  return { pay }
}

/** The first message of a topic, or the one that is published to it; `missing` where others come instead. */
async function messageOn(
  current: Current,
  line: OpenLine,
  session: BrokerSession,
  topic: string,
): Promise<BrokerMessage | 'missing'> {
  const text = current.settings.options?.publish
  const published = text === undefined ? null : Buffer.from(text)
  current.awaitingMessage()
  await session.subscribe(topic, published !== null)
  line.awaited = 'message'
  if (published) {
    current.awaitingPublished()
    await session.publish(topic, published)
  }
  const waitingSince = performance.now()
  for (let count = 0; count < MAX_MESSAGES; count++) {
    const message = await session.next()
    // The time until others send something says nothing about the broker.
    if (!published) current.setAside(performance.now() - waitingSince)
    if (!published || message.packedBy || (!message.isKept && message.bytes.equals(published))) return message
  }
  return 'missing'
}

/** The result by the message, null where none is waited for. `isPlain`: TLS would have been used if the broker had offered it. */
function judged(
  current: Current,
  name: string,
  message: BrokerMessage | null,
  isPlain: boolean,
): Promise<CheckResult> | CheckResult {
  const isRead = current.settings.options?.assertions?.some(
    ({ source }) => source === 'answer' || source === 'json',
  )
  if (message?.packedBy && isRead) return answered(current, packedMessage(name, message.packedBy))
  const passing = answered(current, null)
  const { certificate } = passing
  const text = message && new TextDecoder().decode(message.bytes)
  return meetAssertions(
    current,
    { ...passing, ...(isPlain && { note: notEncrypted(name, 'TLS') }) },
    {
      ...{ answer: text, body: text },
      certificateDays: certificate && daysRemaining(certificate.expiresAt, current.network.now()),
    },
  )
}

/** A connection to another broker did not come about; the result says why. */
class EndedAway extends Error {
  readonly result: CheckResult

  constructor(result: CheckResult) {
    super('ended')
    this.result = result
  }
}
