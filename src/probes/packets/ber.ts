import { Cursor, Garbled } from './cursor.ts'

/** Tags of the Basic Encoding Rules (X.690) that LDAP and SNMP share. */
export const TAGS = { integer: 0x02, octets: 0x04, null: 0x05, oid: 0x06, enumerated: 0x0a, sequence: 0x30 }

const SHORT_LENGTH = 0x80
const MAX_LENGTH_BYTES = 4
const HIGH_BIT = 0x80
const BITS = 7
const ARCS_OF_FIRST = 40

export type Element = { tag: number; value: Buffer }

export function encode(tag: number, ...parts: readonly (Uint8Array | string)[]): Buffer {
  const value = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  return Buffer.concat([Buffer.from([tag]), lengthOf(value.length), value])
}

function lengthOf(length: number): Buffer {
  if (length < SHORT_LENGTH) return Buffer.from([length])
  const bytes = bytesOf(BigInt(length))
  return Buffer.from([SHORT_LENGTH | bytes.length, ...bytes])
}

function bytesOf(value: bigint): number[] {
  const bytes: number[] = []
  for (let left = value; left > 0n; left >>= 8n) bytes.unshift(Number(left & 0xffn))
  return bytes
}

/** A whole number that is not negative. */
export function encodeInteger(value: number, tag = TAGS.integer): Buffer {
  const bytes = bytesOf(BigInt(value))
  // A leading bit would be a sign.
  if (bytes.length === 0 || (bytes[0] ?? 0) >= HIGH_BIT) bytes.unshift(0)
  return encode(tag, Uint8Array.from(bytes))
}

/** `text`: numbers separated by dots, at least two. */
export function encodeOid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const arcs = [first * ARCS_OF_FIRST + second, ...rest].flatMap((arc) => {
    const bytes = [arc % HIGH_BIT]
    for (let left = Math.floor(arc / HIGH_BIT); left > 0; left = Math.floor(left / HIGH_BIT))
      bytes.unshift((left % HIGH_BIT) | HIGH_BIT)
    return bytes
  })
  return encode(TAGS.oid, Uint8Array.from(arcs))
}

/** Throws `Garbled` where there is none. */
export function read(cursor: Cursor): Element {
  const tag = cursor.byte()
  const first = cursor.byte()
  let length = first
  if (first >= SHORT_LENGTH) {
    const count = first & ~SHORT_LENGTH
    if (count === 0 || count > MAX_LENGTH_BYTES) throw new Garbled('no length')
    length = cursor.take(count).readUIntBE(0, count)
  }
  return { tag, value: cursor.take(length) }
}

/** The next element, which has this tag. */
export function expect(cursor: Cursor, tag: number): Buffer {
  const element = read(cursor)
  if (element.tag !== tag) throw new Garbled('another tag')
  return element.value
}

/** Like `expect`, of an element that has others in it. */
export function enter(cursor: Cursor, tag: number = TAGS.sequence): Cursor {
  return new Cursor(expect(cursor, tag))
}

/** The elements in one. */
export function* within(value: Buffer): Generator<Element> {
  const cursor = new Cursor(value)
  while (cursor.left > 0) yield read(cursor)
}

/** A whole number, which may be negative. */
export function integerIn(value: Buffer): bigint {
  if (value.length === 0) throw new Garbled('no digits')
  const unsigned = unsignedIn(value)
  const isNegative = (value[0] ?? 0) >= HIGH_BIT
  return isNegative ? unsigned - (1n << BigInt(value.length * 8)) : unsigned
}

export function unsignedIn(value: Buffer): bigint {
  return value.length === 0 ? 0n : BigInt(`0x${value.toString('hex')}`)
}

export function oidIn(value: Buffer): string {
  const arcs: bigint[] = []
  let arc = 0n
  for (const byte of value) {
    arc = (arc << BigInt(BITS)) | BigInt(byte & ~HIGH_BIT)
    if (byte >= HIGH_BIT) continue
    arcs.push(arc)
    arc = 0n
  }
  const [joined = 0n, ...rest] = arcs
  const first = joined < 40n ? 0n : joined < 80n ? 1n : 2n
  return [first, joined - first * BigInt(ARCS_OF_FIRST), ...rest].join('.')
}

/** The length of the element that the bytes begin with, with its head; null while that is not known. Throws `Garbled`. */
export function wholeLength(bytes: Buffer, tag: number): number | null {
  if (bytes.length > 0 && bytes[0] !== tag) throw new Garbled('another tag')
  const first = bytes[1]
  if (first === undefined) return null
  if (first < SHORT_LENGTH) return 2 + first
  const count = first & ~SHORT_LENGTH
  if (count === 0 || count > MAX_LENGTH_BYTES) throw new Garbled('no length')
  return bytes.length < 2 + count ? null : 2 + count + bytes.readUIntBE(2, count)
}
