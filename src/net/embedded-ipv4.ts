import ipaddr from 'ipaddr.js'

/** Positions of the bytes of an IPv4 address inside an IPv6 address, in order. */
type BytePositions = readonly [number, number, number, number]

const LAST: BytePositions = [12, 13, 14, 15]

/** Positions of the IPv4 address behind a prefix of 48, 56, 64 and 96 bits (RFC 6052, section 2.2). */
const TRANSLATED: readonly BytePositions[] = [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], LAST]

/** Prefixes of IPv6 addresses that embed an IPv4 address, and where they embed it. */
const FORMS: readonly { prefix: ipaddr.IPv6; bits: number; places: readonly BytePositions[] }[] = [
  // IPv4-compatible (RFC 4291, section 2.5.5.1) and IPv4-translated (RFC 2765)
  { prefix: ipaddr.IPv6.parse('::'), bits: 96, places: [LAST] },
  { prefix: ipaddr.IPv6.parse('::ffff:0:0:0'), bits: 96, places: [LAST] },
  // NAT64: the well-known prefix (RFC 6052), and local-use ones, whose networks choose the length (RFC 8215)
  { prefix: ipaddr.IPv6.parse('64:ff9b::'), bits: 96, places: [LAST] },
  { prefix: ipaddr.IPv6.parse('64:ff9b:1::'), bits: 48, places: TRANSLATED },
  // 6to4 (RFC 3056), and the Teredo server (RFC 4380)
  { prefix: ipaddr.IPv6.parse('2002::'), bits: 16, places: [[2, 3, 4, 5]] },
  { prefix: ipaddr.IPv6.parse('2001::'), bits: 32, places: [[4, 5, 6, 7]] },
]

const TEREDO = ipaddr.IPv6.parse('2001::')
const TEREDO_BITS = 32

/** The IPv4 addresses that an IPv6 address may lead to. Callers must treat IPv4-mapped addresses as IPv4 first. */
export function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray()
  const found = FORMS.filter(({ prefix, bits }) => address.match(prefix, bits)).flatMap(({ places }) =>
    places.map((place) => at(bytes, place)),
  )
  if (isIsatap(bytes)) found.push(at(bytes, LAST))
  // Teredo inverts every bit of the client's address.
  if (address.match(TEREDO, TEREDO_BITS)) {
    found.push(
      at(
        bytes.map((byte) => byte ^ 0xff),
        LAST,
      ),
    )
  }
  return found
}

/** The last four bytes as an IPv4 address: where most NAT64 gateways with an unknown prefix put it. */
export function lastIPv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return at(address.toByteArray(), LAST)
}

/** An ISATAP interface, which tunnels to an IPv4 address behind any prefix (RFC 5214, section 6.1). */
function isIsatap(bytes: readonly number[]): boolean {
  return ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
}

function at(bytes: readonly number[], place: BytePositions): ipaddr.IPv4 {
  return new ipaddr.IPv4(place.map((index) => bytes[index] ?? 0))
}
