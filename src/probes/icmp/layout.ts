import { addressBytes, canonicalAddress, type Framing, type IpFamily } from './packet.ts'

/** Constants and conventions of one operating system, 64-bit and little-endian. */
export type Platform = {
  inet6: number
  /** BSD stores the length of the structure in its first byte. */
  sockaddrHasLength: boolean
  /** Added to the type passed to socket(): non-blocking, close on exec. */
  socketFlags: number
  dontWait: number
  solSocket: number
  /** Options that set a buffer's size, best first; the forced ones need CAP_NET_ADMIN. */
  receiveBuffer: number[]
  sendBuffer: number[]
  /** The options for the hop limit of what is sent (ip(7), ipv6(7)). */
  hopLimit: Record<IpFamily, { level: number; option: number }>
  /** The bytes that a ping socket puts before an IPv4 message. */
  pingFraming: Framing
  /** Linux writes its own identifier into messages sent on a ping socket, and delivers only replies to it. */
  kernelChoosesIdentifier: boolean
  linux: typeof LINUX | null
}

/** Constants that exist only on Linux (asm-generic/socket.h, linux/in.h, linux/in6.h, linux/icmp.h, linux/icmpv6.h). */
const LINUX = {
  SO_TIMESTAMPNS: 35,
  SO_MEMINFO: 55,
  MEMINFO_WORDS: 9,
  MEMINFO_DROPS: 8,
  MSG_ERRQUEUE: 0x2000,
  receiveErrors: { 4: { level: 0, option: 11 }, 6: { level: 41, option: 25 } },
  typeFilter: { 4: { level: 255, option: 1 }, 6: { level: 58, option: 1 } },
} as const

const ORIGIN_ICMP = 2
const ORIGIN_ICMP6 = 3
const EXTENDED_ERROR_BYTES = 16

export const PLATFORMS: Partial<Record<string, Platform>> = {
  linux: {
    inet6: 10,
    sockaddrHasLength: false,
    socketFlags: 0x80000 | 0x800,
    dontWait: 0x40,
    solSocket: 1,
    receiveBuffer: [33, 8],
    sendBuffer: [32, 7],
    hopLimit: { 4: { level: 0, option: 2 }, 6: { level: 41, option: 16 } },
    pingFraming: 'bare',
    kernelChoosesIdentifier: true,
    linux: LINUX,
  },
  darwin: {
    inet6: 30,
    sockaddrHasLength: true,
    socketFlags: 0,
    dontWait: 0x80,
    solSocket: 0xffff,
    receiveBuffer: [0x1002],
    sendBuffer: [0x1001],
    hopLimit: { 4: { level: 0, option: 4 }, 6: { level: 41, option: 4 } },
    pingFraming: 'ip-header',
    kernelChoosesIdentifier: false,
    linux: null,
  },
}

export const INET4 = 2
export const SOCK_DGRAM = 2
export const SOCK_RAW = 3
export const IPPROTO = { 4: 1, 6: 58 } as const

export function encodeSockaddr(platform: Platform, address: string): Buffer {
  const bytes = addressBytes(address)
  const isV4 = bytes.length === 4
  const sockaddr = Buffer.alloc(isV4 ? 16 : 28)
  const family = isV4 ? INET4 : platform.inet6
  if (platform.sockaddrHasLength) sockaddr.set([sockaddr.length, family])
  else sockaddr.writeUInt16LE(family)
  sockaddr.set(bytes, isV4 ? 4 : 8)
  return sockaddr
}

/** The address in a sockaddr_in or sockaddr_in6. */
export function decodeSockaddr(family: IpFamily, sockaddr: Buffer): string {
  return canonicalAddress(family === 4 ? sockaddr.subarray(4, 8) : sockaddr.subarray(8, 24))
}

/** Linux: a set bit blocks a type, in one 32-bit word for ICMP and in eight for ICMPv6. */
export function encodeTypeFilter(family: IpFamily, wanted: number[]): Buffer {
  const filter = Buffer.alloc(family === 4 ? 4 : 32, 0xff)
  for (const type of wanted) {
    const byte = type >> 3
    filter.writeUInt8(filter.readUInt8(byte) & ~(1 << (type & 7)), byte)
  }
  return filter
}

/** The layout of one block of memory in which recvmsg() finds its buffers and leaves their lengths. */
export const MESSAGE = {
  blockBytes: 4_096,
  header: 0,
  vector: 64,
  timespec: 80,
  name: 128,
  nameBytes: 32,
  control: 512,
  controlBytes: 512,
  data: 1_024,
  dataBytes: 3_072,
} as const

/**
 * Writes a msghdr and its iovec for one recvmsg(), whose results overwrite the lengths.
 * Little-endian 64-bit Linux (glibc and musl) and macOS agree on these offsets.
 */
export function writeMessageHeader(block: Buffer, address: bigint): void {
  block.writeBigUInt64LE(address + BigInt(MESSAGE.name), MESSAGE.header)
  block.writeUInt32LE(MESSAGE.nameBytes, MESSAGE.header + 8)
  block.writeBigUInt64LE(address + BigInt(MESSAGE.vector), MESSAGE.header + 16)
  block.writeBigUInt64LE(1n, MESSAGE.header + 24)
  block.writeBigUInt64LE(address + BigInt(MESSAGE.control), MESSAGE.header + 32)
  block.writeBigUInt64LE(BigInt(MESSAGE.controlBytes), MESSAGE.header + 40)
  block.writeBigUInt64LE(address + BigInt(MESSAGE.data), MESSAGE.vector)
  block.writeBigUInt64LE(BigInt(MESSAGE.dataBytes), MESSAGE.vector + 8)
}

/** The control messages left by recvmsg(). */
export function receivedControl(block: Buffer): Buffer {
  const length = Math.min(block.readUInt32LE(MESSAGE.header + 40), MESSAGE.controlBytes)
  return block.subarray(MESSAGE.control, MESSAGE.control + length)
}

export type Ancillary = {
  /** When the kernel received the datagram, in milliseconds since 1970 by the wall clock. */
  receivedAtMs: number | null
  /** The sender of the ICMP error described by this entry of the error queue. */
  offender: string | null
}

/** Reads Linux control messages: the timestamp, and the extended error with its sender (ip(7)). */
export function decodeControl(family: IpFamily, control: Buffer): Ancillary {
  const ancillary: Ancillary = { receivedAtMs: null, offender: null }
  const { level: errorLevel, option: errorType } = LINUX.receiveErrors[family]
  for (let at = 0; at + 16 <= control.length; ) {
    const length = control.readUInt32LE(at)
    if (length < 16 || at + length > control.length) break
    const level = control.readInt32LE(at + 8)
    const type = control.readInt32LE(at + 12)
    const data = control.subarray(at + 16, at + length)
    if (level === 1 && type === LINUX.SO_TIMESTAMPNS) ancillary.receivedAtMs = decodeTimespec(data)
    if (level === errorLevel && type === errorType) ancillary.offender = decodeOffender(family, data)
    at += (length + 7) & ~7
  }
  return ancillary
}

/** A 64-bit timespec as milliseconds. For present dates a double is exact to a quarter of a microsecond. */
export function decodeTimespec(timespec: Buffer): number {
  return Number(timespec.readBigInt64LE(0)) * 1_000 + Number(timespec.readBigInt64LE(8)) / 1_000_000
}

function decodeOffender(family: IpFamily, error: Buffer): string | null {
  const origin = error[4]
  const sockaddr = error.subarray(EXTENDED_ERROR_BYTES)
  const isIcmp = origin === ORIGIN_ICMP || origin === ORIGIN_ICMP6
  return isIcmp && sockaddr.length >= (family === 4 ? 16 : 28) ? decodeSockaddr(family, sockaddr) : null
}
