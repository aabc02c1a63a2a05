import net from 'node:net'
import { readOddHead } from './odd-head.ts'

export const MAX_HEADER_BYTES = 64 * 1_024
const HTTP = 'HTTP'
const LF = 0x0a
const CR = 0x0d
const NOTHING = Buffer.alloc(0)
const SWITCHING_PROTOCOLS = 101
const STATUS = String.raw`(?-i:HTTP)/1\.[01] (?:101|[02-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?\r\n`
const FIELD = String.raw`(?!content-length:|transfer-encoding:)[\w!#$%&'*+.^\x60|~-]+:[\t\x20-\x7e\x80-\xff]*\r\n`
const LENGTH = String.raw`(?:content-length|transfer-encoding):[ \t]*(?:\d{1,15}|chunked)[ \t]*\r\n`
/** A head that nobody needs to look at twice: as RFC 9112 has it, with the length of its body said once, and no interim one. */
const CLEAN = new RegExp(`^${STATUS}(?:${FIELD})*(?:${LENGTH}(?:${FIELD})*)?\\r\\n`, 'i')
/** The heads of nearly all answers end within so many bytes. */
const USUAL_BYTES = 4_096
/** Node's parser takes answers of these for HTTP. */
const OTHER_PROTOCOL = /^(RTSP|ICE)\//
/** Every socket's, also that of TLS. */
const { push } = net.Socket.prototype
const READER = Symbol('reader')

/** The pieces of a head that is not complete, and where its lines are. */
type Reader = {
  pieces: Buffer[]
  bytes: number
  line: { isFirst: boolean; isEmpty: boolean }
  oddities: string[]
}
type ReadSocket = net.Socket & { [READER]?: Reader | null }

/**
 * Stands between a connection and Node's parser until the head of an answer has passed; returns the list of what was
 * wrong with it, which grows until then. A head that is as it should be, and whatever is no HTTP, passes as it is; an odd
 * one is written anew as browsers and curl read it. One that they refuse ends the connection with an error like the
 * parser's (`HPE_`, `reason`). Requests and our own server are as strict as ever.
 *
 * The functions are shared by all sockets: what a function of one socket holds would stay in memory (let-go.ts).
 */
export function readTolerantly(socket: net.Socket): readonly string[] {
  const reader: Reader = { ...emptyHead(), oddities: [] }
  // A server that speaks before it is asked is in the hands of Node already.
  if (socket.readableLength > 0) return reader.oddities
  ;(socket as ReadSocket)[READER] = reader
  socket.push = pushTolerantly
  return reader.oddities
}

function pushTolerantly(this: net.Socket, piece: Buffer | null): boolean {
  const reader = (this as ReadSocket)[READER]
  if (!reader) return push.call(this, piece)
  if (piece !== null) return read(this, reader, piece)
  if (reader.pieces.length > 0) passOn(this, reader, NOTHING)
  return push.call(this, null)
}

function read(socket: net.Socket, reader: Reader, piece: Buffer): boolean {
  if (reader.pieces.length === 0) {
    if (isClean(piece)) return passOn(socket, reader, piece)
    if (OTHER_PROTOCOL.test(piece.toString('latin1', 0, 5))) return refuse(socket, 'Expected HTTP/')
    if (!couldBeHttp(piece)) return passOn(socket, reader, piece)
  }
  const end = endOfHead(reader.line, piece)
  reader.bytes += end ?? piece.length
  if (end === null && reader.bytes <= MAX_HEADER_BYTES) {
    reader.pieces.push(piece)
    return true
  }
  // The parser says what is wrong with one that is too long.
  if (end === null || reader.bytes > MAX_HEADER_BYTES) return passOn(socket, reader, piece)
  const head = Buffer.concat([...reader.pieces, piece.subarray(0, end)])
  const result = readOddHead(head.toString('latin1'))
  if (result.kind === 'refused') return refuse(socket, result.why)
  reader.oddities.push(...result.oddities)
  reader.pieces = []
  const written = result.oddities.length > 0 ? Buffer.from(result.head, 'latin1') : head
  const all = Buffer.concat([written, piece.subarray(end)])
  return isInterim(result.statusCode)
    ? passInterim(socket, reader, all, written.length)
    : passOn(socket, reader, all)
}

/** Lets everything pass from here on. */
function passOn(socket: net.Socket, { pieces }: Reader, piece: Buffer): boolean {
  ;(socket as ReadSocket)[READER] = null
  socket.push = push
  return push.call(socket, pieces.length > 0 ? Buffer.concat([...pieces, piece]) : piece)
}

/** Passes an interim answer on (100 Continue, 103 Early Hints), and begins with the next head. */
function passInterim(socket: net.Socket, reader: Reader, piece: Buffer, headBytes: number): boolean {
  Object.assign(reader, emptyHead())
  const isWanted = push.call(socket, piece.subarray(0, headBytes))
  const rest = piece.subarray(headBytes)
  return rest.length > 0 ? read(socket, reader, rest) : isWanted
}

function refuse(socket: net.Socket, why: string): boolean {
  ;(socket as ReadSocket)[READER] = null
  socket.push = push
  socket.destroy(Object.assign(new Error(why), { code: 'HPE_INVALID_HEAD', reason: why }))
  return false
}

function emptyHead(): Omit<Reader, 'oddities'> {
  return { pieces: [], bytes: 0, line: { isFirst: true, isEmpty: true } }
}

/** Whether a piece begins with a whole clean head. */
function isClean(piece: Buffer): boolean {
  const beginsClean = (bytes: number) => CLEAN.test(piece.toString('latin1', 0, bytes))
  return beginsClean(USUAL_BYTES) || (piece.length > USUAL_BYTES && beginsClean(MAX_HEADER_BYTES))
}

function isInterim(statusCode: number): boolean {
  return statusCode >= 100 && statusCode < 200 && statusCode !== SWITCHING_PROTOCOLS
}

/** Whether the first bytes, but for empty lines, are those of a status line, in whatever case. */
function couldBeHttp(piece: Buffer): boolean {
  let from = 0
  while (piece[from] === CR || piece[from] === LF) from++
  return HTTP.startsWith(piece.toString('latin1', from, from + HTTP.length).toUpperCase())
}

/** Finds the byte behind the empty line that ends a head; empty lines before it are none of it. */
function endOfHead(line: Reader['line'], piece: Buffer): number | null {
  for (let at = 0; at < piece.length; at++) {
    const byte = piece[at]
    if (byte === LF) {
      if (line.isEmpty && !line.isFirst) return at + 1
      line.isEmpty = true
    } else if (byte !== CR) {
      line.isFirst = false
      line.isEmpty = false
    }
  }
  return null
}
