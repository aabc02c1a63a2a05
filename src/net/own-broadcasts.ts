import type os from 'node:os'
import ipaddr from 'ipaddr.js'
import { readRegularly } from './own-interfaces.ts'

/** Networks with one or two addresses have no broadcast address (RFC 3021). */
const MAX_PREFIX_BITS = 30

/** Whether an address is the broadcast address of one of this machine's networks. */
export type OwnBroadcasts = (address: string) => boolean

export function createOwnBroadcasts(
  monotonicMs: () => number,
  readInterfaces?: typeof os.networkInterfaces,
): OwnBroadcasts {
  const known = readRegularly(monotonicMs, broadcastsOf, readInterfaces)
  return (address) => endsInOnes(address) && known().has(address)
}

/** The last two bits of every broadcast address are set, so three in four addresses need no reading. */
function endsInOnes(address: string): boolean {
  return Number(address.slice(address.lastIndexOf('.') + 1)) % 4 === 3
}

function broadcastsOf(cidrs: readonly string[]): Set<string> {
  return new Set(cidrs.map(broadcastOf).filter((address) => address !== null))
}

function broadcastOf(cidr: string): string | null {
  const bits = Number(cidr.split('/')[1])
  if (cidr.includes(':') || !(bits <= MAX_PREFIX_BITS)) return null
  return ipaddr.IPv4.broadcastAddressFromCIDR(cidr).toString()
}
