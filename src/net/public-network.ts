import ipaddr from 'ipaddr.js'
import { addressRefusal } from './address-policy.ts'

const IPV4_BITS = 16
const IPV6_BITS = 32

/**
 * The network whose members are likely to fail together with this address: `203.0.0.0/16`, `2001:db8::/32`. Null for
 * loopback, private and other addresses that are not reached over the internet.
 */
export function publicNetworkOf(address: string): string | null {
  if (addressRefusal('deny', address) !== null) return null
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv4
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/${IPV4_BITS}`)}/${IPV4_BITS}`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${IPV6_BITS}`)}/${IPV6_BITS}`
}
