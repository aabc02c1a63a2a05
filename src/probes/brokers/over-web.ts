import { unexpectedStatus } from '../../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { answered, type ProbeAttempt, unanswered } from '../attempt.ts'
import type { Connected } from '../connect.ts'
import { exchange } from '../exchange.ts'
import { maskOf } from '../mask-secrets.ts'
import { handshakeFault, handshakeOf } from '../web-sockets/handshake.ts'
import type { WebSocketStream } from '../web-sockets/messages.ts'

const SWITCHING_PROTOCOLS = 101

/** Opens a WebSocket over a connection, whose messages carry the protocol of a broker; or the result that ends the check. */
export async function openOverWeb(
  current: ProbeAttempt<ProbeSettings>,
  connected: Connected,
  subprotocol: string,
): Promise<WebSocketStream | { result: CheckResult }> {
  const frames = await import('../web-sockets/messages.ts')
  const handshake = handshakeOf(current.settings.url, [subprotocol], {})
  current.requested()
  const sentAt = performance.now()
  const answer = await exchange(connected, handshake.request.hop, current.signal)
  if (answer.kind === 'failed') {
    const { reason, isOurs } = answer
    return { result: isOurs ? resultWithout('pending', reason) : unanswered(current, reason) }
  }
  current.headersRead(answer.status, Math.round(performance.now() - sentAt))
  const fault =
    answer.status === SWITCHING_PROTOCOLS
      ? handshakeFault(handshake, answer)
      : unexpectedStatus(answer.status, [SWITCHING_PROTOCOLS])
  if (fault !== null || !answer.switched)
    return { result: answered(current, maskOf(current).apply(fault ?? '')) }
  const { socket, behind } = answer.switched
  return frames.streamOver(socket, behind, () => current.progress())
}
