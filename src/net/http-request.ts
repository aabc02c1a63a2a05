import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import http from 'node:http'
import type { Socket } from 'node:net'
import type { WaitingFor } from '../core/monitors/cause.ts'
import { CLOSED_EARLY, NO_HOST, noAnswer, TOO_BUSY } from '../core/monitors/cause.ts'
import { targetHost } from '../core/monitors/target.ts'
import type { AddressKind } from './address-policy.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { dial } from './dial.ts'
import type { Network } from './network.ts'
import { codeOf } from './own-trouble.ts'
import { secure, type TlsTerms } from './tls/tls.ts'
import { readTolerantly } from './tolerant-answer.ts'
import type { DialWay, Via } from './way.ts'

/** How much of a response body is kept, unless the request wants more; the rest is not read. */
export const MAX_KEPT_BODY_BYTES = 8_192

const HTTP_PORT = 80
const HTTPS_PORT = 443
const INTERRUPTED = 'interrupted'
const FIRST_BYTE: WaitingFor = 'connected, waiting for the first byte'

export type HttpRequest = {
  /** The address is judged by this. */
  kind: AddressKind
  /** `http:` or `https:`. A user name and password in the URL become basic authentication. */
  url: string
  headers: Record<string, string>
  body: string | Uint8Array
  /** A GET has no body. */
  method?: 'POST' | 'PUT' | 'PATCH' | 'GET'
  /** How much of the response body is kept. */
  maxBytes?: number
  way?: DialWay
  /** Hears where the request went from here, once that is known, also where it failed there. */
  onWay?: (via: Via) => void
  terms?: TlsTerms | undefined
}

export type HttpResult =
  /** A body that broke off, took too long or exceeds the limit is kept as far as it was read. */
  | { kind: 'answered'; statusCode: number; headers: IncomingHttpHeaders; body: string }
  /** No status line arrived. The reason contains no path, header or credentials. */
  | { kind: 'failed'; reason: string; isOurs?: true }

type ConnectResult =
  | { kind: 'connected'; socket: Socket }
  | { kind: 'failed'; reason: string; phase: WaitingFor; isOurs?: true }

type Place = { url: URL; host: string } & Pick<HttpRequest, 'kind' | 'way' | 'onWay' | 'terms'>

/**
 * Sends one POST, PUT, PATCH or GET over its own connection. The address is judged before dialing and the certificate before
 * anything is sent; redirects are not followed. `limitMs` covers everything from the name look-up to the last byte.
 */
export async function requestOnce(
  network: Network,
  request: HttpRequest,
  limitMs: number,
  signal: AbortSignal,
): Promise<HttpResult> {
  const url = new URL(request.url)
  const host = targetHost(url)
  if (host === null) return { kind: 'failed', reason: NO_HOST }
  const deadline = startDeadline(limitMs, signal, network.loop)
  try {
    const connected = await connect(network, { ...request, url, host }, deadline.signal)
    if (connected.kind === 'failed') {
      return {
        kind: 'failed',
        reason: reasonOf(deadline, limitMs, connected.phase) ?? connected.reason,
        ...((connected.isOurs || isOurs(deadline)) && { isOurs: true }),
      }
    }
    deadline.progress()
    const { socket } = connected
    const result = await exchange(socket, url, request, deadline.signal).finally(() => socket.destroy())
    if (result.kind === 'answered') return result
    const reason = reasonOf(deadline, limitMs, FIRST_BYTE) ?? result.reason
    return { kind: 'failed', reason, ...(isOurs(deadline) && { isOurs: true }) }
  } finally {
    deadline.stop()
  }
}

/** An expired deadline explains a failure better than the error it caused. */
function reasonOf(deadline: Deadline, limitMs: number, waitingFor: WaitingFor): string | null {
  switch (deadline.end()) {
    case 'expired':
      return noAnswer(limitMs / 1_000, waitingFor)
    case 'stalled':
      return TOO_BUSY
    case 'cancelled':
      return INTERRUPTED
    case null:
      return deadline.isOvertaken() ? TOO_BUSY : null
  }
}

/** Whether this process was too slow to tell, or gave up. */
function isOurs(deadline: Deadline): boolean {
  const end = deadline.end()
  return end === null ? deadline.isOvertaken() : end !== 'expired'
}

async function connect(
  network: Network,
  { kind, url, host, way = {}, onWay, terms }: Place,
  signal: AbortSignal,
): Promise<ConnectResult> {
  const isSecure = url.protocol === 'https:'
  const port = Number(url.port) || (isSecure ? HTTPS_PORT : HTTP_PORT)
  const dialed = await dial(network, { kind, host, port, way }, signal)
  if (dialed.kind !== 'inconclusive') {
    const { address, name, via = { address, ...(name !== undefined && { name }) } } = dialed
    onWay?.(via)
  }
  if (dialed.kind === 'failed') return dialed
  if (dialed.kind === 'inconclusive')
    return { kind: 'failed', reason: dialed.reason, phase: 'connecting', isOurs: true }
  if (!isSecure) return dialed
  const at = way.tunnel && { address: dialed.address, port }
  const target = { kind, host, alpn: ['http/1.1'], way, terms, at }
  const secured = await secure(network, dialed.socket, target, signal)
  if (secured.kind === 'inconclusive')
    return { kind: 'failed', reason: secured.reason, phase: 'TLS handshake', isOurs: true }
  if (secured.kind === 'failed') return { kind: 'failed', reason: secured.reason, phase: 'TLS handshake' }
  if (secured.refusal === null) return { kind: 'connected', socket: secured.socket }
  secured.socket.destroy()
  return { kind: 'failed', reason: secured.refusal, phase: 'TLS handshake' }
}

/**
 * Sends the request and reads the response. Once a status line has arrived the result is `answered`, however it ends.
 */
function exchange(
  socket: Socket,
  url: URL,
  { headers, body, method = 'POST', maxBytes = MAX_KEPT_BODY_BYTES }: HttpRequest,
  signal: AbortSignal,
) {
  return new Promise<HttpResult>((resolve) => {
    let answer: IncomingMessage | null = null
    const kept: Buffer[] = []
    let keptBytes = 0

    const end = (reason: string) => {
      signal.removeEventListener('abort', interrupt)
      resolve(
        answer ? answered(answer, Buffer.concat(kept).subarray(0, maxBytes)) : { kind: 'failed', reason },
      )
    }
    const interrupt = () => end(INTERRUPTED)
    if (signal.aborted) return interrupt()
    signal.addEventListener('abort', interrupt, { once: true })

    // A receiver that answers oddly has taken the message, and must not get it again.
    readTolerantly(socket)
    const request = http.request(url, {
      method,
      // TLS, if any, is already below this socket.
      protocol: 'http:',
      createConnection: () => socket,
      headers: {
        ...headers,
        host: url.host,
        ...(method !== 'GET' && { 'content-length': Buffer.byteLength(body) }),
        connection: 'close',
      },
    })
    request.once('response', (response) => {
      answer = response
      response.on('data', (chunk: Buffer) => {
        kept.push(chunk)
        keptBytes += chunk.length
        if (keptBytes >= maxBytes) end('')
      })
      response.once('end', () => end(''))
      response.on('error', () => end(''))
    })
    request.on('error', (error) => end(explain(error)))
    request.once('close', () => end(CLOSED_EARLY))
    request.end(method === 'GET' ? undefined : body)
  })
}

function answered(answer: IncomingMessage, body: Buffer): HttpResult {
  return {
    kind: 'answered',
    statusCode: answer.statusCode ?? 0,
    headers: answer.headers,
    body: body.toString(),
  }
}

function explain(error: Error): string {
  const code = codeOf(error)
  return code.startsWith('HPE_') ? `the answer is not HTTP (${code})` : CLOSED_EARLY
}
