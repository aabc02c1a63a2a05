import { randomInt } from 'node:crypto'
import { snmpError, snmpMissing } from '../../core/monitors/types/causes.ts'
import * as ber from './ber.ts'
import type { Understood } from './by-packets.ts'
import type { Cursor } from './cursor.ts'

export const PDUS = { get: 0xa0, response: 0xa2, report: 0xa8 }
const MAX_ID = 2 ** 31 - 1

/** Tags of values (RFC 2578, section 7.1; RFC 3416, section 3). */
const VALUES = { address: 0x40, counter: 0x41, gauge: 0x42, ticks: 0x43, opaque: 0x44, counter64: 0x46 }
const UNSIGNED = new Set<number>([VALUES.counter, VALUES.gauge, VALUES.ticks, VALUES.counter64])
/** There is no such object or instance, or the end of all. */
const MISSING = new Set([0x80, 0x81, 0x82])
const NO_SUCH_NAME = 2

/** The names of errors, by their numbers (RFC 3416, section 3). */
const ERRORS = [
  ...['noError', 'tooBig', 'noSuchName', 'badValue', 'readOnly', 'genErr', 'noAccess', 'wrongType'],
  ...['wrongLength', 'wrongEncoding', 'wrongValue', 'noCreation', 'inconsistentValue', 'resourceUnavailable'],
  ...['commitFailed', 'undoFailed', 'authorizationError', 'notWritable', 'inconsistentName'],
]

export type SnmpQuestion = {
  pdu: Buffer
  /** The answer to the question, within a PDU; null for that to another one. */
  read: (pdu: Cursor) => Understood | null
}

/** Asks for the value of one object. */
export function questionOf(oid: string): SnmpQuestion {
  const id = randomInt(1, MAX_ID)
  const variable = ber.encode(ber.TAGS.sequence, ber.encodeOid(oid), ber.encode(ber.TAGS.null))
  const pdu = ber.encode(
    PDUS.get,
    ...[id, 0, 0].map((number) => ber.encodeInteger(number)),
    ber.encode(ber.TAGS.sequence, variable),
  )
  return {
    pdu,
    read: (answer) => {
      if (ber.integerIn(ber.expect(answer, ber.TAGS.integer)) !== BigInt(id)) return null
      const error = Number(ber.integerIn(ber.expect(answer, ber.TAGS.integer)))
      ber.expect(answer, ber.TAGS.integer)
      // Version 1 says it in this way, others by the tag of the value.
      if (error === NO_SUCH_NAME) return { fault: snmpMissing(oid) }
      if (error !== 0) return { fault: snmpError(error, ERRORS[error] ?? 'unknown') }
      const first = ber.enter(ber.enter(answer))
      ber.expect(first, ber.TAGS.oid)
      const { tag, value } = ber.read(first)
      if (MISSING.has(tag)) return { fault: snmpMissing(oid) }
      const text = textOf(tag, value)
      return { fault: null, read: { answer: text } }
    },
  }
}

/** Numbers as digits; texts as they are, or as pairs of hexadecimal digits where they are none. */
function textOf(tag: number, value: Buffer): string {
  if (tag === ber.TAGS.integer) return String(ber.integerIn(value))
  if (UNSIGNED.has(tag)) return String(ber.unsignedIn(value))
  if (tag === ber.TAGS.oid) return ber.oidIn(value)
  if (tag === ber.TAGS.null) return ''
  if (tag === VALUES.address) return [...value].join('.')
  const text = value.toString()
  const isText = Buffer.from(text).equals(value) && !/[^\P{Cc}\t\r\n]/u.test(text)
  return isText ? text : (value.toString('hex').match(/../g) ?? []).join(':')
}
