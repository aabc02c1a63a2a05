import type os from 'node:os'
import ipaddr from 'ipaddr.js'
import { readRegularly } from './own-interfaces.ts'

/** An interface with a shorter prefix stands for a tunnel into the internet; only its own address is ours. */
const MIN_PREFIX_BITS = { ipv4: 16, ipv6: 48 }

/**
 * Tells whether an address is reached without leaving this machine's own networks: one of its own addresses, or a
 * neighbour in a network of one of its interfaces. Public addresses can be either.
 */
export function createOwnNetworks(
  monotonicMs: () => number,
  readInterfaces?: typeof os.networkInterfaces,
): (address: string) => boolean {
  const networks = readRegularly(monotonicMs, subnetsOf, readInterfaces)
  return (address) => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return networks().some(([subnet, bits]) => parsed.kind() === subnet.kind() && parsed.match(subnet, bits))
  }
}

type Subnet = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

function subnetsOf(cidrs: readonly string[]): Subnet[] {
  return cidrs.map((cidr) => {
    const [subnet, bits] = ipaddr.parseCIDR(cidr)
    const kind = subnet.kind()
    return [subnet, bits >= MIN_PREFIX_BITS[kind] ? bits : kind === 'ipv4' ? 32 : 128]
  })
}
