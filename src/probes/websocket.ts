import type { AnswerPart } from '../core/expectations/assertion.ts'
import { daysRemaining, warnOfExpiry } from '../core/monitors/certificate.ts'
import { type CheckResult, resultWithout } from '../core/monitors/check.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import {
  noMessageWithin,
  WEBSOCKET_CUT_OFF,
  webSocketClosed,
  webSocketInvalid,
} from '../core/monitors/types/protocol-causes.ts'
import type { Network } from '../net/network.ts'
import { codeOf, ownTrouble } from '../net/own-trouble.ts'
import { answered, attempt, type ProbeAttempt, unanswered } from './attempt.ts'
import { answerFailure, type HttpAnswer } from './exchange.ts'
import { keepAnswerOf } from './failing-answer.ts'
import { followRedirects } from './follow-redirects.ts'
import { maskOf } from './mask-secrets.ts'
import { meetAssertions } from './meet-assertions.ts'
import type { Probe } from './probe.ts'
import { beginHandshake, type Handshake, handshakeFault } from './web-sockets/handshake.ts'
import type { FirstMessage } from './web-sockets/messages.ts'

type Current = ProbeAttempt<ProbeSettings<'websocket'>>
type Frames = typeof import('./web-sockets/messages.ts')

/** Expectations of these are met by the first message. */
const OF_MESSAGE: readonly AnswerPart[] = ['answer', 'json']

/** Up when the server opens a WebSocket, and its first message meets the assertions. */
export function createWebSocketProbe(network: Network, now: () => Date): Probe<'websocket'> {
  return async (settings, signal) => {
    const result = await attempt(network, settings, signal, async (current) => {
      // Its library is loaded for the first check of the type, before that is timed.
      const frames = await import('./web-sockets/messages.ts')
      const handshake = beginHandshake(settings)
      return followRedirects(current, handshake.request, (answer) =>
        judgeOpened(current, { frames, handshake, answer, now }),
      )
    })
    return warnOfExpiry(result, settings.ssl_expiry_warning_days, now())
  }
}

type Opened = { frames: Frames; handshake: Handshake; answer: HttpAnswer; now: () => Date }

async function judgeOpened(
  current: Current,
  { frames, handshake, answer, now }: Opened,
): Promise<CheckResult> {
  const { options, shows_answer: isShown } = current.settings
  const keeping = keepAnswerOf(current, answer)
  const fault = handshakeFault(handshake, answer)
  if (fault !== null || !answer.switched)
    return keeping.with(answered(current, masked(current, fault ?? '')), null)
  const { socket, behind } = answer.switched
  const opened = frames.openWebSocket(socket, behind, () => current.progress())
  if (options?.send) opened.send(options.send)
  const isRead = options?.assertions?.some(({ source }) => OF_MESSAGE.includes(source)) ?? false
  if (!isRead) {
    const passing = answered(current, null)
    const result = await meetAssertions(current, passing, certificateOf(passing, now))
    await opened.close()
    return isShown ? keeping.with(result, null) : result
  }
  current.awaitingMessage()
  const first = await opened.firstMessage()
  if (first.kind !== 'message') return withoutMessage(current, first, answer, frames.MAX_READ_BYTES)
  const passing = answered(current, null)
  const text = new TextDecoder().decode(first.bytes)
  const read = { answer: text, body: text, ...certificateOf(passing, now) }
  const result = await meetAssertions(current, passing, read)
  await opened.close()
  const head = { bytes: first.bytes.subarray(0, keeping.bytes), isWhole: first.bytes.length <= keeping.bytes }
  return isShown || result.status === 'down' ? keeping.with(result, head) : result
}

function certificateOf({ certificate }: CheckResult, now: () => Date) {
  return { certificateDays: certificate && daysRemaining(certificate.expiresAt, now()) }
}

function withoutMessage(
  current: Current,
  first: Exclude<FirstMessage, { kind: 'message' }>,
  answer: HttpAnswer,
  maxBytes: number,
): CheckResult {
  const down = (cause: string) =>
    keepAnswerOf(current, answer).with(answered(current, masked(current, cause)), null)
  switch (first.kind) {
    case 'closed':
      return down(webSocketClosed(first.code, first.reason))
    case 'invalid':
      return down(webSocketInvalid(first.why))
    case 'too large':
      return down(noMessageWithin('WebSocket', maxBytes, 'bytes'))
    case 'cut off': {
      const own = first.error && ownTrouble(codeOf(first.error))
      if (own) return resultWithout('pending', own)
      const cause = first.error ? answerFailure(first.error, answer.endpoint) : WEBSOCKET_CUT_OFF
      return unanswered(current, cause)
    }
  }
}

/** A server may repeat in what it says of itself what it was sent. */
function masked(current: Current, cause: string): string {
  return maskOf(current).apply(cause)
}
