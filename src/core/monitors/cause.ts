import { shownLine } from '../language/hidden-characters.ts'
import { maskedAddress } from '../teams/access.ts'

/*
 * The texts of `cause` and `error_message`. They are stable, because people read them and scripts match them.
 */

/** In code points. */
export const MAX_CAUSE_LENGTH = 500
const MAX_ADDRESSES_NAMED = 2
const STATUS_DIGITS = 3
const CODES_OF_CLASS = 100

/** The step that an attempt was in when it timed out. */
export type WaitingFor =
  | 'getting an access token'
  | 'looking up the name'
  | 'connecting'
  | 'TLS handshake'
  | 'connected, waiting for the first byte'
  | 'reading the answer'
  | 'signing in'
  | 'running the query'
  | 'waiting for the first message'
  | 'waiting for the published message'

export const CHECK_CANCELLED = 'check was cancelled'
export const NO_HOST = 'the URL names no host'
export const TOO_BUSY = 'this machine was too busy to judge'
export const NETWORK_SEEMS_DOWN = 'our network seems to be down'
export const NETWORK_SEEMED_DOWN = 'our network seems to have been down for a moment'
export const NAME_SERVERS_SEEM_DOWN = 'our name servers seem to be down'
export const NO_NAME_SERVER = 'no name server of ours answers'
export const UNSENDABLE = 'the request headers contain characters that cannot be sent'
export const CLOSED_EARLY = 'connection closed before the answer was complete'

/**
 * Makes a cause from a target safe to store and show: one line, nothing in it that is not seen, at most
 * 500 code points, or `maxLength`.
 */
export function cutCause(text: string, maxLength = MAX_CAUSE_LENGTH): string {
  const printable = shownLine(text.toWellFormed())
  if (printable.length <= maxLength) return printable
  const points = Array.from(printable)
  if (points.length <= maxLength) return printable
  return `${points.slice(0, maxLength - 1).join('')}…`
}

export function noAnswer(seconds: number, waitingFor: WaitingFor): string {
  return `no answer within ${seconds} s (${waitingFor})`
}

export function missedPing(seconds: number): string {
  return `no ping within ${seconds} s`
}

/** `at` as clocks of the zone show it: `no ping within 300 s of 2026-11-29 03:00 Europe/Berlin`. */
export function missedRun(at: Date, timeZone: string, graceSeconds: number): string {
  // Swedes write dates as ISO 8601 does.
  const time = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)
  return `no ping within ${graceSeconds} s of ${time} ${timeZone}`
}

export function ranTooLong(seconds: number): string {
  return `the job did not end within ${seconds} s of its start`
}

/** A class that is expected as a whole is named as one (`2xx`): by sites, since monitors list fewer codes than that. */
export function unexpectedStatus(status: number, expected: readonly number[]): string {
  const sizes = new Map<number, number>()
  for (const code of new Set(expected)) sizes.set(classOf(code), (sizes.get(classOf(code)) ?? 0) + 1)
  const isWhole = (code: number) => sizes.get(classOf(code)) === CODES_OF_CLASS
  const named = expected.map((code) => (isWhole(code) ? `${classOf(code)}xx` : String(code)))
  return `HTTP ${String(status).padStart(STATUS_DIGITS, '0')} (expected ${[...new Set(named)].join(', ')})`
}

function classOf(statusCode: number): number {
  return Math.floor(statusCode / CODES_OF_CLASS)
}

/** The check did not get through its proxy. */
export function byProxy(why: string): string {
  return `proxy: ${why}`
}

/** A check that signs in by OAuth 2 got nothing to sign in with. */
export function noAccessToken(why: string): string {
  return `no access token: ${why}`
}

/** `bytes` counts the decoded body as far as it was read. */
export function keywordMissing(keyword: string, bytes: number): string {
  return `keyword "${keyword}" not found in ${grouped(bytes)} bytes`
}

/** `203.0.113.7:443`, or `[2001:db8::7]:443`. */
export function addressAndPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

/** Names two addresses and counts the rest: `a, b and 3 more`. */
export function listed(addresses: readonly string[]): string {
  const named = addresses.slice(0, MAX_ADDRESSES_NAMED)
  const rest = addresses.length - named.length
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(' and ')
}

/** The cause for a failed system call on a connection; `code` is the system's (`ECONNREFUSED`). */
export function connectionFailure(code: string, endpoints: readonly string[]): string {
  const where = listed(endpoints)
  switch (code) {
    case 'ECONNREFUSED':
      return `connection refused by ${where}`
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
      return `connection reset by ${where}`
    case 'ETIMEDOUT':
      return `connection to ${where} timed out`
    default:
      return `cannot connect to ${where} (${code})`
  }
}

export function noRoute(addresses: readonly string[]): string {
  return `no route to ${listed(addresses)}`
}

export function nameNotFound(name: string): string {
  return `name not found: ${name}`
}

export function noAddress(name: string): string {
  return `no address for ${name}`
}

/** Where a monitor is checked over one version of IP only. */
export function noAddressOfVersion(name: string, version: 4 | 6): string {
  return `no IPv${version} address for ${name}`
}

/** `code` is a DNS response code (RFC 1035 and its registry): SERVFAIL, REFUSED. */
export function nameServerFailed(name: string, code: string): string {
  return `name server failed for ${name} (${code})`
}

export function nameServerSilent(name: string): string {
  return `name server did not answer for ${name}`
}

/** Like nameServerFailed, where the servers fail for the root as well: the trouble is ours. */
export function nameServersFail(code: string): string {
  return `our name servers fail for every name (${code})`
}

export function addressNotAllowed(address: string): string {
  return `address ${address} is not allowed`
}

/** `kind` is the kind of address: multicast, broadcast, unspecified, reserved. */
export function addressNeverAnswers(address: string, kind: string): string {
  return `address ${address} never answers (${kind})`
}

export function handshakeFailed(why: string): string {
  return `TLS handshake failed: ${why}`
}

export function certificateExpired(ago: string, owner: string): string {
  return `certificate expired ${ago} ago (${owner})`
}

export function certificateNotYetValid(from: Date, owner: string): string {
  return `certificate is not valid until ${from.toISOString().slice(0, 10)} (${owner})`
}

export function certificateForAnother(names: readonly string[], host: string): string {
  return `certificate is for ${listed(names)}, not ${host}`
}

/**
 * A certificate without alternative names for hosts; a common name such as `CN=example.com` does not count
 * (RFC 9525).
 */
export function certificateForNoHost(commonName: string | null): string {
  return `certificate names no host${commonName === null ? '' : ` (only ${commonName})`}`
}

/** `owner` is that of the certificate; `key` is, for example, `RSA of 1024 bits`. */
export function certificateKeyWeak(key: string, owner: string): string {
  return `certificate key is too weak: ${key} (${owner})`
}

export function certificateSelfSigned(owner: string): string {
  return `certificate is self-signed (${owner})`
}

export function certificateUntrusted(owner: string): string {
  return `certificate chain is incomplete or its authority is not trusted (${owner})`
}

/** `why` is OpenSSL's text, for errors without a wording of their own. */
export function certificateRefused(why: string, owner: string): string {
  return `certificate is not trusted: ${why} (${owner})`
}

export function tooManyRedirects(max: number): string {
  return `more than ${max} ${max === 1 ? 'redirect' : 'redirects'}`
}

export function badRedirect(location: string): string {
  return `redirect to an address that cannot be followed: ${maskedAddress(location)}`
}

/** The cause where an answer from a public address leads to a private one. */
export function redirectsInside(address: string): string {
  return `redirects to a private address: ${address}`
}

/** The cause where the method may change something; `origin` as in the URL standard. */
export function redirectsMethod(method: string, origin: string): string {
  return `redirects ${method} to another origin: ${origin}`
}

export function invalidAnswer(why: string): string {
  return `invalid HTTP answer: ${why}`
}

const MAX_ENCODING_LENGTH = 40

export function unknownEncoding(encoding: string): string {
  return `unknown Content-Encoding: ${cutCause(encoding, MAX_ENCODING_LENGTH)}`
}

/** A note on a check that passed. */
export function oddAnswer(oddities: Iterable<string>): string {
  return cutCause(`browsers take this answer, but it is not as HTTP should be: ${[...oddities].join(', ')}`)
}

export function speaksTls(endpoint: string): string {
  return `no HTTP here: ${endpoint} speaks TLS (https)`
}

export function undecodable(encoding: string, why: string): string {
  return `answer could not be decoded (${encoding}: ${why})`
}

/** `18204` as `18,204`. */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',')
}
