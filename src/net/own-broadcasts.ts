import os from 'node:os'
import ipaddr from 'ipaddr.js'

const RECHECK_AFTER_MS = 10_000
/** Networks with one or two addresses have no broadcast address (RFC 3021). */
const MAX_PREFIX_BITS = 30

/** Whether an address is the broadcast address of one of this machine's networks. */
export type OwnBroadcasts = (address: string) => boolean

/** Reads the machine's interfaces at most every ten seconds. */
export function createOwnBroadcasts(
  monotonicMs: () => number,
  readInterfaces: typeof os.networkInterfaces = os.networkInterfaces,
): OwnBroadcasts {
  let known = new Set<string>()
  let readAt = Number.NEGATIVE_INFINITY
  return (address) => {
    if (!endsInOnes(address)) return false
    if (monotonicMs() - readAt >= RECHECK_AFTER_MS) {
      readAt = monotonicMs()
      known = read(readInterfaces) ?? known
    }
    return known.has(address)
  }
}

/** The last two bits of every broadcast address are set, so three in four addresses need no reading. */
function endsInOnes(address: string): boolean {
  return Number(address.slice(address.lastIndexOf('.') + 1)) % 4 === 3
}

/** Null when the system cannot say: reading interfaces needs a descriptor. */
function read(readInterfaces: typeof os.networkInterfaces): Set<string> | null {
  try {
    const addresses = Object.values(readInterfaces()).flatMap((own) => own ?? [])
    return new Set(addresses.map(({ cidr }) => broadcastOf(cidr)).filter((address) => address !== null))
  } catch {
    return null
  }
}

function broadcastOf(cidr: string | null): string | null {
  const bits = Number(cidr?.split('/')[1])
  if (cidr === null || cidr.includes(':') || !(bits <= MAX_PREFIX_BITS)) return null
  return ipaddr.IPv4.broadcastAddressFromCIDR(cidr).toString()
}
