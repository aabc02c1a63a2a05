import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { Cursor, Garbled } from '../packets/cursor.ts'
import type { BrokerMessage } from './broker.ts'
import { i16, i32, i64, u8, u32 } from './fields.ts'

const MAGIC = 2
const MAX_UNPACKED_BYTES = 4 * 1_024 * 1_024
const PACKING = 0x07
const OF_CONTROL = 0x20
/** The compressions by their numbers; null for those that are not read here. */
const PACKINGS: Record<number, { name: string; unpack: ((bytes: Buffer) => Buffer) | null }> = {
  1: { name: 'gzip', unpack: (bytes) => gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }) },
  2: { name: 'snappy', unpack: null },
  3: { name: 'lz4', unpack: null },
  4: { name: 'zstd', unpack: (bytes) => zstdDecompressSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }) },
}

/** A batch of one record without a key (record batch, version 2). */
export function batchOf(value: Buffer, at: number): Buffer {
  const body = Buffer.concat([
    u8(0),
    varint(0),
    varint(0),
    varint(-1),
    varint(value.length),
    value,
    varint(0),
  ])
  const record = Buffer.concat([varint(body.length), body])
  const [time, nobody] = [i64(BigInt(at)), [i64(-1n), i16(-1), i32(-1)]]
  const checked = Buffer.concat([i16(0), i32(0), time, time, ...nobody, i32(1), record])
  const rest = Buffer.concat([i32(-1), u8(MAGIC), u32(crc32c(checked)), checked])
  return Buffer.concat([i64(0n), i32(rest.length), rest])
}

export type KafkaRecords = { messages: BrokerMessage[]; next: bigint }

/** The messages of record batches from an offset on, and the offset behind them. A batch that is cut off is left out. */
export function messagesIn(bytes: Buffer, from: bigint): KafkaRecords {
  const messages: BrokerMessage[] = []
  let next = from
  for (let at = 0; at + 12 <= bytes.length; ) {
    const head = new Cursor(bytes.subarray(at))
    const base = head.int64()
    const length = head.int32()
    if (length < 0) throw new Garbled()
    if (head.left < length) break
    const batch = readBatch(new Cursor(head.take(length)), base, from)
    messages.push(...batch.messages)
    if (batch.next > next) next = batch.next
    at += 12 + length
  }
  return { messages, next }
}

function readBatch(fields: Cursor, base: bigint, from: bigint): KafkaRecords {
  fields.int32()
  if (fields.byte() !== MAGIC) throw new Garbled()
  fields.uint32()
  const attributes = fields.uint16()
  const next = base + BigInt(fields.int32()) + 1n
  fields.take(8 + 8 + 8 + 2 + 4)
  const count = fields.int32()
  if ((attributes & OF_CONTROL) !== 0) return { messages: [], next }
  const packing = PACKINGS[attributes & PACKING]
  if (packing?.unpack === null)
    return { messages: [{ bytes: Buffer.alloc(0), packedBy: packing.name }], next }
  const records = new Cursor(unpacked(fields.rest(), packing?.unpack))
  const messages: BrokerMessage[] = []
  for (let index = 0; index < count; index++) {
    const record = new Cursor(records.take(readVarint(records)))
    record.byte()
    readVarint(record)
    const offset = base + BigInt(readVarint(record))
    record.take(Math.max(0, readVarint(record)))
    const value = record.take(Math.max(0, readVarint(record)))
    if (offset >= from) messages.push({ bytes: value })
  }
  return { messages, next }
}

function unpacked(bytes: Buffer, unpack: ((bytes: Buffer) => Buffer) | undefined): Buffer {
  if (!unpack) return bytes
  try {
    return unpack(bytes)
  } catch {
    throw new Garbled()
  }
}

/** Zigzag, seven bits a byte. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = BigInt(value) >= 0n ? BigInt(value) * 2n : -BigInt(value) * 2n - 1n
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0))
    rest >>= 7n
  } while (rest > 0n)
  return Buffer.from(bytes)
}

const MAX_VARINT_BYTES = 10

/** Numbers too large to be exact are times, which nothing reads. */
function readVarint(fields: Cursor): number {
  let value = 0n
  for (let at = 0n; at < MAX_VARINT_BYTES; at++) {
    const byte = fields.byte()
    value |= BigInt(byte & 0x7f) << (7n * at)
    if (byte < 0x80) return Number(value & 1n ? -(value + 1n) / 2n : value / 2n)
  }
  throw new Garbled()
}

const POLYNOMIAL = 0x82f63b78

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0)
  return crc
})

/** CRC-32C (RFC 3720, appendix B.4); that of Node is of another polynomial. */
export function crc32c(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
