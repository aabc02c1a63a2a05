import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { issueOf, said } from '../../language/said.ts'
import { text, unreadableFault } from '../../text.ts'
import { addressAndPort } from '../cause.ts'
import { hasWay } from '../monitor-types.ts'
import { asksNameServers, DNS_PORTS, isHttps } from './dns.ts'
import type { Option } from './option.ts'
import { PROXY_PASSWORD, readProxy } from './proxy-address.ts'

const MAX_PROXY_LENGTH = 500
const MAX_PORT = 65_535

const notAnAddress = () =>
  said('must be the address of a name server, such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:53')

const Resolver = text(MAX_PROXY_LENGTH).superRefine((value, context) => {
  const fault = unreadableFault(value)
  if (fault) context.addIssue(issueOf(fault))
  else if (readResolver(value) === null && !isPlainHttps(value)) context.addIssue(issueOf(notAnAddress()))
})

/** The URL of a name server over HTTPS. */
function isPlainHttps(value: string): boolean {
  const url = isHttps(value) ? URL.parse(value) : null
  return url !== null && url.username === '' && url.password === '' && url.hash === ''
}

const ProxyUrl = text(MAX_PROXY_LENGTH).superRefine((value, context) => {
  const fault = unreadableFault(value)
  if (fault) context.addIssue(issueOf(fault))
  else if (readProxy(value) === null)
    context.addIssue(
      issueOf(said('must be a URL of http, https or socks5 with a host, and with nothing behind its port')),
    )
})

/** The address and port of a name server; null for what is none. */
export function readResolver(
  text: string,
  usualPort: number = DNS_PORTS.udp,
): { address: string; port: number } | null {
  const [, bracketed, v4, digits = usualPort] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const written = bracketed ?? v4 ?? text
  const port = Number(digits)
  const address = v4 === undefined ? canonicalIPv6(written) : canonicalIPv4(written)
  return address === null || port < 1 || port > MAX_PORT ? null : { address, port }
}

function canonicalIPv4(written: string): string | null {
  return ipaddr.IPv4.isValidFourPartDecimal(written) ? ipaddr.IPv4.parse(written).toString() : null
}

/** The library reads `::8.8.8.8` as an address of IPv4 that is mapped; those of URLs and operating systems are another one. */
function canonicalIPv6(written: string): string | null {
  if (!ipaddr.IPv6.isValid(written)) return null
  return URL.parse(`http://[${written}]/`)?.hostname.slice(1, -1) ?? null
}

/** Options of the way to the target. */
export const CONNECTION = {
  ip_version: {
    schema: z.literal([4, 6]),
    description: 'Connects over this IP version only, 4 or 6.',
    group: 'connection',
    label: phrase('IP version'),
    hint: phrase('Connects over IPv4 or IPv6 only. Without a value, over whichever connects first.'),
    has: (type) => hasWay(type, 'ip_version'),
    default: null,
    clashes: (value, { url }) => {
      const written = versionOf(url)
      return written === null || written === value
        ? []
        : [
            {
              at: [],
              message: said('must be {version} or left out: the URL has an address of IPv{version}', {
                version: written,
              }),
            },
          ]
    },
  },
  resolver: {
    schema: Resolver,
    description:
      'Name server that is asked in place of those of the service: `ADDRESS`, `ADDRESS:PORT` or `[IPV6]:PORT`, with port 53 by default. For `dns` with `transport` `tls` the port is 853 by default, with `https` it is a URL.',
    group: 'connection',
    label: phrase('Name server'),
    hint: phrase(
      'An address, with its port where it is not 53. It is asked in place of those of the service.',
    ),
    has: (type) => hasWay(type, 'resolver'),
    default: null,
    faults: (type, value) =>
      isHttps(value) && !asksNameServers(type) ? [{ at: [], message: notAnAddress() }] : [],
    clashes: (value, _around, { transport }) =>
      isHttps(value) && transport !== 'https'
        ? [{ at: [], message: said('must be an address unless `transport` is `https`') }]
        : [],
    addresses: (value) => {
      if (isHttps(value)) return [{ at: [], url: String(value) }]
      const read = readResolver(String(value))
      return read === null ? [] : [{ at: [], url: `http://${addressAndPort(read.address, read.port)}` }]
    },
  },
  proxy: {
    schema: ProxyUrl,
    description:
      'Proxy that the check goes through: `http://`, `https://` or `socks5://` with an optional user name and password. It is given the address of the target, which the service looks up itself.',
    group: 'connection',
    label: phrase('Proxy'),
    hint: phrase('http://, https:// or socks5://, with a user name and password where it wants them.'),
    has: (type) => hasWay(type, 'proxy'),
    default: null,
    secrets: [{ at: [], part: PROXY_PASSWORD, shownTo: 'nobody' }],
    addresses: (value) => {
      const proxy = readProxy(String(value))
      return proxy === null ? [] : [{ at: [], url: `http://${addressAndPort(proxy.host, proxy.port)}` }]
    },
  },
} as const satisfies Record<string, Option>

/** The version of the address in a URL; null for a name. */
function versionOf(url: string | null): 4 | 6 | null {
  const host = (url && URL.parse(url)?.hostname.replace(/^\[|\]$/g, '')) ?? ''
  if (!ipaddr.isValid(host)) return null
  return ipaddr.parse(host).kind() === 'ipv6' ? 6 : 4
}
