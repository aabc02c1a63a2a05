import { addressAndPort, cutCause, grouped } from '../cause.ts'

/*
 * The texts of `cause` that several protocols share, and those of name servers and WebSockets.
 */

const MAX_QUOTED = 200

export function dnsNoName(name: string): string {
  return `DNS: ${name} does not exist`
}

export function dnsNoRecords(name: string, type: string): string {
  return `DNS: ${name} has no ${type} record`
}

/** `code` is a DNS response code: SERVFAIL, REFUSED. */
export function dnsFailed(name: string, code: string): string {
  return `DNS: ${code} for ${name}`
}

export function dnsUnproven(name: string): string {
  return `DNS: the answer for ${name} is not authenticated (no AD flag)`
}

export function dnsInvalid(server: string): string {
  return `DNS: invalid answer from ${server}`
}

export function dnsHungUp(server: string): string {
  return `DNS: ${server} closed the connection without an answer`
}

export function dnsUnaskable(name: string): string {
  return `DNS: ${name} cannot be asked for`
}

/** The answer of a name server over HTTPS. */
export function dnsStatus(status: number): string {
  return `DNS: HTTP ${status} (expected 200)`
}

/** `protocol` as people write it: SMTP. `what`: `greeting`, `answer to STARTTLS`. */
export function unlikeLine(protocol: string, what: string, line: string, expected: string): string {
  return `${protocol}: ${what} is "${cutCause(line, MAX_QUOTED)}" (expected ${expected})`
}

export function hungUpBefore(protocol: string, endpoint: string, awaited: string): string {
  return `${protocol}: ${endpoint} closed the connection before its ${awaited}`
}

export function saidTooMuch(protocol: string): string {
  return `${protocol}: the answer is longer than an answer of this protocol may be`
}

/** The name of the offer in the protocol: some have no command for it. */
export type TlsOffer = 'STARTTLS' | 'TLS'

/** Text that came without TLS would be read as if TLS had protected it (CVE-2011-0411). */
export function saidBeforeTls(protocol: string, offer: TlsOffer = 'STARTTLS'): string {
  return `${protocol}: the server went on without TLS after it had agreed to ${offer}`
}

/** The answer breaks the rules of the protocol behind its first bytes. */
export function invalidReply(protocol: string): string {
  return `${protocol}: invalid answer`
}

export function offersNoTls(protocol: string): string {
  return `${protocol}: the server offers no TLS`
}

/** `line`: why a database does not answer a query, in its words. */
export function queryRefused(protocol: string, line: string): string {
  return `${protocol}: query failed ("${cutCause(line, MAX_QUOTED)}")`
}

export function foundTooMuch(protocol: string, max: number, what: 'rows' | 'bytes' | 'characters'): string {
  return `${protocol}: the query gives more than ${grouped(max)} ${what}`
}

/** `deed`: `subscription`, `publishing`. */
export function brokerRefused(protocol: string, deed: string, line: string): string {
  return `${protocol}: ${deed} refused ("${cutCause(line, MAX_QUOTED)}")`
}

/** A broker names another one, at an address that may not be connected to. */
export function brokerElsewhere(protocol: string, who: string, host: string, port: number): string {
  return `${protocol}: ${who} says it is at ${cutCause(addressAndPort(host, port), MAX_QUOTED)}, which is not allowed`
}

export function packedMessage(protocol: string, packing: string): string {
  return `${protocol}: the message is compressed by ${packing}, which checks do not read`
}

export function noMessageWithin(protocol: string, count: number, unit: 'bytes' | 'parts'): string {
  return `${protocol}: no message within ${grouped(count)} ${unit}`
}

export function notAmongMessages(protocol: string, count: number): string {
  return `${protocol}: the published message is not among the first ${grouped(count)}`
}

export function signInRefused(protocol: string, line: string): string {
  return `${protocol}: sign-in refused ("${cutCause(line, MAX_QUOTED)}")`
}

export function noSignIn(protocol: string): string {
  return `${protocol}: the server offers no sign-in with a user name and a password`
}

export function signInNeedsTls(protocol: string, offer: TlsOffer = 'STARTTLS'): string {
  return `${protocol}: not signed in, as the server offers no ${offer} and the password would be sent in the clear`
}

export function unsendableSignIn(protocol: string): string {
  return `${protocol}: the user name or the password has a character that cannot be sent`
}

/** A note on a check that passed. */
export function notEncrypted(protocol: string, offer: TlsOffer = 'STARTTLS'): string {
  return `${protocol}: the server offers no ${offer}: the connection was not encrypted`
}

/** Why the answer to the handshake of a WebSocket (RFC 6455, section 4.1) opens none. */
export const WEBSOCKET_NOT_OPENED = 'WebSocket: the answer has no Upgrade: websocket'
export const WEBSOCKET_WRONG_ACCEPT = 'WebSocket: the answer has a wrong Sec-WebSocket-Accept'

export function webSocketSubprotocol(taken: string | null, wanted: readonly string[]): string {
  const found = taken === null ? 'the server took no subprotocol' : `the server took the subprotocol ${taken}`
  return `WebSocket: ${found} (expected ${wanted.length > 0 ? wanted.join(' or ') : 'none'})`
}

export function webSocketExtension(name: string): string {
  return `WebSocket: the server took an extension that was not offered: ${name}`
}

/** `code` and `reason` as in the frame that closed it (RFC 6455, section 7.4). */
export function webSocketClosed(code: number, reason: string): string {
  return `WebSocket: closed before the first message (${code}${reason === '' ? '' : `: ${reason}`})`
}

export const WEBSOCKET_CUT_OFF = 'WebSocket: connection closed before the first message'

export function webSocketInvalid(why: string): string {
  return `WebSocket: invalid frame: ${why}`
}
