import net from 'node:net'
import ipaddr from 'ipaddr.js'
import { addressNeverAnswers, addressNotAllowed } from '../core/cause.ts'
import { parseTarget } from '../core/target.ts'
import { targetHost } from './target-host.ts'

/**
 * Which addresses this instance may connect to.
 * `allow`: everything but link-local metadata services. `deny`: public unicast addresses only. What can never answer
 * is refused under either.
 */
export type PrivateTargets = 'allow' | 'deny'

/** They hand cloud credentials to whoever asks from inside: never a target, under either policy. */
const METADATA = ['169.254.169.254', '169.254.170.2', '169.254.170.23', 'fd00:ec2::254', 'fd00:ec2::23']

/** Azure's platform address: a public one by its number, but it answers only its own guests. */
const PLATFORM = ['168.63.129.16']

/** Judging one costs as much as a system call, and most monitors lead to the same addresses again and again. */
const JUDGEMENTS_KEPT = 10_000
const judgements = { allow: new Map<string, string | null>(), deny: new Map<string, string | null>() }

/** Why this address may not be connected to, or null when it may. The address must be an IP literal. */
export function addressRefusal(policy: PrivateTargets, address: string): string | null {
  const known = judgements[policy]
  let refusal = known.get(address)
  if (refusal === undefined) {
    refusal = judge(policy, address)
    if (known.size >= JUDGEMENTS_KEPT) known.clear()
    known.set(address, refusal)
  }
  return refusal
}

/** The same for an address written in a URL; null for names, which are judged by where they lead. */
export function literalRefusal(policy: PrivateTargets, url: string): string | null {
  const parsed = parseTarget(url)
  const host = parsed && targetHost(parsed)
  return host !== null && net.isIP(host) ? addressRefusal(policy, host) : null
}

/** A second lock on the socket itself, in case an address ever gets there unjudged. */
export function blockListOf(policy: PrivateTargets): net.BlockList {
  const blocked = new net.BlockList()
  for (const address of METADATA) blocked.addAddress(address, familyOf(address))
  if (policy === 'allow') return blocked
  for (const address of PLATFORM) blocked.addAddress(address, familyOf(address))
  for (const [subnet, bits] of privateSubnets()) blocked.addSubnet(subnet, bits, familyOf(subnet))
  return blocked
}

function judge(policy: PrivateTargets, literal: string): string | null {
  if (!ipaddr.isValid(literal)) return addressNotAllowed(literal)
  const address = ipaddr.process(literal)
  const written = address.toString()
  const reached = embeddedIPv4(address) ?? written
  if (METADATA.includes(written) || METADATA.includes(reached)) return addressNotAllowed(literal)
  const kind = kindWithoutAnswer(address)
  if (kind !== null) return addressNeverAnswers(literal, kind)
  if (policy === 'allow') return null
  return address.range() === 'unicast' && !PLATFORM.includes(reached) ? null : addressNotAllowed(literal)
}

/** What kind of address it is, if no host can answer from it (RFC 6890 and its registries). */
function kindWithoutAnswer(address: ipaddr.IPv4 | ipaddr.IPv6): string | null {
  const range = address.range()
  if (range === 'multicast' || range === 'broadcast' || range === 'unspecified') return range
  const isReserved = address instanceof ipaddr.IPv4 && address.match(ipaddr.IPv4.parse('240.0.0.0'), 4)
  return isReserved ? 'reserved' : null
}

/** The IPv4 address behind NAT64 (RFC 6052), 6to4 (RFC 3056) and IPv4-compatible (RFC 4291) addresses. */
function embeddedIPv4(address: ipaddr.IPv4 | ipaddr.IPv6): string | null {
  if (!(address instanceof ipaddr.IPv6)) return null
  const bytes = address.toByteArray()
  const isNat64 = address.match(ipaddr.IPv6.parse('64:ff9b::'), 96)
  const isCompatible = address.match(ipaddr.IPv6.parse('::'), 96)
  if (isNat64 || isCompatible) return bytes.slice(12).join('.')
  if (address.match(ipaddr.IPv6.parse('2002::'), 16)) return bytes.slice(2, 6).join('.')
  return null
}

/** A few of what ipaddr.js calls other than unicast; written out, so that the two locks differ in origin. */
function privateSubnets(): [subnet: string, bits: number][] {
  return [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
    ['::', 127],
    ['fc00::', 7],
    ['fe80::', 9],
    ['ff00::', 8],
  ]
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return net.isIPv6(address) ? 'ipv6' : 'ipv4'
}
