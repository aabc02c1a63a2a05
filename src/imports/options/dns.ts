import type { Assertion } from '../../core/expectations/assertion.ts'
import { type Said, said } from '../../core/language/said.ts'
import { addressAndPort } from '../../core/monitors/cause.ts'
import { readResolver } from '../../core/monitors/options/connection.ts'
import { DNS_PORTS, DNS_RECORD_TYPES, type DnsRecordType } from '../../core/monitors/options/dns.ts'
import type { SentOptions } from '../../core/monitors/options/monitor-options.ts'
import { escaped, expect } from '../expectations.ts'

/** A question of another service to a name server. */
export type OldQuestion = {
  /** As it stands there: `MX`. */
  recordType: string
  /** Those that it asks, one of them at a time: addresses, with a port or without. */
  servers: readonly string[]
  port?: number | null
}

export function isRecordType(text: string): text is DnsRecordType {
  return (DNS_RECORD_TYPES as readonly string[]).includes(text)
}

/** The options of a monitor that asks the same. A server that it cannot ask is said. */
export function fittedQuestion({ recordType, servers, port }: OldQuestion, notes: Said[]): SentOptions {
  const known = servers.flatMap((server) => readResolver(server, port ?? DNS_PORTS.udp) ?? [])
  const [first] = known
  if (servers.length > 0 && !first)
    notes.push(said('asked a name server by its name: here checks use those of the machine'))
  if (first && servers.length > 1)
    notes.push(
      said('asked several name servers: here it asks the first, {address}', { address: first.address }),
    )
  const isUsual = first?.port === DNS_PORTS.udp
  return {
    record_type: isRecordType(recordType) && recordType !== 'A' ? recordType : null,
    resolver: first ? (isUsual ? first.address : addressAndPort(first.address, first.port)) : null,
  }
}

/** The ways in which a record is looked for there: it is like this, or like this in a part of it. */
export type RecordLook = 'equals' | 'contains' | 'starts_with' | 'ends_with'

/** Other services compare a part of the record; here it has more before and behind that. */
const AROUND: Partial<Record<string, readonly [before: string, behind: string]>> = {
  MX: ['\\d+ ', ''],
  SRV: ['\\d+ \\d+ \\d+ ', ''],
  CAA: ['\\d+ issue ', ''],
  SOA: ['', ' .*'],
}
/** Records of texts; the others are names and addresses, in lower case and without the last dot. */
const TEXTS = new Set(['TXT', 'CAA'])

/** An assertion that one of the records looks like one of the texts, which may be all of a record; null for one that no monitor can have. */
export function expectRecord(
  recordType: string,
  look: RecordLook,
  texts: readonly string[],
): Assertion | null {
  const [before, behind] = AROUND[recordType] ?? ['', '']
  const isWhole = texts.every((text) => before + behind !== '' && /\S\s+\S/.test(text))
  const values = texts.map((text) =>
    escaped(TEXTS.has(recordType) ? text : text.toLowerCase().replace(/\.$/, '')),
  )
  const value = values.length === 1 ? values[0] : `(?:${values.join('|')})`
  const start = look === 'contains' || look === 'ends_with' ? '.*' : ''
  const end = look === 'contains' || look === 'starts_with' ? '.*' : ''
  const [first, last] = isWhole ? ['', ''] : [before, behind]
  return expect('answer', 'matches', { target: `(?m)^${first}${start}${value}${end}${last}$` })
}
