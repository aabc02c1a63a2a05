import { DEFAULT_COMMUNITY } from '../../core/monitors/options/protocols/snmp.ts'
import * as ber from './ber.ts'
import type { Current, Dialogue, PacketProtocol } from './by-packets.ts'
import { Cursor, Garbled } from './cursor.ts'
import { PDUS, questionOf } from './snmp-question.ts'
import { beginSecured } from './snmp-usm.ts'

const VERSIONS = { '1': 0, '2c': 1 } as const

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
