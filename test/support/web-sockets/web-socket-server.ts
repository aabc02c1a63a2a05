import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Scope } from '../scope.ts'
import type { ServerCertificate } from '../servers/certificates.ts'
import { startTcp, startTls, type Target } from '../servers/targets.ts'

/** RFC 6455, section 1.3. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const MASK_BYTES = 4
/** Lengths up to this one stand in the second byte. */
const MAX_SHORT = 125
const OF_TWO_BYTES = 126
const OF_EIGHT_BYTES = 127

export const OPCODES = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const
type Opcode = (typeof OPCODES)[keyof typeof OPCODES]

/** A frame that a client sent, without its mask. */
export type ClientFrame = { opcode: number; payload: Buffer }

/** The request of a handshake, as it came. */
export type Asked = { line: string; headers: Record<string, string> }

export type WebSocketServer = Target & {
  /** The requests, in their order. */
  asked: Asked[]
  /** The frames that all clients sent. */
  frames: ClientFrame[]
}

/** A conversation of a server: what it does once it was asked, and with each frame after that. */
export type Conversation = {
  /** It opens the connection as it should, by default. */
  onRequest?: (socket: Socket, asked: Asked) => void
  /** It says again what it was told, and closes when it is asked to, by default. */
  onFrame?: (socket: Socket, frame: ClientFrame) => void
}

/** Speaks as RFC 6455 says, or as a conversation has it. */
export async function startWebSocketServer(
  scope: Scope,
  { onRequest = opening(), onFrame = echo }: Conversation = {},
  certificate?: ServerCertificate,
): Promise<WebSocketServer> {
  const asked: Asked[] = []
  const frames: ClientFrame[] = []
  const take = (socket: Socket) => {
    let read = Buffer.alloc(0)
    let isOpen = false
    socket.on('data', (piece: Buffer) => {
      read = Buffer.concat([read, piece])
      if (!isOpen) {
        const end = read.indexOf('\r\n\r\n')
        if (end < 0) return
        const request = requestIn(read.toString('latin1', 0, end))
        read = read.subarray(end + '\r\n\r\n'.length)
        isOpen = true
        asked.push(request)
        onRequest(socket, request)
      }
      for (let found = frameIn(read); found; found = frameIn(read)) {
        read = read.subarray(found.bytes)
        frames.push(found.frame)
        onFrame(socket, found.frame)
      }
    })
  }
  const target = await (certificate ? startTls(scope, certificate, take) : startTcp(scope, take))
  return { ...target, asked, frames }
}

/** Opens the connection, with further headers, and says something at once. */
export function opening(
  headers: Record<string, string> = {},
  first: Buffer = Buffer.alloc(0),
): NonNullable<Conversation['onRequest']> {
  return (socket, asked) => socket.write(Buffer.concat([Buffer.from(openingHead(asked, headers)), first]))
}

export function openingHead(asked: Asked, headers: Record<string, string> = {}): string {
  const all = {
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Accept': acceptOf(asked),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`
}

export function acceptOf({ headers }: Asked): string {
  return createHash('sha1').update(`${headers['sec-websocket-key']}${GUID}`).digest('base64')
}

function echo(socket: Socket, { opcode, payload }: ClientFrame): void {
  if (opcode === OPCODES.close) socket.end(frameOf(OPCODES.close, payload))
  else if (opcode !== OPCODES.pong) socket.write(frameOf(opcode as Opcode, payload))
}

/** A frame of a server (RFC 6455, section 5.2). `isMasked`: as only those of clients are. */
export function frameOf(
  opcode: Opcode,
  content: Buffer | string = '',
  { isLast = true, isMasked = false }: { isLast?: boolean; isMasked?: boolean } = {},
): Buffer {
  const payload = Buffer.from(content)
  const mask = isMasked ? 0x80 : 0
  const first = (isLast ? 0x80 : 0) | opcode
  const head =
    payload.length <= MAX_SHORT
      ? Buffer.from([first, mask | payload.length])
      : payload.length <= 0xffff
        ? Buffer.from([first, mask | OF_TWO_BYTES, payload.length >> 8, payload.length & 0xff])
        : longHead(first, mask, payload.length)
  return Buffer.concat([head, Buffer.alloc(isMasked ? MASK_BYTES : 0), payload])
}

/** The head of a frame that says it has so many bytes. */
export function longHead(first: number, mask: number, length: number): Buffer {
  const head = Buffer.alloc(10)
  head[0] = first
  head[1] = mask | OF_EIGHT_BYTES
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

export function closeFrame(code: number, reason = ''): Buffer {
  const head = Buffer.alloc(2)
  head.writeUInt16BE(code)
  return frameOf(OPCODES.close, Buffer.concat([head, Buffer.from(reason)]))
}

function requestIn(head: string): Asked {
  const [line = '', ...lines] = head.split('\r\n')
  const headers = lines.map((one) => {
    const colon = one.indexOf(':')
    return [one.slice(0, colon).toLowerCase(), one.slice(colon + 1).trim()] as const
  })
  return { line, headers: Object.fromEntries(headers) }
}

/** The first whole frame of a client in what was read; null while it is not all there. */
function frameIn(read: Buffer): { frame: ClientFrame; bytes: number } | null {
  const [first = 0, second = 0] = read
  const short = second & 0x7f
  const headBytes = short === OF_EIGHT_BYTES ? 10 : short === OF_TWO_BYTES ? 4 : 2
  if (read.length < headBytes + MASK_BYTES) return null
  const length =
    short === OF_EIGHT_BYTES
      ? Number(read.readBigUInt64BE(2))
      : short === OF_TWO_BYTES
        ? read.readUInt16BE(2)
        : short
  const from = headBytes + MASK_BYTES
  if (read.length < from + length) return null
  if ((second & 0x80) === 0) throw new Error('a frame of a client has a mask')
  const mask = read.subarray(headBytes, from)
  const payload = Buffer.from(
    read.subarray(from, from + length).map((byte, at) => byte ^ (mask[at % MASK_BYTES] ?? 0)),
  )
  return { frame: { opcode: first & 0x0f, payload }, bytes: from + length }
}
