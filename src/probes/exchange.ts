import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import {
  CLOSED_EARLY,
  connectionFailure,
  invalidAnswer,
  speaksTls,
  UNSENDABLE,
} from '../core/monitors/cause.ts'
import type { HttpMethod } from '../core/monitors/options/request.ts'
import { codeOf, ownTrouble } from '../net/own-trouble.ts'
import { isOpenSsl, tlsFailure } from '../net/tls/tls-failure.ts'
import { MAX_HEADER_BYTES, readTolerantly } from '../net/tolerant-answer.ts'
import type { Connected } from './connect.ts'
import type { Hop } from './hop.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

/** Methods whose requests say how long their body is, even if they have none (RFC 9110, section 8.6). */
const WITH_BODIES: ReadonlySet<HttpMethod> = new Set(['POST', 'PUT', 'PATCH'])

/** One for all: every request closes in the end, and a new error costs a stack trace. */
const CLOSED = new Error('closed')

export type HttpAnswer = {
  kind: 'answered'
  status: number
  /** The headers have been read, the body has not. */
  response: IncomingMessage
  /** The error that cut the body short, if any: Node reports it on the request, not on the response. */
  brokenBy: () => Error | null
  endpoint: string
  /** Faults of the answer that browsers and curl put up with. */
  oddities: readonly string[]
  /** The connection, once it speaks another protocol, and the bytes behind the head; null while it speaks HTTP. */
  switched: { socket: Socket; behind: Buffer } | null
}

/** `isSilent`: the peer closed the connection without sending a byte. `isOurs`: this machine failed, not the peer. */
export type HttpFailure = { kind: 'failed'; reason: string; isSilent: boolean; isOurs: boolean }

/** Sends one request over a connection and waits for the response headers. Never throws. */
export function exchange(
  { socket, endpoint, isCertified = false }: Connected,
  hop: Hop,
  signal: AbortSignal,
): Promise<HttpAnswer | HttpFailure> {
  return new Promise((resolve) => {
    let failure: Error | null = null
    let isOver = false
    const fail = (error: Error) => {
      failure ??= error
      if (isOver) return
      isOver = true
      const own = ownTrouble(codeOf(failure))
      const isSilent = socket.bytesRead === 0 && !signal.aborted && own === null
      const reason = own ?? answerFailure(failure, endpoint, isCertified)
      resolve({ kind: 'failed', reason, isSilent, isOurs: own !== null })
    }
    const oddities = readTolerantly(socket)
    const answer = (response: IncomingMessage, _?: Socket, behind?: Buffer) => {
      isOver = true
      resolve({
        kind: 'answered',
        status: response.statusCode ?? 0,
        response,
        brokenBy: () => failure,
        endpoint,
        oddities,
        switched: behind ? { socket, behind } : null,
      })
    }
    if (signal.aborted) return fail(new Error('gave up'))
    // Also ends the reading of the body, whose reader then sees it break off.
    signal.addEventListener('abort', () => socket.destroy(), { once: true })

    const request = createRequest(socket, hop)
    if (!request) return resolve({ kind: 'failed', reason: UNSENDABLE, isSilent: false, isOurs: false })
    request.on('error', fail)
    request.on('response', answer)
    // Node destroys a socket that switches protocols (101) unless something listens.
    request.on('upgrade', answer)
    request.on('close', () => fail(CLOSED))
    request.end(hop.body)
  })
}

/** Null when one of the monitor's headers contains characters that HTTP cannot carry. */
function createRequest(socket: Socket, hop: Hop): ClientRequest | null {
  try {
    const options: http.RequestOptions = {
      path: hop.url.pathname + hop.url.search,
      headers: headerLines(hop),
      createConnection: () => socket,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The head is clean by then; of chunks, spaces behind a size and lines that end with LF are taken.
      insecureHTTPParser: true,
    }
    // Node copies the options three times, into tables that the method of nearly all would make grow.
    if (hop.method !== 'GET') options.method = hop.method
    return http.request(options)
  } catch (error) {
    if (['ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN'].includes(codeOf(error))) return null
    throw error
  }
}

/**
 * Names and values in turn. Node writes a list as it is, which takes half the time of an object; the length of a body is
 * ours to say then.
 */
function headerLines({ url, method, headers, body, upgrades }: Hop): string[] {
  const lines = ['Host', url.host]
  for (const name in headers) {
    const value = asBytes(headers[name] as string)
    // The parser that is told to take odd chunks would let control characters be sent, too.
    http.validateHeaderValue(name, value)
    lines.push(name, value)
  }
  if (body) lines.push('Content-Length', String(body.length))
  lines.push('Connection', upgrades ? 'Upgrade' : 'close')
  if (!body && WITH_BODIES.has(method)) lines.push('Content-Length', '0')
  return lines
}

/** Explains what broke an exchange; `endpoint` comes from addressAndPort. */
export function answerFailure(error: Error, endpoint: string, isCertified = false): string {
  const code = codeOf(error)
  if (code === 'HPE_HEADER_OVERFLOW') return invalidAnswer(`headers above ${MAX_HEADER_BYTES / 1_024} KiB`)
  if (isTlsAlert(error)) return speaksTls(endpoint)
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') return invalidAnswer(parserReason(error))
  if (isOpenSsl(error)) return tlsFailure(error, endpoint, { isSent: isCertified })
  return 'syscall' in error ? connectionFailure(code, [endpoint]) : CLOSED_EARLY
}

/** A TLS record instead of HTTP: type 21, version 3.x (RFC 8446, section 5.1). */
function isTlsAlert(error: Error): boolean {
  const packet = 'rawPacket' in error ? error.rawPacket : null
  return Buffer.isBuffer(packet) && packet[0] === 0x15 && packet[1] === 0x03
}

function parserReason(error: Error): string {
  return 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message
}

/** Header values are sent as UTF-8, but Node writes one byte per character. For ASCII, almost always, there is no difference. */
function asBytes(value: string): string {
  return ASCII.test(value) ? value : Buffer.from(value).toString('latin1')
}
