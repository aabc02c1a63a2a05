import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import {
  CLOSED_EARLY,
  connectionFailure,
  invalidAnswer,
  speaksTls,
  UNSENDABLE,
} from '../core/monitors/cause.ts'
import { codeOf } from '../net/own-trouble.ts'
import { isOpenSsl, tlsFailure } from '../net/tls-failure.ts'
import type { Connected } from './connect.ts'
import type { Hop } from './hop.ts'

const MAX_HEADER_BYTES = 64 * 1_024
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

export type Answer = {
  kind: 'answered'
  status: number
  /** Headers read, body not yet. */
  response: IncomingMessage
  /** What ended the body before its end, if anything did: node tells the request, not the response. */
  brokenBy: () => Error | null
  endpoint: string
}

/** `isMute`: the other side ended the connection without a byte. */
export type NoAnswer = { kind: 'failed'; reason: string; isMute: boolean }

/** Sends one request over a connection and waits for the headers of the answer. Never throws. */
export function exchange(
  { socket, endpoint }: Connected,
  hop: Hop,
  signal: AbortSignal,
): Promise<Answer | NoAnswer> {
  return new Promise((resolve) => {
    let failure: Error | null = null
    const fail = (error: Error) => {
      failure ??= error
      const isMute = socket.bytesRead === 0 && !signal.aborted
      resolve({ kind: 'failed', reason: answerFailure(failure, endpoint), isMute })
    }
    const answer = (response: IncomingMessage) =>
      resolve({
        kind: 'answered',
        status: response.statusCode ?? 0,
        response,
        brokenBy: () => failure,
        endpoint,
      })
    if (signal.aborted) return fail(new Error('gave up'))
    // Ends the reading of the body, too; whoever reads it sees it break off.
    signal.addEventListener('abort', () => socket.destroy(), { once: true })

    const request = createRequest(socket, hop)
    if (!request) return resolve({ kind: 'failed', reason: UNSENDABLE, isMute: false })
    request.on('error', fail)
    request.on('response', answer)
    // Node destroys a socket that switches protocols (101) unless somebody listens.
    request.on('upgrade', answer)
    request.on('close', () => fail(new Error('closed')))
    request.end()
  })
}

/** Null when a header of the monitor's holds what HTTP cannot carry. */
function createRequest(socket: Socket, hop: Hop): ClientRequest | null {
  try {
    return http.request({
      method: hop.method,
      path: hop.url.pathname + hop.url.search,
      headers: { Host: hop.url.host, ...asBytes(hop.headers), Connection: 'close' },
      createConnection: () => socket,
      maxHeaderSize: MAX_HEADER_BYTES,
    })
  } catch (error) {
    if (['ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN'].includes(codeOf(error))) return null
    throw error
  }
}

/** What broke an exchange, in words; `endpoint` as from addressAndPort. */
export function answerFailure(error: Error, endpoint: string): string {
  const code = codeOf(error)
  if (code === 'HPE_HEADER_OVERFLOW') return invalidAnswer(`headers above ${MAX_HEADER_BYTES / 1_024} KiB`)
  if (isTlsAlert(error)) return speaksTls(endpoint)
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') return invalidAnswer(parserReason(error))
  if (isOpenSsl(error)) return tlsFailure(error, endpoint)
  return 'syscall' in error ? connectionFailure(code, [endpoint]) : CLOSED_EARLY
}

/** A record of TLS in the place of HTTP: type 21, version 3.x (RFC 8446, section 5.1). */
function isTlsAlert(error: Error): boolean {
  const packet = 'rawPacket' in error ? error.rawPacket : null
  return Buffer.isBuffer(packet) && packet[0] === 0x15 && packet[1] === 0x03
}

function parserReason(error: Error): string {
  return 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message
}

/** Header values go out as UTF-8; node takes one character per byte. For ASCII, nearly always, both are the same. */
function asBytes(headers: Record<string, string>): Record<string, string> {
  if (Object.values(headers).every((value) => ASCII.test(value))) return headers
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  )
}
