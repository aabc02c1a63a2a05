import { NO_HOST } from '../../core/monitors/cause.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import { securityOf } from '../../core/monitors/options/security.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { parseTarget, portOf } from '../../core/monitors/target.ts'
import type { Security } from '../../core/monitors/types/entry.ts'
import { saidBeforeTls, type TlsOffer } from '../../core/monitors/types/protocol-causes.ts'
import type { TlsCarrier } from '../../net/tls/tls.ts'
import { answered, type ProbeAttempt, unanswered } from '../attempt.ts'
import { type CheckedPlace, type Connected, connect, connectSecurely, secureConnected } from '../connect.ts'
import { tlsTermsOf, wayOf } from '../way.ts'
import { cutOff } from './cut-off.ts'
import { createTalk, type Talk, TalkEnded, type TalkLimits } from './talk.ts'

/** One connection of a check, as far as it has come. */
export type OpenLine = {
  readonly place: CheckedPlace
  readonly security: Security
  connected: Connected
  /** The words of a cause for the next text of the server. */
  awaited: 'greeting' | 'answer' | 'message'
}

/** `name`: the protocol, as people write it. `alpn`: what TLS from the first byte is asked for. */
type Spoken = { name: string; alpn?: string[] }

/**
 * Connects to the target of a monitor, or to `at` where that is several, with TLS from the first byte where it wants that, and has `speak`
 * talk with the server. A server that ends the talk before its time gives the result.
 */
export async function converse(
  current: ProbeAttempt<ProbeSettings>,
  { name, alpn }: Spoken,
  speak: (line: OpenLine) => Promise<CheckResult>,
  at?: { url: URL; port: number },
): Promise<CheckResult> {
  const { settings } = current
  const port = at?.port ?? portOf(settings)
  if (port === null) return unanswered(current, NO_HOST)
  const place: CheckedPlace = {
    ...{ kind: 'check', url: at?.url ?? parseTarget(settings.url), port },
    ...{ way: await wayOf(current), terms: tlsTermsOf(settings) },
  }
  const security = securityOf(settings)
  const connected = await (security === 'implicit'
    ? connectSecurely(current, place, alpn ?? null)
    : connect(current, place))
  if (connected.kind === 'ended') return connected.result
  const line: OpenLine = { place, security, connected, awaited: 'greeting' }
  try {
    return await speak(line)
  } catch (error) {
    if (!(error instanceof TalkEnded)) throw error
    const { connected, awaited } = line
    return cutOff(current, { name, port, connected, awaited }, error)
  } finally {
    line.connected.socket.destroy()
  }
}

/**
 * Begins TLS on a connection that has agreed to it, which `line` has from then on; null, or the result that ends the check. Words that the
 * server said before its handshake are no part of it: somebody in between may have said them. `lead` says on another connection all that comes before the
 * handshake, and resolves with whether it may begin.
 */
export async function beginTls(
  current: ProbeAttempt<ProbeSettings>,
  line: OpenLine,
  talk: Talk,
  {
    name,
    offer,
    limits,
    carrier,
  }: { name: string; offer?: TlsOffer; limits?: TalkLimits; carrier?: TlsCarrier },
  lead: (talk: Talk) => Promise<boolean>,
): Promise<CheckResult | null> {
  if (talk.hasMore()) return answered(current, saidBeforeTls(name, offer))
  const secured = await secureConnected(
    current,
    line.place,
    line.connected,
    null,
    (raw) =>
      lead(createTalk(raw, current.signal, current.progress, limits)).catch((error) => {
        if (error instanceof TalkEnded) return false
        throw error
      }),
    carrier,
  )
  if (secured.kind === 'ended') return secured.result
  line.connected = secured
  current.greeted(current.observed.phases.firstByteMs ?? 0)
  return null
}
