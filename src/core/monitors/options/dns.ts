import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { said } from '../../language/said.ts'
import type { MonitorType } from '../monitor-types.ts'
import { parseTarget } from '../target.ts'
import type { Option } from './option.ts'

/** The types of records that a name server can be asked for, as its answers are read (`net/names/dns-wire.ts`). */
export const DNS_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'SRV', 'CAA', 'PTR'] as const
export type DnsRecordType = (typeof DNS_RECORD_TYPES)[number]

export const DNS_TRANSPORTS = ['udp', 'tcp', 'tls', 'https'] as const
export type DnsTransport = (typeof DNS_TRANSPORTS)[number]

/** Where a name server listens unless its address says so (RFC 1035, 7858). Over HTTPS its URL says it. */
export const DNS_PORTS = { udp: 53, tcp: 53, tls: 853 } as const satisfies Partial<
  Record<DnsTransport, number>
>

/** Whether a check of this type is a question to a name server. */
export function asksNameServers(type: MonitorType): boolean {
  return type === 'dns'
}

/** Options of the question that a check asks. */
export const DNS = {
  record_type: {
    schema: z.enum(DNS_RECORD_TYPES),
    description: 'Type of the records that the name server is asked for.',
    group: 'request',
    label: phrase('Record type'),
    has: asksNameServers,
    default: 'A',
    clashes: (value, { url }) =>
      value !== 'PTR' && hasAddress(url)
        ? [{ at: [], message: said('must be `PTR` or the URL have a name: it has an address') }]
        : [],
  },
  transport: {
    schema: z.enum(DNS_TRANSPORTS),
    description:
      'Protocol of the question: `udp`, `tcp`, `tls` (DNS over TLS) or `https` (DNS over HTTPS, to the URL in `resolver`).',
    group: 'request',
    label: phrase('Transport'),
    has: asksNameServers,
    default: 'udp',
    clashes: (value, _around, { resolver }) =>
      value === 'https' && !isHttps(resolver)
        ? [{ at: [], message: said('must be another one unless `resolver` is an https URL') }]
        : [],
  },
  dnssec: {
    schema: z.boolean(),
    description: 'The answer must be authenticated by DNSSEC: the name server says so by the AD flag.',
    group: 'request',
    label: phrase('Require DNSSEC'),
    hint: phrase('The name server must have verified the answer. It says so by the AD flag.'),
    has: asksNameServers,
    default: false,
  },
} as const satisfies Record<string, Option>

export function isHttps(resolver: unknown): boolean {
  return typeof resolver === 'string' && /^https:/i.test(resolver)
}

function hasAddress(url: string | null): boolean {
  const host = (url && parseTarget(url)?.hostname.replace(/^\[|\]$/g, '')) ?? ''
  return ipaddr.isValid(host)
}
