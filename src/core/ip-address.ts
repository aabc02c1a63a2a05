import ipaddr from 'ipaddr.js'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

const MAPPED_BITS = 96
const MAX_BYTE = 255
/** Four decimal numbers without leading zeros. */
const FOUR_PARTS = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/
const MAPPED = /^::ffff:([\d.]+)$/i
/** Six groups and an IPv4 address; longer texts are not looked at. */
const MAX_LENGTH = 45

/**
 * Reads an address as people and programs write it; null for anything else, such as numbers with leading zeros, which
 * some programs read as octal. An IPv4 address in IPv6 (`::ffff:192.0.2.1`) is the IPv4 address; a zone (`%eth0`) is not of
 * the address.
 */
export function readIpAddress(text: string): IpAddress | null {
  const plain = text.includes('%') ? text.replace(/%.*$/s, '') : text
  if (plain.length > MAX_LENGTH) return null
  // Every request has such addresses: the library asks itself by exceptions, each of which takes longer than the request.
  if (!plain.includes(':')) return readFourParts(plain)
  const mapped = MAPPED.exec(plain)?.[1]
  if (mapped !== undefined) return readFourParts(mapped)
  return ipaddr.IPv6.isValid(plain) && endsWell(plain) ? ipaddr.process(plain) : null
}

function readFourParts(text: string): IpAddress | null {
  const bytes = FOUR_PARTS.exec(text)?.slice(1).map(Number)
  return bytes?.every((byte) => byte <= MAX_BYTE) ? new ipaddr.IPv4(bytes) : null
}

/** The library takes octal and hexadecimal numbers with dots behind the groups, and `::192.0.2.1` for a mapped address. */
function endsWell(address: string): boolean {
  const last = address.slice(address.lastIndexOf(':') + 1)
  return !last.includes('.') || (readFourParts(last) !== null && !/^::\d+\./.test(address))
}

/** Whether an address is of a network (`192.0.2.0/24`); without `/bits` that is one address. */
export function isOfNetwork(address: IpAddress, network: string): boolean {
  const [text = '', bits] = network.split('/')
  if (!ipaddr.isValid(text)) return false
  const first = ipaddr.parse(text)
  const width = bits === undefined ? (first.kind() === 'ipv6' ? 128 : 32) : Number(bits)
  const isMapped = first instanceof ipaddr.IPv6 && first.isIPv4MappedAddress() && width >= MAPPED_BITS
  const [start, length] = isMapped ? [first.toIPv4Address(), width - MAPPED_BITS] : [first, width]
  return (
    start.kind() === address.kind() &&
    (address.match as (net: IpAddress, bits: number) => boolean)(start, length)
  )
}
