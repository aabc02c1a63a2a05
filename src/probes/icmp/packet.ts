import ipaddr from 'ipaddr.js'

export type IpFamily = 4 | 6

/** The bytes before the ICMP message in a received datagram: an IPv4 header, or nothing. */
export type Framing = 'ip-header' | 'bare'

/** The parts of an echo request that come back in its reply, or quoted in an error about it. */
export type Echo = {
  identifier: number
  sequence: number
  /** A view of the parsed datagram; empty when an error quotes only the first 8 bytes. */
  payload: Buffer
}

export type IcmpMessage =
  | { kind: 'reply'; echo: Echo }
  /** Destination unreachable, or time exceeded on the way, for an echo request to `destination`. */
  | { kind: 'unreachable'; echo: Echo; destination: string }

const HEADER_BYTES = 8
const IPV4_HEADER_BYTES = 20
const IPV6_HEADER_BYTES = 40
const PROTOCOL = { 4: 1, 6: 58 } as const

/** Message types of ICMP (RFC 792) and ICMPv6 (RFC 4443). */
const TYPES = {
  4: { request: 8, reply: 0, unreachable: 3, timeExceeded: 11 },
  6: { request: 128, reply: 129, unreachable: 1, timeExceeded: 3 },
} as const

/** The message types we receive; a raw socket's filter blocks all others. */
export function wantedTypes(family: IpFamily): number[] {
  const { reply, unreachable, timeExceeded } = TYPES[family]
  return [reply, unreachable, timeExceeded]
}

/** Encodes an echo request. The kernel fills in the checksum of ICMPv6, which also covers the IP addresses. */
export function encodeEchoRequest(family: IpFamily, echo: Echo): Buffer {
  const packet = Buffer.alloc(HEADER_BYTES + echo.payload.length)
  packet.writeUInt8(TYPES[family].request, 0)
  packet.writeUInt16BE(echo.identifier, 4)
  packet.writeUInt16BE(echo.sequence, 6)
  packet.set(echo.payload, HEADER_BYTES)
  if (family === 4) packet.writeUInt16BE(checksum(packet), 2)
  return packet
}

/** The internet checksum (RFC 1071); 0 for a packet that carries a correct one. */
export function checksum(bytes: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < bytes.length; i += 2) sum += ((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}

/** Reads a received datagram; null if it is not about an echo request. */
export function parseDatagram(family: IpFamily, framing: Framing, datagram: Buffer): IcmpMessage | null {
  const message = framing === 'bare' ? datagram : stripIpv4Header(datagram)
  if (!message || message.length < HEADER_BYTES) return null
  const types = TYPES[family]
  switch (message[0]) {
    case types.reply:
      return { kind: 'reply', echo: readEcho(message) }
    case types.unreachable:
    case types.timeExceeded:
      return parseError(family, message.subarray(HEADER_BYTES))
    default:
      return null
  }
}

/** Reads our echo request as quoted by an error; null when the error quotes something else. */
export function parseQuotedRequest(family: IpFamily, message: Buffer): Echo | null {
  if (message.length < HEADER_BYTES || message[0] !== TYPES[family].request) return null
  return readEcho(message)
}

/** The canonical spelling of an address, for comparing and showing: RFC 5952 for IPv6. */
export function canonicalAddress(address: string | Uint8Array): string {
  const parsed = typeof address === 'string' ? ipaddr.parse(address) : ipaddr.fromByteArray([...address])
  return parsed instanceof ipaddr.IPv6 ? parsed.toRFC5952String() : parsed.toString()
}

export function addressBytes(address: string): Uint8Array {
  return Uint8Array.from(ipaddr.parse(address).toByteArray())
}

function parseError(family: IpFamily, quoted: Buffer): IcmpMessage | null {
  const inner = family === 4 ? stripIpv4Header(quoted) : stripIpv6Header(quoted)
  const echo = inner && parseQuotedRequest(family, inner)
  if (!echo) return null
  const destination = canonicalAddress(family === 4 ? quoted.subarray(16, 20) : quoted.subarray(24, 40))
  return { kind: 'unreachable', echo, destination }
}

function readEcho(message: Buffer): Echo {
  return {
    identifier: message.readUInt16BE(4),
    sequence: message.readUInt16BE(6),
    payload: message.subarray(HEADER_BYTES),
  }
}

function stripIpv4Header(datagram: Buffer): Buffer | null {
  if (datagram.length < IPV4_HEADER_BYTES) return null
  const versionAndLength = datagram.readUInt8(0)
  const headerBytes = (versionAndLength & 0x0f) * 4
  const isIcmp = versionAndLength >> 4 === 4 && datagram[9] === PROTOCOL[4]
  return isIcmp && headerBytes >= IPV4_HEADER_BYTES ? datagram.subarray(headerBytes) : null
}

/** Our requests carry no extension headers, so neither do quotes of them. */
function stripIpv6Header(datagram: Buffer): Buffer | null {
  if (datagram.length < IPV6_HEADER_BYTES || datagram.readUInt8(0) >> 4 !== 6) return null
  return datagram[6] === PROTOCOL[6] ? datagram.subarray(IPV6_HEADER_BYTES) : null
}
