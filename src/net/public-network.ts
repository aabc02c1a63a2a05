import ipaddr from 'ipaddr.js'
import { isPublicAddress } from './address-policy.ts'
import { lastIPv4 } from './embedded-ipv4.ts'

const IPV4_BITS = 16
const IPV6_BITS = 32

/** Through NAT64, IPv4 hosts of the internet have IPv6 addresses (RFC 6052). */
const NAT64 = ipaddr.IPv6.parse('64:ff9b::')
const NAT64_BITS = 96

/**
 * The network whose members are likely to fail together with this address: `203.0.0.0/16`, `2001:db8::/32`. Null for
 * loopback, private and other addresses that are not reached over the internet.
 */
export function publicNetworkOf(address: string): string | null {
  const translated = translatedBy64(address)
  if (translated !== null) {
    const behind = publicNetworkOf(translated)
    return behind === null ? null : `64:ff9b::${behind}`
  }
  if (!isPublicAddress(address)) return null
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv4
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/${IPV4_BITS}`)}/${IPV4_BITS}`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${IPV6_BITS}`)}/${IPV6_BITS}`
}

/** The IPv4 address behind one of NAT64; null for any other. */
function translatedBy64(address: string): string | null {
  if (!address.startsWith('64:ff9b:')) return null
  const parsed = ipaddr.parse(address)
  const isOfNat64 = parsed instanceof ipaddr.IPv6 && parsed.match(NAT64, NAT64_BITS)
  return isOfNat64 ? lastIPv4(parsed).toString() : null
}
