import { randomInt } from 'node:crypto'
import net from 'node:net'
import type { Answer, DecodedPacket, OptAnswer, Packet } from 'dns-packet'
import ipaddr from 'ipaddr.js'
import type { DnsRecordType } from '../../core/monitors/options/dns.ts'
import { printable } from './dns-records.ts'

/** Messages of the domain name system (RFC 1035; EDNS(0) by RFC 6891), by dns-packet, which is loaded for the first. */

const MAX_ID = 0xffff
/** Fits a packet on nearly every way (DNS flag day 2020). */
const UDP_PAYLOAD_BYTES = 1_232
const DNSSEC_OK = 1 << 15
const RECURSION_DESIRED = 1 << 8
const AUTHENTIC_DATA = 1 << 5

export type DnsQuestion = { name: string; type: DnsRecordType; wantsProof: boolean }

export type DnsAnswer = {
  /** As in the registry: NOERROR, NXDOMAIN, SERVFAIL. */
  code: string
  /** The rest did not fit: to be asked again over TCP. */
  isCut: boolean
  /** The server has verified it (AD). */
  isAuthentic: boolean
  /** Those of the type that was asked for, sorted, each on one line. */
  records: string[]
}

export type DnsMessages = {
  /** A question with an id of its own; null for a name that no message can hold. */
  write(question: DnsQuestion, options: { isPlain: boolean }): { id: number; bytes: Buffer } | null
  /** Null for what is no answer to this question. */
  read(bytes: Buffer, id: number, question: DnsQuestion): DnsAnswer | null
}

export async function openDnsMessages(): Promise<DnsMessages> {
  const { decode, encode } = await import('dns-packet')
  return {
    write({ name, type, wantsProof }, { isPlain }) {
      const id = randomInt(MAX_ID + 1)
      const packet: Packet = {
        ...{ type: 'query', id, flags: RECURSION_DESIRED | (wantsProof ? AUTHENTIC_DATA : 0) },
        questions: [{ type, name }],
        ...(!isPlain && { additionals: [extension(wantsProof)] }),
      }
      try {
        return { id, bytes: encode(packet) }
      } catch {
        return null
      }
    },
    read(bytes, id, question) {
      try {
        const packet = decode(bytes)
        return isAnswerTo(packet, id, question) ? meaningOf(packet, question.type) : null
      } catch {
        return null
      }
    },
  }
}

function extension(wantsProof: boolean): OptAnswer {
  return {
    ...{ type: 'OPT', name: '.', udpPayloadSize: UDP_PAYLOAD_BYTES, extendedRcode: 0, ednsVersion: 0 },
    ...{ flags: wantsProof ? DNSSEC_OK : 0, flag_do: wantsProof, options: [] },
  }
}

function isAnswerTo(packet: DecodedPacket, id: number, { name, type }: DnsQuestion): boolean {
  const [asked, ...others] = packet.questions ?? []
  if (packet.type !== 'response' || packet.id !== id || others.length > 0) return false
  // Servers that cannot read a question answer without it.
  return asked === undefined || (asked.type === type && canonical(asked.name) === canonical(name))
}

function meaningOf(packet: DecodedPacket, type: DnsRecordType): DnsAnswer {
  const { rcode } = packet as DecodedPacket & { rcode: string }
  const records = (packet.answers ?? []).flatMap((answer) => {
    const text = answer.type === type ? textOf(answer) : null
    return text === null ? [] : [printable(text)]
  })
  return {
    code: rcode,
    isCut: packet.flag_tc,
    isAuthentic: packet.flag_ad,
    records: [...new Set(records)].sort(),
  }
}

/** A record as zone files write it, without quotes; null for one that cannot be read. */
function textOf(answer: Answer): string | null {
  switch (answer.type) {
    case 'A':
      return net.isIPv4(answer.data) ? answer.data : null
    case 'AAAA':
      return net.isIPv6(answer.data) ? ipaddr.IPv6.parse(answer.data).toRFC5952String() : null
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return canonical(answer.data)
    case 'MX':
      return `${answer.data.preference ?? 0} ${canonical(answer.data.exchange)}`
    case 'SRV': {
      const { priority = 0, weight = 0, port, target } = answer.data
      return `${priority} ${weight} ${port} ${canonical(target)}`
    }
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = answer.data
      return [canonical(mname), canonical(rname), serial, refresh, retry, expire, minimum].join(' ')
    }
    case 'CAA': {
      const { flags = 0, tag, value } = answer.data
      return `${flags} ${tag} ${value.replace(/^"(.*)"$/, '$1')}`
    }
    case 'TXT': {
      const parts = Array.isArray(answer.data) ? answer.data : [answer.data]
      return Buffer.concat(parts.map((part) => Buffer.from(part))).toString('utf8')
    }
    default:
      return null
  }
}

/** Lower case, without the last dot; `.` is the root. */
function canonical(name: string): string {
  const lower = name.toLowerCase()
  return lower.length > 1 ? lower.replace(/\.$/, '') : lower || '.'
}
