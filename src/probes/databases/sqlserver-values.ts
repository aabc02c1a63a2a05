import { type Cursor, Garbled } from '../packets/cursor.ts'
import type { ValueKind } from './columns.ts'

/*
 * Values of SQL Server as text (MS-TDS, sections 2.2.5.4 to 2.2.5.6), of the types that queries of monitors give. Times are as the server
 * itself writes them.
 */

/** Reads the value of a column; null for NULL. */
export type ColumnReader = (row: Cursor) => string | null
/** `unread`: the name of a type that is not read. */
type Column = { kind: ValueKind; unread?: string; read: ColumnReader }
type Decode = (bytes: Buffer) => string

const DAY_MS = 86_400_000
/** From the year 1, and from 1900, to 1970. */
const DAYS_FROM_YEAR_1 = 719_162
const DAYS_FROM_1900 = 25_567
const TICKS_A_SECOND = 300
const PLP = 0xffff
const NULL_LENGTH = 0xffff
const PLP_NULL = 0xffff_ffff_ffff_ffffn
const UTF8_COLLATION = 0x0400_0000
const SIGN_BYTES = 1

/** Types of one length, by their byte. */
const FIXED: Record<number, [bytes: number, kind: ValueKind, decode: Decode]> = {
  48: [1, 'number', integerOf],
  50: [1, 'boolean', bitOf],
  52: [2, 'number', integerOf],
  56: [4, 'number', integerOf],
  127: [8, 'number', integerOf],
  59: [4, 'number', floatOf],
  62: [8, 'number', floatOf],
  60: [8, 'number', moneyOf],
  122: [4, 'number', moneyOf],
  58: [4, 'text', dateTimeOf],
  61: [8, 'text', dateTimeOf],
}
/** Types behind a length of one byte, 0 for NULL. */
const SHORT: Record<number, [kind: ValueKind, decode: Decode]> = {
  38: ['number', integerOf],
  104: ['boolean', bitOf],
  109: ['number', floatOf],
  110: ['number', moneyOf],
  111: ['text', dateTimeOf],
  36: ['text', guidOf],
}
const UNREAD: Record<number, string> = {
  34: 'image',
  35: 'text',
  98: 'sql_variant',
  99: 'ntext',
  240: 'of the CLR',
  241: 'xml',
  244: 'json',
}

/** The reader of a column, by the description of its type, which is read. */
export function readerIn(answer: Cursor): Column {
  const type = answer.byte()
  const fixed = FIXED[type]
  if (fixed) {
    const [bytes, kind, decode] = fixed
    return { kind, read: (row) => decode(row.take(bytes)) }
  }
  const short = SHORT[type]
  if (short) {
    answer.take(1)
    return { kind: short[0], read: behindByte(short[1]) }
  }
  switch (type) {
    case 0x1f:
      return { kind: 'text', read: () => null }
    case 0x6a:
    case 0x6c: {
      const [, , scale = 0] = answer.take(3)
      return { kind: 'number', read: behindByte((bytes) => decimalOf(bytes, scale)) }
    }
    case 0x28:
      return { kind: 'text', read: behindByte((bytes) => dateOf(bytes)) }
    case 0x29:
    case 0x2a:
    case 0x2b: {
      const scale = answer.byte()
      const decode = { 41: timeOf, 42: dateTime2Of, 43: dateTimeOffsetOf }[type]
      return { kind: 'text', read: behindByte((bytes) => decode(bytes, scale)) }
    }
    case 0xe7:
    case 0xef:
      return textColumn(answer, () => (bytes) => bytes.toString('utf16le'))
    case 0xa7:
    case 0xaf:
      return textColumn(answer, decoderOf)
    case 0xa5:
    case 0xad:
      return { kind: 'text', read: behindTwo(answer.uint16LE(), hexOf) }
    default:
      return { kind: 'text', unread: UNREAD[type] ?? `0x${type.toString(16)}`, read: () => null }
  }
}

function textColumn(answer: Cursor, decoder: (collation: number) => Decode): Column {
  const max = answer.uint16LE()
  const collation = answer.uint32LE()
  answer.take(1)
  return { kind: 'text', read: behindTwo(max, decoder(collation)) }
}

function behindByte(decode: Decode): ColumnReader {
  return (row) => {
    const length = row.byte()
    return length === 0 ? null : decode(row.take(length))
  }
}

/** Behind a length of two bytes, or in pieces where the type has no bound. */
function behindTwo(max: number, decode: Decode): ColumnReader {
  if (max === PLP) return (row) => inPieces(row, decode)
  return (row) => {
    const length = row.uint16LE()
    return length === NULL_LENGTH ? null : decode(row.take(length))
  }
}

function inPieces(row: Cursor, decode: Decode): string | null {
  if (row.uint64LE() === PLP_NULL) return null
  const pieces: Buffer[] = []
  for (let length = row.uint32LE(); length > 0; length = row.uint32LE()) pieces.push(row.take(length))
  return decode(Buffer.concat(pieces))
}

/** The smallest one knows no sign. */
function integerOf(bytes: Buffer): string {
  if (bytes.length === 1) return String(bytes[0])
  if (bytes.length === 8) return String(bytes.readBigInt64LE())
  if (bytes.length !== 2 && bytes.length !== 4) throw new Garbled()
  return String(bytes.readIntLE(0, bytes.length))
}

function bitOf(bytes: Buffer): string {
  return bytes[0] === 0 ? '0' : '1'
}

function floatOf(bytes: Buffer): string {
  if (bytes.length === 8) return String(bytes.readDoubleLE())
  if (bytes.length !== 4) throw new Garbled()
  // Digits that a number of four bytes has.
  return String(Number(bytes.readFloatLE().toPrecision(7)))
}

/** Ten thousandths; of the longer one the higher half is first. */
function moneyOf(bytes: Buffer): string {
  if (bytes.length === 4) return withPoint(BigInt(bytes.readInt32LE()), 4)
  if (bytes.length !== 8) throw new Garbled()
  return withPoint((BigInt(bytes.readInt32LE()) << 32n) | BigInt(bytes.readUInt32LE(4)), 4)
}

function decimalOf(bytes: Buffer, scale: number): string {
  const digits = littleEndian(bytes.subarray(SIGN_BYTES))
  return withPoint(bytes[0] === 0 ? -digits : digits, scale)
}

function withPoint(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const sign = value < 0n ? '-' : ''
  return sign + (scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`)
}

function littleEndian(bytes: Buffer): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex') || '0'}`)
}

/** Days from 1900 and parts of a day: minutes in the shorter form. */
function dateTimeOf(bytes: Buffer): string {
  if (bytes.length === 4) {
    const at = new Date((bytes.readUInt16LE() - DAYS_FROM_1900) * DAY_MS + bytes.readUInt16LE(2) * 60_000)
    return isoOf(at, 19)
  }
  if (bytes.length !== 8) throw new Garbled()
  const ms = Math.round((bytes.readUInt32LE(4) * 1_000) / TICKS_A_SECOND)
  return isoOf(new Date((bytes.readInt32LE() - DAYS_FROM_1900) * DAY_MS + ms), 23)
}

function dateOf(bytes: Buffer): string {
  return isoOf(dayOf(bytes), 10)
}

function dayOf(bytes: Buffer): Date {
  if (bytes.length !== 3) throw new Garbled()
  return new Date((bytes.readUIntLE(0, 3) - DAYS_FROM_YEAR_1) * DAY_MS)
}

/** The parts of a second that the scale says, since midnight. */
function timeOf(bytes: Buffer, scale: number): string {
  const unit = 10n ** BigInt(Math.min(scale, 7))
  const parts = littleEndian(bytes)
  const seconds = Number(parts / unit)
  const clock = isoOf(new Date(seconds * 1_000), 19).slice(11)
  return scale === 0 ? clock : `${clock}.${String(parts % unit).padStart(Math.min(scale, 7), '0')}`
}

function dateTime2Of(bytes: Buffer, scale: number): string {
  if (bytes.length < 3) throw new Garbled()
  return `${dateOf(bytes.subarray(-3))} ${timeOf(bytes.subarray(0, -3), scale)}`
}

/** In UTC, and the minutes by which the clock there differs. */
function dateTimeOffsetOf(bytes: Buffer, scale: number): string {
  if (bytes.length < 5) throw new Garbled()
  const minutes = bytes.readInt16LE(bytes.length - 2)
  const [clock = '', fraction] = timeOf(bytes.subarray(0, -5), scale).split('.')
  const utc = Date.parse(`1970-01-01T${clock}Z`) + dayOf(bytes.subarray(-5, -2)).getTime()
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const offset = `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
  const local = isoOf(new Date(utc + minutes * 60_000), 19)
  return `${local}${fraction === undefined ? '' : `.${fraction}`} ${offset}`
}

/** As SQL Server writes it: with a space, without a zone. */
function isoOf(at: Date, length: number): string {
  if (Number.isNaN(at.getTime())) throw new Garbled()
  return at.toISOString().replace('T', ' ').slice(0, length)
}

/** Its first three parts are turned round. */
function guidOf(bytes: Buffer): string {
  if (bytes.length !== 16) throw new Garbled()
  const turned = [bytes.subarray(0, 4), bytes.subarray(4, 6), bytes.subarray(6, 8)].map((part) =>
    Buffer.from(part).reverse().toString('hex'),
  )
  const parts = [...turned, bytes.toString('hex', 8, 10), bytes.toString('hex', 10)]
  return parts.join('-').toUpperCase()
}

function hexOf(bytes: Buffer): string {
  return `0x${bytes.toString('hex').toUpperCase()}`
}

/** Languages of collations whose texts have another code page than 1252, by the lower bits of their numbers (MS-LCID). */
const CODE_PAGES: Record<string, readonly number[]> = {
  'windows-1250': [0x05, 0x0e, 0x15, 0x18, 0x1a, 0x1b, 0x1c, 0x24],
  'windows-1251': [0x02, 0x19, 0x22, 0x23, 0x2f],
  'windows-1253': [0x08],
  'windows-1254': [0x1f, 0x2c],
  'windows-1255': [0x0d],
  'windows-1256': [0x01, 0x20, 0x29],
  'windows-1257': [0x25, 0x26, 0x27],
  'windows-1258': [0x2a],
  'windows-874': [0x1e],
  shift_jis: [0x11],
  'euc-kr': [0x12],
}
const SIMPLIFIED_CHINESE = [0x0804, 0x1004]
const CHINESE = 0x04

function decoderOf(collation: number): Decode {
  const language = collation & 0x3ff
  const other = Object.entries(CODE_PAGES).find(([, languages]) => languages.includes(language))?.[0]
  const chinese = SIMPLIFIED_CHINESE.includes(collation & 0xffff) ? 'gbk' : 'big5'
  const usual = language === CHINESE ? chinese : 'windows-1252'
  const decoder = new TextDecoder((collation & UTF8_COLLATION) !== 0 ? 'utf-8' : (other ?? usual))
  return (bytes) => decoder.decode(bytes)
}
