import { randomInt } from 'node:crypto'
import { DEFAULT_COMMUNITY } from '../../core/monitors/options/protocols/snmp.ts'
import { snmpError, snmpMissing } from '../../core/monitors/types/causes.ts'
import * as ber from './ber.ts'
import type { Current, Dialogue, Found, PacketProtocol } from './by-packets.ts'
import { Cursor, Garbled } from './cursor.ts'
import { beginSecured } from './snmp-usm.ts'

export const PDUS = { get: 0xa0, response: 0xa2, report: 0xa8 }
const VERSIONS = { '1': 0, '2c': 1 } as const
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

/** RFC 3416 with the messages of versions 1 (RFC 1157), 2c (RFC 1901) and 3 (RFC 3412 and 3414). */
export const SNMP: PacketProtocol<'snmp'> = {
  name: 'SNMP',
  begin: (current) => {
    const version = current.settings.options?.snmp_version ?? '2c'
    return version === '3' ? beginSecured(current) : beginWithCommunity(current, VERSIONS[version])
  },
}

function beginWithCommunity(current: Current<'snmp'>, version: number): Dialogue {
  const { options } = current.settings
  const community = options?.community ?? DEFAULT_COMMUNITY
  if (options?.community !== undefined) current.secrets.push(community)
  const question = questionOf(options?.oid ?? '')
  const packet = ber.encode(
    ber.TAGS.sequence,
    ber.encodeInteger(version),
    ber.encode(ber.TAGS.octets, community),
    question.pdu,
  )
  return {
    packet,
    read: (bytes) => {
      const message = ber.enter(new Cursor(bytes))
      if (ber.integerIn(ber.expect(message, ber.TAGS.integer)) !== BigInt(version))
        throw new Garbled('version')
      ber.expect(message, ber.TAGS.octets)
      const found = question.read(ber.enter(message, PDUS.response))
      return found && { answer: found }
    },
  }
}

export type Question = {
  pdu: Buffer
  /** The answer to the question, within a PDU; null for that to another one. */
  read: (pdu: Cursor) => Found | null
}

/** Asks for the value of one object. */
export function questionOf(oid: string): Question {
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
