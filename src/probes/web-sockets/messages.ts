import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { Receiver, Sender } from 'ws'
import { codeOf } from '../../net/own-trouble.ts'

/** As much of a message is judged as of a body. */
const MAX_MESSAGE_BYTES = 2 * 1_024 * 1_024
/** All that is read until the first message is there, with the frames before it. */
export const MAX_READ_BYTES = 2 * MAX_MESSAGE_BYTES
/** A server that sends pings and reads no answer to them gets no further one: they would pile up here. */
const MAX_UNREAD_BYTES = 64 * 1_024
/** The server may take so long to close in return. */
const CLOSE_WAIT_MS = 1_000
const NORMAL = 1_000

/** Frames that break the rules, by the code of the library's error. All other codes are of what is too large. */
const FAULTS: Record<string, string> = {
  WS_ERR_EXPECTED_FIN: 'a control frame in parts',
  WS_ERR_INVALID_CLOSE_CODE: 'a close code that there is not',
  WS_ERR_INVALID_CONTROL_PAYLOAD_LENGTH: 'a control frame that is too long',
  WS_ERR_INVALID_OPCODE: 'of a kind that there is not, or out of turn',
  WS_ERR_INVALID_UTF8: 'text that is not UTF-8',
  WS_ERR_UNEXPECTED_MASK: 'masked, as only those of clients are',
  WS_ERR_UNEXPECTED_RSV_1: 'of an extension that was not agreed on',
  WS_ERR_UNEXPECTED_RSV_2_3: 'of an extension that was not agreed on',
}

/** The beginning of a conversation. `cut off`: without a frame that says so. */
export type FirstMessage =
  | { kind: 'message'; bytes: Buffer }
  | { kind: 'closed'; code: number; reason: string }
  | { kind: 'invalid'; why: string }
  | { kind: 'too large' }
  | { kind: 'cut off'; error: Error | null }

type Ended = Exclude<FirstMessage, { kind: 'message' }>

export type OpenWebSocket = {
  send(text: string): void
  firstMessage(): Promise<FirstMessage>
  /** Says that it closes, and waits a moment until the server does, too. The caller destroys the socket after it. */
  close(): Promise<void>
}

/** Speaks the frames of RFC 6455 over a connection. `behind`: the bytes that came with the answer to the handshake. */
export function openWebSocket(socket: Socket, behind: Buffer, onBytes: () => void): OpenWebSocket {
  const first = Promise.withResolvers<FirstMessage>()
  const ended = Promise.withResolvers<void>()
  const sender = speakFrames(socket, behind, onBytes, {
    onMessage: (bytes) => first.resolve({ kind: 'message', bytes }),
    onEnd(found) {
      first.resolve(found)
      ended.resolve()
    },
  })
  return {
    send(text) {
      if (socket.writable) sender.send(text, { binary: false, fin: true, mask: true, compress: false })
    },
    firstMessage: () => first.promise,
    async close() {
      if (!socket.writable) return
      const over = Promise.withResolvers<void>()
      const timer = setTimeout(over.resolve, CLOSE_WAIT_MS)
      socket.once('close', over.resolve)
      sender.close(NORMAL, '', true, () => ended.promise.then(over.resolve))
      await over.promise
      clearTimeout(timer)
    },
  }
}

/** The bytes of all messages, one after the other, and why no more come; null while they may. */
export type WebSocketStream = { stream: Duplex; ended: () => Ended | null }

/**
 * Carries another protocol in binary messages. Each write becomes a message, and the end of the stream says that the connection closes. The
 * caller destroys the socket.
 */
export function streamOver(socket: Socket, behind: Buffer, onBytes: () => void): WebSocketStream {
  let ended: Ended | null = null
  const stream = new Duplex({
    read() {},
    write(bytes: Buffer, _, done) {
      if (socket.writable) sender.send(bytes, { binary: true, fin: true, mask: true, compress: false })
      done()
    },
    final(done) {
      if (socket.writable) sender.close(NORMAL, '', true, () => {})
      done()
    },
  })
  const sender = speakFrames(socket, behind, onBytes, {
    onMessage: (bytes) => void (ended === null && stream.push(bytes)),
    onEnd(found) {
      if (ended !== null) return
      ended = found
      if (found.kind === 'cut off' && found.error) stream.destroy(found.error)
      else stream.push(null)
    },
  })
  stream.on('error', () => {})
  return { stream, ended: () => ended }
}

/** Tells of each message, and of each reason why no more come: the first one holds. */
function speakFrames(
  socket: Socket,
  behind: Buffer,
  onBytes: () => void,
  { onMessage, onEnd }: { onMessage: (bytes: Buffer) => void; onEnd: (found: Ended) => void },
): Sender {
  const receiver = new Receiver({ maxPayload: MAX_MESSAGE_BYTES, isServer: false })
  const sender = new Sender(socket)
  let read = 0
  const cutOff = () => onEnd({ kind: 'cut off', error: socket.errored })
  // Before anything listens: it would be told of these bytes at once.
  if (behind.length > 0) socket.unshift(behind)
  receiver.on('message', onMessage)
  receiver.on('conclude', (code: number, reason: Buffer) =>
    onEnd({ kind: 'closed', code, reason: reason.toString() }),
  )
  receiver.on('ping', (data: Buffer) => {
    if (socket.writable && socket.writableLength <= MAX_UNREAD_BYTES) sender.pong(data, true)
  })
  receiver.on('error', (error: Error) => {
    const why = FAULTS[codeOf(error)]
    onEnd(why === undefined ? { kind: 'too large' } : { kind: 'invalid', why })
  })
  socket.on('data', (piece: Buffer) => {
    onBytes()
    read += piece.length
    if (read > MAX_READ_BYTES) {
      onEnd({ kind: 'too large' })
      socket.destroy()
    }
    // It is not after a frame that closes, or one that is wrong.
    else if (receiver.writable) receiver.write(piece)
  })
  socket.once('end', cutOff)
  socket.once('close', cutOff)
  if (socket.destroyed) cutOff()
  return sender
}
