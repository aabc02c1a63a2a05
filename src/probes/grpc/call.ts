import http2, { type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'

/** The most of one answer, with all its messages. */
const MAX_BYTES = 1_048_576
const PREFIX_BYTES = 5
const USER_AGENT = 'Upbeat/0.1 (uptime monitoring)'
/** Headers that a call sets itself, or that HTTP/2 does not have (RFC 9113, section 8.2.2). */
const OWN =
  /^(:.*|te|content-type|user-agent|connection|keep-alive|proxy-connection|transfer-encoding|upgrade|host|http2-settings|grpc-accept-encoding|grpc-encoding)$/i

/** The whole answer to a call. */
export type GrpcAnswer = {
  httpStatus: number
  isGrpc: boolean
  /** Null without one. */
  code: number | null
  message: string
  messages: Buffer[]
}

/** Why an answer did not come as a whole. `error`: that of the connection or of HTTP/2. */
export class CallEnded extends Error {
  readonly how: 'closed' | 'given up' | 'too much' | 'compressed' | 'unsendable'
  readonly error: Error | null

  constructor(how: CallEnded['how'], error: Error | null = null) {
    super(how)
    this.how = how
    this.error = error
  }
}

export type Calls = {
  /** Sends one message, and reads until the call is over. Rejects with `CallEnded`. */
  call(path: string, message: Uint8Array): Promise<GrpcAnswer>
  /** Whether the other side has begun to speak HTTP/2. */
  hasBegun(): boolean
  close(): void
}

type Terms = {
  /** As `https://host:port`. */
  origin: string
  metadata: Readonly<Record<string, string>>
  signal: AbortSignal
  onHeaders: () => void
  onRead: () => void
}

/** Calls over a connection, by HTTP/2 (grpc/doc/PROTOCOL-HTTP2.md). */
export function openCalls(socket: Socket, { origin, metadata, signal, onHeaders, onRead }: Terms): Calls {
  const session = http2.connect(origin, { createConnection: () => socket, settings: { enablePush: false } })
  let broken: Error | null = null
  let hasBegun = false
  session.on('error', (error) => {
    broken ??= error
  })
  session.once('remoteSettings', () => {
    hasBegun = true
  })
  const giveUp = () => session.destroy()
  signal.addEventListener('abort', giveUp, { once: true })
  const own = Object.entries(metadata).filter(([name]) => !OWN.test(name))
  return {
    call: (path, message) =>
      callOver(session, { ':path': path, ...Object.fromEntries(own) }, message, {
        onHeaders,
        onRead,
        whyBroken: () => broken ?? socket.errored,
        signal,
      }),
    hasBegun: () => hasBegun,
    close: () => {
      signal.removeEventListener('abort', giveUp)
      session.destroy()
      socket.destroy()
    },
  }
}

type Around = Pick<Terms, 'onHeaders' | 'onRead' | 'signal'> & { whyBroken: () => Error | null }

function callOver(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  message: Uint8Array,
  { onHeaders, onRead, signal, whyBroken }: Around,
): Promise<GrpcAnswer> {
  return new Promise((resolve, reject) => {
    const end = (how: CallEnded['how'], error: Error | null = null) =>
      reject(new CallEnded(signal.aborted ? 'given up' : how, error))
    if (signal.aborted || session.destroyed) return end('closed', whyBroken())
    const answer: GrpcAnswer = { httpStatus: 0, isGrpc: false, code: null, message: '', messages: [] }
    let held: Buffer = Buffer.alloc(0)
    let bytes = 0
    let failure: Error | null = null
    const stream = begin()
    if (stream instanceof Error) return end('unsendable', stream)
    const noteStatus = (trailers: IncomingHttpHeaders) => {
      const status = trailers['grpc-status']
      if (typeof status !== 'string' || !/^\d{1,3}$/.test(status)) return
      answer.code = Number(status)
      answer.message = messageIn(trailers['grpc-message'])
    }
    stream.once('response', (head) => {
      answer.httpStatus = head[':status'] ?? 0
      answer.isGrpc = String(head['content-type'] ?? '').startsWith('application/grpc')
      noteStatus(head)
      onHeaders()
    })
    stream.on('trailers', noteStatus)
    stream.on('data', (piece: Buffer) => {
      onRead()
      bytes += piece.length
      if (bytes > MAX_BYTES) {
        end('too much')
        stream.destroy()
        return
      }
      held = held.length === 0 ? piece : Buffer.concat([held, piece])
      while (held.length >= PREFIX_BYTES) {
        const length = held.readUInt32BE(1)
        if (held[0] !== 0 && answer.isGrpc) {
          end('compressed')
          stream.destroy()
          return
        }
        if (held.length < PREFIX_BYTES + length) break
        answer.messages.push(held.subarray(PREFIX_BYTES, PREFIX_BYTES + length))
        held = held.subarray(PREFIX_BYTES + length)
      }
    })
    stream.on('error', (error) => {
      failure ??= error
    })
    let isWhole = false
    stream.once('end', () => {
      isWhole = answer.httpStatus !== 0
    })
    stream.once('close', () => {
      if (isWhole && failure === null && !stream.aborted && !signal.aborted) resolve(answer)
      else end('closed', whyBroken() ?? failure)
    })
    stream.end(prefixed(message))

    function begin() {
      try {
        return session.request({
          ':method': 'POST',
          te: 'trailers',
          'content-type': 'application/grpc',
          'user-agent': USER_AGENT,
          'grpc-accept-encoding': 'identity',
          ...headers,
        })
      } catch (error) {
        return error as Error
      }
    }
  })
}

function prefixed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

/** It is percent-encoded. */
function messageIn(text: string | string[] | undefined): string {
  const written = String(text ?? '')
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}
