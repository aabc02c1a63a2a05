import type { JsonNode } from '../../core/expectations/json-path.ts'
import { written } from '../brokers/fields.ts'
import { Cursor, Garbled } from '../packets/cursor.ts'

/*
 * Documents of BSON (bsonspec.org, version 1.1), read as relaxed Extended JSON ("Extended JSON", version 2, of the specifications of MongoDB's
 * drivers) and written from it. Numbers of 64 bits that JavaScript would round are read as `$numberLong`.
 */

export type JsonDocument = { [key: string]: JsonNode }

/** Servers take and give no documents that are nested more deeply. */
const MAX_DEPTH = 100
const LENGTH_BYTES = 4
const OBJECT_ID_BYTES = 12
/** Until the year 9999: later ones, and those before 1970, are no dates of relaxed JSON. */
const MAX_DATE = 253_402_300_799_999n
const INT32_MAX = 0x7fff_ffff
const INT32_MIN = -0x8000_0000

/** Types of elements, by their bytes. */
const DOUBLE = 0x01
const STRING = 0x02
const DOCUMENT = 0x03
const ARRAY = 0x04
const BINARY = 0x05
const OBJECT_ID = 0x07
const BOOLEAN = 0x08
const DATE = 0x09
const NULL = 0x0a
const INT32 = 0x10
const INT64 = 0x12

/** The document at the cursor. Throws `Garbled`. */
export function documentIn(cursor: Cursor): JsonDocument {
  return Object.fromEntries(elementsIn(cursor, 0))
}

function elementsIn(cursor: Cursor, depth: number): [string, JsonNode][] {
  if (depth > MAX_DEPTH) throw new Garbled()
  const body = new Cursor(cursor.take(cursor.int32LE() - LENGTH_BYTES))
  const elements: [string, JsonNode][] = []
  for (let type = body.byte(); type !== 0; type = body.byte()) {
    const name = body.text()
    elements.push([name, valueIn(type, body, depth)])
  }
  if (body.left > 0) throw new Garbled()
  return elements
}

function valueIn(type: number, body: Cursor, depth: number): JsonNode {
  switch (type) {
    case DOUBLE:
      return doubleOf(body.take(8).readDoubleLE())
    case STRING:
      return stringIn(body)
    case DOCUMENT:
      return Object.fromEntries(elementsIn(body, depth + 1))
    case ARRAY:
      return elementsIn(body, depth + 1).map(([, value]) => value)
    case BINARY: {
      const length = body.int32LE()
      const subType = body.byte().toString(16).padStart(2, '0')
      return { $binary: { base64: body.take(length).toString('base64'), subType } }
    }
    case OBJECT_ID:
      return objectIdIn(body)
    case BOOLEAN:
      return body.byte() !== 0
    case DATE:
      return dateOf(body.int64LE())
    case NULL:
      return null
    case INT32:
      return body.int32LE()
    case INT64:
      return longOf(body.int64LE())
    default:
      return rareValueOf(type, body, depth)
  }
}

/** Types that few documents have, some of them no longer. */
function rareValueOf(type: number, body: Cursor, depth: number): JsonNode {
  switch (type) {
    case 0x06:
      return { $undefined: true }
    case 0x0b:
      return { $regularExpression: { pattern: body.text(), options: body.text() } }
    case 0x0c:
      return { $dbPointer: { $ref: stringIn(body), $id: objectIdIn(body) } }
    case 0x0d:
      return { $code: stringIn(body) }
    case 0x0e:
      return { $symbol: stringIn(body) }
    case 0x0f:
      // The length of all.
      body.int32LE()
      return { $code: stringIn(body), $scope: Object.fromEntries(elementsIn(body, depth + 1)) }
    case 0x11: {
      const i = body.uint32LE()
      return { $timestamp: { t: body.uint32LE(), i } }
    }
    case 0x13: {
      const low = body.uint64LE()
      return { $numberDecimal: decimalOf(body.uint64LE(), low) }
    }
    case 0x7f:
      return { $maxKey: 1 }
    case 0xff:
      return { $minKey: 1 }
    default:
      throw new Garbled()
  }
}

/** Text behind its length, which counts the NUL at its end. */
function stringIn(body: Cursor): string {
  const bytes = body.take(body.int32LE())
  if (bytes.at(-1) !== 0) throw new Garbled()
  return bytes.toString('utf8', 0, bytes.length - 1)
}

function objectIdIn(body: Cursor): JsonDocument {
  return { $oid: body.take(OBJECT_ID_BYTES).toString('hex') }
}

function doubleOf(value: number): JsonNode {
  return Number.isFinite(value) ? value : { $numberDouble: String(value) }
}

function longOf(value: bigint): JsonNode {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : { $numberLong: String(value) }
}

function dateOf(ms: bigint): JsonDocument {
  if (ms < 0n || ms > MAX_DATE) return { $date: { $numberLong: String(ms) } }
  return { $date: new Date(Number(ms)).toISOString().replace('.000Z', 'Z') }
}

/** A number of 34 decimal digits (IEEE 754-2008, decimal128, with its digits as a binary number), as the specification "Decimal128" writes it. */
function decimalOf(high: bigint, low: bigint): string {
  const sign = high >> 63n === 1n ? '-' : ''
  const combination = (high >> 58n) & 0x1fn
  if (combination === 0x1fn) return 'NaN'
  if (combination === 0x1en) return `${sign}Infinity`
  // The other form has more digits than are allowed, which counts as 0.
  const isWide = combination >> 3n === 3n
  const exponent = Number((high >> (isWide ? 47n : 49n)) & 0x3fffn) - 6_176
  const whole = isWide ? 0n : ((high & 0x1_ffff_ffff_ffffn) << 64n) | low
  const digits = String(whole < 10n ** 34n ? whole : 0n)
  const scientific = exponent + digits.length - 1
  if (exponent > 0 || scientific < -6) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
    return `${sign}${digits[0]}${fraction}E${scientific < 0 ? '' : '+'}${scientific}`
  }
  if (exponent === 0) return sign + digits
  const padded = digits.padStart(1 - exponent, '0')
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`
}

/** A document as bytes. Values that Extended JSON wraps are written as their BSON types, as far as questions need them. */
export function bsonOf(document: JsonDocument): Buffer {
  return framed(Object.entries(document))
}

function framed(entries: readonly [string, JsonNode][]): Buffer {
  const elements = entries.map(([name, value]) => elementOf(name, value))
  const body = Buffer.concat([...elements, Buffer.of(0)])
  return Buffer.concat([int32(body.length + LENGTH_BYTES), body])
}

function elementOf(name: string, value: JsonNode): Buffer {
  const [type, bytes] = bytesOf(value)
  return Buffer.concat([Buffer.of(type), nameOf(name), bytes])
}

/** Without NUL, which ends it: the rest would be read as its value. */
function nameOf(name: string): Buffer {
  return Buffer.from(`${name.replaceAll('\0', '')}\0`)
}

function bytesOf(value: JsonNode): [type: number, bytes: Buffer] {
  if (value === null || value === undefined) return [NULL, Buffer.alloc(0)]
  if (typeof value === 'string') return [STRING, string(value)]
  if (typeof value === 'boolean') return [BOOLEAN, Buffer.of(Number(value))]
  if (typeof value === 'number') return numberOf(value)
  if (Array.isArray(value)) return [ARRAY, framed(value.map((one, index) => [String(index), one]))]
  return wrappedIn(value) ?? [DOCUMENT, bsonOf(value)]
}

function numberOf(value: number): [number, Buffer] {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return [DOUBLE, double(value)]
  return value <= INT32_MAX && value >= INT32_MIN ? [INT32, int32(value)] : [INT64, int64(BigInt(value))]
}

/** The value that an object of Extended JSON stands for; null for another object. */
function wrappedIn(value: JsonDocument): [number, Buffer] | null {
  const [key = '', ...others] = Object.keys(value)
  const inner = value[key]
  if (others.length > 0 || inner === undefined || inner === null) return null
  if (key === '$oid' && typeof inner === 'string' && /^[0-9a-f]{24}$/i.test(inner))
    return [OBJECT_ID, Buffer.from(inner, 'hex')]
  if (key === '$numberInt' && isInteger(inner)) return [INT32, int32(Number(inner) | 0)]
  if (key === '$numberLong' && isInteger(inner)) return [INT64, int64(BigInt.asIntN(64, BigInt(inner)))]
  if (key === '$numberDouble' && typeof inner === 'string') return [DOUBLE, double(Number(inner))]
  if (key === '$date') return dateIn(inner)
  return key === '$binary' ? binaryIn(inner) : null
}

function isInteger(value: JsonNode): value is string {
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value)
}

function dateIn(value: JsonNode): [number, Buffer] | null {
  const long =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value.$numberLong : undefined
  if (long !== undefined && isInteger(long)) return [DATE, int64(BigInt.asIntN(64, BigInt(long)))]
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? null : [DATE, int64(BigInt(ms))]
}

function binaryIn(value: JsonNode): [number, Buffer] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const { base64, subType } = value
  if (typeof base64 !== 'string' || typeof subType !== 'string' || !/^[0-9a-f]{1,2}$/i.test(subType))
    return null
  const bytes = Buffer.from(base64, 'base64')
  return [BINARY, Buffer.concat([int32(bytes.length), Buffer.from(subType.padStart(2, '0'), 'hex'), bytes])]
}

function string(value: string): Buffer {
  const bytes = Buffer.from(`${value}\0`)
  return Buffer.concat([int32(bytes.length), bytes])
}

export const int32 = (value: number) => written(4, (bytes) => bytes.writeInt32LE(value))
const int64 = (value: bigint) => written(8, (bytes) => bytes.writeBigInt64LE(value))
const double = (value: number) => written(8, (bytes) => bytes.writeDoubleLE(value))
