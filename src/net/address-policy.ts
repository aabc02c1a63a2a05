import net from 'node:net'
import ipaddr from 'ipaddr.js'
import { addressNeverAnswers, addressNotAllowed } from '../core/monitors/cause.ts'
import { ownAddressesOf, parseTarget, targetHost } from '../core/monitors/target.ts'
import { embeddedIPv4, lastIPv4 } from './embedded-ipv4.ts'

/**
 * Whether addresses that are not public may be connected to, as PRIVATE_TARGETS says of those that members give. `allow`:
 * all but the metadata services of clouds. `deny`: public unicast addresses only.
 */
export type PrivateTargets = 'allow' | 'deny'

/**
 * The one who chose an address. `operator`: by the settings of this installation. `member`: with an account here, in a form
 * or over the API. `stranger`: everybody else, such as visitors, browsers, and servers that name another one in an answer.
 */
export type Giver = 'operator' | 'member' | 'stranger'

/**
 * Every kind of address that the service connects to, with its giver: a kind that is not listed cannot be dialled. A name
 * may have been given by a member and lead to an address that a stranger chose; such a use is a kind of its own.
 */
const GIVERS = {
  database: 'operator',
  'mail server': 'operator',
  'identity provider': 'operator',
  /** The name servers of this machine, which get questions about names of all kinds. */
  resolver: 'operator',
  /** The APIs that have one address for everybody, such as Telegram's. */
  'vendor API': 'operator',
  /** Asked by a remote probe, or by the command line. */
  'service elsewhere': 'operator',
  /** The address of a monitor, or of a look at the certificate and home page of a site. */
  check: 'member',
  contact: 'member',
  /** The host of a crawled site, as its member wrote it, while it leads to an address that is not public. */
  'crawled site': 'member',
  /** Where an answer leads that a check got from a public address. With PRIVATE_REDIRECTS=allow it is taken for a `check`. */
  'redirect of a check': 'stranger',
  /** All else that a crawl asks: what pages, sitemaps and redirects name, and the host of a site that is public. */
  'found by a crawl': 'stranger',
  /** A webhook that a visitor of a status page subscribes. */
  subscriber: 'stranger',
  /** The push service of a browser, as the browser says. */
  'push service': 'stranger',
  /** The metadata document of an OAuth client. */
  'client description': 'stranger',
  /** Over RDAP and WHOIS, at the addresses of IANA and those that it, or a registry, refers to. */
  registry: 'stranger',
  /** A name server that the records of a domain name. */
  'name server of a zone': 'stranger',
} as const satisfies Record<string, Giver>

export type AddressKind = keyof typeof GIVERS

declare const fromTheTable: unique symbol

/** Judges addresses of a kind. It comes from the table alone, so that none is taken by accident. */
export type AddressPolicy = { readonly privateTargets: PrivateTargets; readonly [fromTheTable]: true }

/** All but metadata services. */
const PRIVATE_TOO = { privateTargets: 'allow' } as AddressPolicy
const PUBLIC_ONLY = { privateTargets: 'deny' } as AddressPolicy

const POLICIES: Record<Giver, (setting: PrivateTargets) => AddressPolicy> = {
  operator: () => PRIVATE_TOO,
  member: (setting) => (setting === 'allow' ? PRIVATE_TOO : PUBLIC_ONLY),
  stranger: () => PUBLIC_ONLY,
}

/** `setting`: PRIVATE_TARGETS, which is about members only. */
export function policyOf(kind: AddressKind, setting: PrivateTargets): AddressPolicy {
  return POLICIES[GIVERS[kind]](setting)
}

/** Callers that list the kinds use it. */
export function giverOf(kind: AddressKind): Giver {
  return GIVERS[kind]
}

export const ADDRESS_KINDS = Object.keys(GIVERS) as AddressKind[]

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Metadata services: clouds hand out credentials and settings from these addresses, and nothing else lives on them. */
const METADATA = [
  // Link-local ones, listed here because IPv6 addresses may embed them: most clouds; Amazon, Scaleway, Tencent
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.42.42',
  '169.254.0.23',
  // Alibaba, Oracle, Azure (168.63.129.16 looks public, but answers only Azure's own guests)
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  // Amazon, Google, Scaleway, Akamai, Alibaba
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
  'fd00:a9fe:a9fe::1',
  'fd00:100::100:200',
].map((address) => ipaddr.parse(address).toString())

/** Clouds keep adding link-local metadata addresses, and no target worth monitoring is link-local. */
const LINK_LOCAL: [subnet: string, bits: number][] = [
  ['169.254.0.0', 16],
  ['fe80::', 10],
]

/** The part of IPv6 that IANA assigns to hosts on the internet; the rest is special or unassigned. */
const PUBLIC_IPV6 = ipaddr.IPv6.parse('2000::')
const PUBLIC_IPV6_BITS = 3

/** A judgment costs as much as a system call, and most monitors connect to the same addresses over and over. */
const MAX_JUDGMENTS = 10_000
const judgments = { allow: new Map<string, string | null>(), deny: new Map<string, string | null>() }
const blockLists = { allow: createBlockList('allow'), deny: createBlockList('deny') }

/**
 * Explains why this address is refused; null when it is allowed. Addresses that can never answer are refused under every
 * policy. The address must be an IP literal.
 */
export function addressRefusal(policy: AddressPolicy, address: string): string | null {
  const known = judgments[policy.privateTargets]
  let refusal = known.get(address)
  if (refusal === undefined) {
    refusal = judge(policy, address)
    if (known.size >= MAX_JUDGMENTS) known.clear()
    known.set(address, refusal)
  }
  return refusal
}

/**
 * Like `addressRefusal`, for a URL as it is written: an address, in whatever form, or the name of this machine. Null for
 * other names, which are judged once they are resolved.
 */
export function writtenRefusal(policy: AddressPolicy, url: string): string | null {
  const parsed = parseTarget(url)
  const host = parsed && targetHost(parsed)
  if (host === null) return null
  const [address] = net.isIP(host) ? [host] : (ownAddressesOf(host) ?? [])
  return address === undefined ? null : addressRefusal(policy, address)
}

/** Whether an address is a public unicast one. It must be an IP literal. */
export function isPublicAddress(address: string): boolean {
  return addressRefusal(PUBLIC_ONLY, address) === null
}

/** Whether it is refused only where addresses have to be public: an inner one that a member may name by default. */
export function isPrivateAddress(address: string): boolean {
  return !isPublicAddress(address) && addressRefusal(PRIVATE_TOO, address) === null
}

/** A second check, made by the socket itself, in case an address ever reaches it unjudged. */
export function blockListOf({ privateTargets }: AddressPolicy): net.BlockList {
  return blockLists[privateTargets]
}

function createBlockList(privateTargets: AddressPolicy['privateTargets']): net.BlockList {
  const blocked = new net.BlockList()
  for (const address of METADATA) blocked.addAddress(address, familyOf(address))
  const subnets = privateTargets === 'allow' ? LINK_LOCAL : [...LINK_LOCAL, ...privateSubnets()]
  for (const [subnet, bits] of subnets) blocked.addSubnet(subnet, bits, familyOf(subnet))
  return blocked
}

function judge({ privateTargets }: AddressPolicy, literal: string): string | null {
  if (!ipaddr.isValid(literal)) return addressNotAllowed(literal)
  const address = ipaddr.process(withoutDots(literal))
  const embedded = address instanceof ipaddr.IPv6 ? embeddedIPv4(address) : []
  if ([address, ...embedded].some(isCloudInternal) || embedsMetadata(address))
    return addressNotAllowed(literal)
  const kind = silentKind(address)
  if (kind !== null) return addressNeverAnswers(literal, kind)
  if (privateTargets === 'allow') return null
  return [address, ...embedded].every(isPublic) ? null : addressNotAllowed(literal)
}

/** Rewrites IPv6 in hexadecimal only: the library reads `::8.8.8.8` as IPv4-mapped, operating systems do not. */
function withoutDots(literal: string): string {
  if (!literal.includes(':')) return literal
  return literal.replace(/\d+\.\d+\.\d+\.\d+/, (dotted) => {
    const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
}

/** Cloud metadata addresses are refused under either policy. */
function isCloudInternal(address: Address): boolean {
  return address.range() === 'linkLocal' || METADATA.includes(withoutZone(address))
}

/** Whether the last four bytes are a metadata address: a NAT64 of this network may read them behind any prefix. */
function embedsMetadata(address: Address): boolean {
  return address instanceof ipaddr.IPv6 && METADATA.includes(lastIPv4(address).toString())
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(PUBLIC_IPV6, PUBLIC_IPV6_BITS)
}

function withoutZone(address: Address): string {
  return address.toString().replace(/%.*$/, '')
}

/** The kind of address, if no host can ever answer from it (RFC 6890 and its registries); otherwise null. */
function silentKind(address: Address): string | null {
  const range = address.range()
  if (range === 'multicast' || range === 'broadcast' || range === 'unspecified') return range
  const isReserved = address instanceof ipaddr.IPv4 && address.match(ipaddr.IPv4.parse('240.0.0.0'), 4)
  return isReserved ? 'reserved' : null
}

/**
 * Part of what is not public. Written out by hand, so that the block list does not share a source, or a mistake, with
 * the policy. No subnet here contains `::ffff:0:0`: Node matches IPv4 against IPv6 subnets as IPv4-mapped addresses.
 */
function privateSubnets(): [subnet: string, bits: number][] {
  return [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
    ['::', 96],
    ['::ffff:0:0:0', 96],
    ['64:ff9b::', 32],
    ['100::', 8],
    ['200::', 7],
    ['400::', 6],
    ['800::', 5],
    ['1000::', 4],
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['4000::', 2],
    ['8000::', 1],
  ]
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return net.isIPv6(address) ? 'ipv6' : 'ipv4'
}
