import net from 'node:net'
import type { Duplex } from 'node:stream'
import tls, { type SecureContext } from 'node:tls'
import { addressAndPort, handshakeFailed } from '../../core/monitors/cause.ts'
import type { SeenCertificate } from '../../core/monitors/check.ts'
import type { AddressKind } from '../address-policy.ts'
import { dial } from '../dial.ts'
import { letGoWhenClosed } from '../let-go.ts'
import type { Network } from '../network.ts'
import { usingTeam } from '../on-behalf-of.ts'
import { codeOf, ownTrouble } from '../own-trouble.ts'
import type { DialWay } from '../way.ts'
import { judgeCertificate, readCertificate } from './certificate.ts'
import type { Credentials } from './secure-context.ts'
import { isRefusal, tlsFailure } from './tls-failure.ts'

export type SecureResult =
  /**
   * The handshake succeeded. `refusal` explains why the certificate is not trusted; null when it is. Nothing has been
   * sent yet. Milliseconds are whole; `waitedMs` is the time in our own queue before the handshake.
   */
  | {
      kind: 'secured'
      socket: tls.TLSSocket
      certificate: SeenCertificate
      refusal: string | null
      tlsMs: number
      waitedMs: number
    }
  /** After an abort, the reason says only that. `isRefusal`: see tls-failure.ts. */
  | { kind: 'failed'; reason: string; isRefusal: boolean }
  | { kind: 'inconclusive'; reason: string }

/** One for all: every socket closes in the end, and a new error costs a stack trace. */
const CLOSED = new Error('closed')

type Handshake = { socket: tls.TLSSocket; error: Error | null; wantedOurs: boolean }

/** The wishes of a monitor for TLS with its target. */
export type TlsTerms = {
  /** Whether a certificate that is not trusted is refused. */
  verifies: boolean
  /** The name in place of the host: what is asked for, and what the certificate must be for. */
  serverName?: string | undefined
  credentials: Credentials
}

/** Carries a handshake within messages of another protocol, which knows no version of TLS behind `maxVersion`. */
export type TlsCarrier = { carry(raw: net.Socket): Duplex; maxVersion: 'TLSv1.2' }

type Target = {
  kind: AddressKind
  host: string
  alpn: string[] | null
  terms?: TlsTerms | undefined
  way?: DialWay
  /** Where the connection ends, behind a proxy; otherwise its peer. */
  at?: { address: string; port: number } | undefined
  /** Says on another connection what comes before the handshake. Resolves with whether that may begin. */
  lead?: ((raw: net.Socket) => Promise<boolean>) | undefined
  carrier?: TlsCarrier | undefined
}

/**
 * Upgrades a connected socket to TLS for `host` (a name or an IP literal, from targetHost) and judges the certificate.
 * A server that refuses what we offer is asked once more, over a connection of its own, with other key exchanges.
 * Unless the result is `secured`, the socket is destroyed.
 */
export async function secure(
  network: Network,
  raw: net.Socket,
  target: Target,
  signal: AbortSignal,
): Promise<SecureResult> {
  const { address, port } = target.at ?? {
    address: raw.remoteAddress ?? target.host,
    port: raw.remotePort ?? 0,
  }
  const endpoint = addressAndPort(address, port)
  const { terms, carrier } = target
  const contexts =
    terms || carrier
      ? network.secureContexts.with({ ...terms?.credentials, maxVersion: carrier?.maxVersion })
      : network.secureContexts
  const carried = (socket: net.Socket) => carrier?.carry(socket) ?? socket
  const server = `${target.host} ${endpoint}`
  const context = contextOf(() => contexts.of(server))
  if (context instanceof Error) {
    raw.destroy()
    return { kind: 'failed', reason: unusable(context), isRefusal: false }
  }
  const usual = { endpoint, context }
  const first = await secureOnce(network, carried(raw), target, usual, signal)
  if (first.kind !== 'failed' || !first.isRefusal) return first
  const { kind, way = {}, lead } = target
  const dialed = await dial(network, { kind, host: address, port, way }, signal)
  if (dialed.kind !== 'connected') return dialed.kind === 'failed' ? first : dialed
  if (lead && !(await lead(dialed.socket))) {
    dialed.socket.destroy()
    return first
  }
  const other = { endpoint, context: contexts.of(server, 'refusal') }
  const second = await secureOnce(network, carried(dialed.socket), target, other, signal)
  if (second.kind === 'secured') contexts.swap(server)
  return second.kind === 'failed' ? first : second
}

/** Certificates of a monitor may not suit the OpenSSL of this machine, such as a key that is too weak for it. */
function contextOf(create: () => SecureContext): SecureContext | Error {
  try {
    return create()
  } catch (error) {
    return error as Error
  }
}

function unusable(error: Error): string {
  const reason = 'reason' in error ? String(error.reason) : error.message
  return handshakeFailed(`the certificates of the monitor cannot be used (${reason})`)
}

async function secureOnce(
  network: Network,
  raw: Duplex,
  target: Target,
  { endpoint, context }: { endpoint: string; context: SecureContext },
  signal: AbortSignal,
): Promise<SecureResult> {
  const queuedAt = performance.now()
  const teamId = usingTeam(network)
  if (!(await network.handshakes.enter(teamId, signal))) {
    raw.destroy()
    return { kind: 'inconclusive', reason: 'too many TLS handshakes at once to judge' }
  }
  const startedAt = performance.now()
  const { socket, error, wantedOurs } = await handshake(context, raw, target, signal).finally(() =>
    network.handshakes.leave(teamId),
  )
  const certificate = error ? null : readCertificate(socket)
  const isSent = target.terms?.credentials.certificate !== undefined
  if (!certificate) {
    socket.destroy()
    raw.destroy()
    const trouble = error && ownTrouble(codeOf(error))
    if (trouble) return { kind: 'inconclusive', reason: trouble }
    const reason = error
      ? tlsFailure(error, endpoint, { isWanted: wantedOurs, isSent })
      : handshakeFailed('no certificate')
    return { kind: 'failed', reason, isRefusal: error !== null && !wantedOurs && isRefusal(error) }
  }
  return {
    kind: 'secured',
    socket,
    certificate: certificate.facts.seen,
    refusal:
      target.terms?.verifies === false
        ? null
        : judgeCertificate(certificate, nameOf(target), socket.authorizationError, network.now()),
    tlsMs: Math.round(performance.now() - startedAt),
    waitedMs: Math.round(startedAt - queuedAt),
  }
}

function handshake(
  context: SecureContext,
  raw: Duplex,
  target: Target,
  signal: AbortSignal,
): Promise<Handshake> {
  const { alpn } = target
  const name = nameOf(target)
  return new Promise((resolve) => {
    const socket = tls.connect({
      socket: raw,
      secureContext: context,
      rejectUnauthorized: false,
      ...(net.isIP(name) === 0 && { servername: name }),
      ...(alpn && { ALPNProtocols: alpn }),
    })
    // For its own name check Node would build the whole chain as objects (100 µs), unless the session is resumed. Ours
    // (judgeCertificate) reads only the leaf.
    socket.isSessionReused = isReused
    letGoWhenClosed(socket)
    // The error of a connection reaches its socket by itself, that of a stream which carries it does not.
    if (target.carrier) raw.once('error', (error) => socket.destroy(error))
    let isOver = false
    const end = (error: Error | null) => {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', giveUp)
      // A server lists signature algorithms for client certificates only if it asks for one.
      const wantedOurs = error !== null && (socket.getSharedSigalgs()?.length ?? 0) > 0
      resolve({ socket, error, wantedOurs })
    }
    const giveUp = () => end(new Error('gave up'))
    socket.once('secureConnect', () => end(null))
    // Stays: an error between two owners of the socket must not end the process.
    socket.on('error', end)
    socket.once('close', () => end(raw.errored ?? CLOSED))
    // The socket may have closed while it queued, and then no event follows.
    if (raw.destroyed) end(raw.errored ?? CLOSED)
    else if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
}

function nameOf({ host, terms }: Target): string {
  return terms?.serverName ?? host
}

function isReused() {
  return true
}
