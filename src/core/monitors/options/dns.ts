import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { said } from '../../language/said.ts'
import { type MonitorType, securitiesOf, transportsOf } from '../monitor-types.ts'
import { parseTarget, schemeOf } from '../target.ts'
import { TRANSPORTS, type Transport } from '../types/entry.ts'
import type { Option } from './option.ts'

/** The types of records that a name server can be asked for, as its answers are read (`net/names/dns-wire.ts`). */
export const DNS_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'SRV', 'CAA', 'PTR'] as const
export type DnsRecordType = (typeof DNS_RECORD_TYPES)[number]

export const DNS_TRANSPORTS = TRANSPORTS
export type DnsTransport = Transport

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
    schema: z.enum(TRANSPORTS),
    description:
      'Protocol of the question: `udp`, `tcp`, `tls` (DNS over TLS) or `https` (DNS over HTTPS, to the URL in `resolver`). `sip` knows `udp` and `tcp`.',
    group: 'request',
    label: phrase('Transport'),
    has: (type) => transportsOf(type).length > 0,
    offers: transportsOf,
    default: 'udp',
    faults: (type, value) =>
      value === null || transportsOf(type).some((one) => one === value)
        ? []
        : [
            {
              at: [],
              message: said('must be {choices} for the type {type}', {
                choices: transportsOf(type).join(' or '),
                type,
              }),
            },
          ],
    clashes: (value, { type, url }, { resolver }) => {
      if (value === 'https' && !isHttps(resolver))
        return [{ at: [], message: said('must be another one unless `resolver` is an https URL') }]
      if (value === 'udp' && securitiesOf(type).length > 0 && schemeOf(url ?? '').endsWith('s'))
        return [{ at: [], message: said('must be left out: TLS goes over a connection') }]
      return []
    },
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
