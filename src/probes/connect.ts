import type { Socket } from 'node:net'
import { addressAndPort, NO_HOST } from '../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../core/monitors/check.ts'
import { targetHost } from '../core/monitors/target.ts'
import type { AddressKind } from '../net/address-policy.ts'
import { type DialResult, dial } from '../net/dial.ts'
import { dialSocket } from '../net/local/local-socket.ts'
import { secure, type TlsCarrier, type TlsTerms } from '../net/tls/tls.ts'
import type { DialWay } from '../net/way.ts'
import { answered, type ProbeAttempt, unanswered } from './attempt.ts'
import { readEncryption } from './sites/chain.ts'

/**
 * `endpoint` is `address:port`, or the path of a socket of this machine, for messages. The caller must destroy the socket. `isCertified`: the server may have been
 * sent a client certificate.
 */
export type Connected = { kind: 'connected'; socket: Socket; endpoint: string; isCertified?: boolean }
/** `isRefused`: the address may not be dialled. */
export type Ended = { kind: 'ended'; result: CheckResult; isRefused: boolean }

/** `kind` is that of the address of the host of `url`. */
export type CheckedPlace = {
  kind: AddressKind
  url: URL | null
  port: number
  way?: DialWay
  terms?: TlsTerms | undefined
}

/** Connects to a place. Records the phases of this connection, replacing those of an earlier one. */
export async function connect(
  current: ProbeAttempt,
  { kind, url, port, way = {} }: CheckedPlace,
): Promise<Connected | Ended> {
  const host = url && targetHost(url)
  if (host === null) return ended(unanswered(current, NO_HOST))
  current.connecting()
  const dialedAt = performance.now()
  const dialed = await dial(current.network, { kind, host, port, way }, current.signal, current.forgive)
  if (dialed.kind === 'inconclusive') {
    return ended(inconclusive(dialed))
  }
  current.lookedUp(dialed, dialedAt)
  if (dialed.via) current.wentThrough(dialed.via)
  if (dialed.kind === 'failed') {
    current.dialFailed(dialed.phase)
    return ended(unanswered(current, dialed.reason), dialed.isRefused === true)
  }
  if (dialed.asideMs) current.setAside(dialed.asideMs)
  current.connected(dialed.connectMs)
  return { kind: 'connected', socket: dialed.socket, endpoint: addressAndPort(dialed.address, port) }
}

/** Connects to a socket of this machine, whose path stands where others have an endpoint. */
export async function connectLocally(current: ProbeAttempt, path: string): Promise<Connected | Ended> {
  current.connecting()
  current.dialFailed('connecting')
  const dialled = await dialSocket(current.network, path, current.signal)
  if (dialled.kind === 'inconclusive') return ended(resultWithout('pending', dialled.reason))
  if (dialled.kind === 'failed') return ended(unanswered(current, dialled.reason), dialled.isRefused === true)
  current.connected(dialled.connectMs)
  return { kind: 'connected', socket: dialled.socket, endpoint: path }
}

/** Like `connect`, with TLS and a certificate that is valid for the host. `alpn` as in RFC 7301. */
export async function connectSecurely(
  current: ProbeAttempt,
  place: CheckedPlace,
  alpn: string[] | null,
): Promise<Connected | Ended> {
  const connected = await connect(current, place)
  return connected.kind === 'ended' ? connected : secureConnected(current, place, connected, alpn)
}

/**
 * Begins TLS on a connection, with a certificate that is valid for the host of its place. `lead`: what is said on another connection before its
 * handshake, see `secure`; `carrier`: how the protocol carries it, where it does.
 */
export async function secureConnected(
  current: ProbeAttempt,
  place: CheckedPlace,
  connected: Connected,
  alpn: string[] | null,
  lead?: (raw: Socket) => Promise<boolean>,
  carrier?: TlsCarrier,
): Promise<Connected | Ended> {
  current.handshaking()
  const { kind, url, terms, way = {} } = place
  const host = (url && targetHost(url)) ?? ''
  const { address } = current.observed
  const at = way.tunnel && address !== null ? { address, port: place.port } : undefined
  const target = { kind, host, alpn, terms, way, at, lead, carrier }
  const secured = await secure(current.network, connected.socket, target, current.signal)
  // TLS from the first byte on is looked at by itself.
  if (lead && current.settings.shows_encryption) current.encrypted(readEncryption(secured, current.signal))
  if (secured.kind === 'inconclusive') return ended(resultWithout('pending', secured.reason))
  if (secured.kind === 'failed') return ended(unanswered(current, secured.reason))
  current.secured(secured)
  const isCertified = terms?.credentials.certificate !== undefined
  if (secured.refusal === null) return { ...connected, socket: secured.socket, isCertified }
  secured.socket.destroy()
  return ended(answered(current, secured.refusal))
}

function inconclusive(dialed: Extract<DialResult, { kind: 'inconclusive' }>): CheckResult {
  const { reason, causeIfTheirs, name, address, otherAddress } = dialed
  return {
    ...resultWithout('pending', reason),
    ...(causeIfTheirs !== null && { causeIfTheirs }),
    ...(name !== undefined && { name }),
    ...(address !== null && { address }),
    ...(otherAddress !== undefined && { otherAddress }),
  }
}

function ended(result: CheckResult, isRefused = false): Ended {
  return { kind: 'ended', result, isRefused }
}
