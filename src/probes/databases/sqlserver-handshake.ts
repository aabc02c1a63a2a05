import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/*
 * TLS as SQL Server begins it before version 8 of TDS: its handshake stands in packets of the type PRELOGIN, and nothing behind it does
 * (MS-TDS, section 3.2.5.2). The types of records of TLS (RFC 5246, section 6.2.1) tell the one from the other.
 */

export const PRELOGIN = 0x12
const REPLY = 0x04
const LAST_OF_MESSAGE = 1
export const HEAD_BYTES = 8
/** The length of one packet, with its head. */
export const MAX_PACKET_BYTES = 4_096

const RECORD_HEAD_BYTES = 5
const FIRST_RECORD = 0x14
const APPLICATION_DATA = 0x17

/** A packet of TDS. */
export function packetOf(type: number, body: Uint8Array, isLast = true): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head[0] = type
  head[1] = isLast ? LAST_OF_MESSAGE : 0
  head.writeUInt16BE(HEAD_BYTES + body.length, 2)
  head[6] = 1
  return Buffer.concat([head, body])
}

/** A message in as many packets as it needs. */
export function packetsOf(type: number, body: Uint8Array): Buffer {
  const size = MAX_PACKET_BYTES - HEAD_BYTES
  const packets: Buffer[] = []
  for (let at = 0; at === 0 || at < body.length; at += size)
    packets.push(packetOf(type, body.subarray(at, at + size), at + size >= body.length))
  return Buffer.concat(packets)
}

/** Carries a handshake in packets over a connection, and what follows as it is. Closes with the connection. */
export function carryHandshake(raw: Socket): Duplex {
  const wrap = createWrapper()
  const unwrap = createUnwrapper()
  const carried = new Duplex({
    read: () => void raw.resume(),
    write(piece: Buffer, _encoding, done) {
      raw.write(wrap(piece), (error) => done(error))
    },
    final(done) {
      raw.end(() => done())
    },
    destroy(error, done) {
      raw.destroy()
      done(error)
    },
  })
  raw.on('data', (piece: Buffer) => {
    const plain = unwrap(piece)
    if (plain === null) raw.destroy()
    else if (plain.length > 0 && !carried.push(plain)) raw.pause()
  })
  raw.once('end', () => carried.push(null))
  raw.once('close', () => carried.destroy(raw.errored ?? undefined))
  raw.on('error', ignore)
  // The owner above hears of it by other ways as well, and may have gone.
  carried.on('error', ignore)
  return carried
}

function ignore() {}

/** Gives records of TLS the heads of packets, up to the first one of data. */
function createWrapper(): (piece: Buffer) => Buffer {
  let held: Buffer = Buffer.alloc(0)
  let isOver = false
  return (piece) => {
    if (isOver) return piece
    held = Buffer.concat([held, piece])
    let end = 0
    while (held.length - end >= RECORD_HEAD_BYTES && held[end] !== APPLICATION_DATA) {
      const next = end + RECORD_HEAD_BYTES + held.readUInt16BE(end + 3)
      if (next > held.length) break
      end = next
    }
    isOver = held[end] === APPLICATION_DATA
    const [records, rest] = [held.subarray(0, end), held.subarray(end)]
    held = isOver ? Buffer.alloc(0) : rest
    const wrapped = end === 0 ? Buffer.alloc(0) : packetsOf(PRELOGIN, records)
    return isOver ? Buffer.concat([wrapped, rest]) : wrapped
  }
}

/** Takes the heads of packets away, up to the first record without one. Null for what is neither. */
function createUnwrapper(): (piece: Buffer) => Buffer | null {
  let held: Buffer = Buffer.alloc(0)
  let isOver = false
  return (piece) => {
    if (isOver) return piece
    held = Buffer.concat([held, piece])
    const bodies: Buffer[] = []
    for (;;) {
      const [type] = held
      if (type !== undefined && type >= FIRST_RECORD && type <= APPLICATION_DATA) {
        isOver = true
        bodies.push(held)
        break
      }
      if (type !== undefined && type !== PRELOGIN && type !== REPLY) return null
      const length = held.length < HEAD_BYTES ? Number.POSITIVE_INFINITY : held.readUInt16BE(2)
      if (length < HEAD_BYTES) return null
      if (held.length < length) break
      bodies.push(held.subarray(HEAD_BYTES, length))
      held = held.subarray(length)
    }
    return Buffer.concat(bodies)
  }
}
