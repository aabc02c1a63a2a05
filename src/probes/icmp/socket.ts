import { randomInt } from 'node:crypto'
import { ownTrouble } from '../../net/own-trouble.ts'
import {
  decodeControl,
  decodeSockaddr,
  decodeTimespec,
  encodeSockaddr,
  encodeTypeFilter,
  INET4,
  IPPROTO,
  MESSAGE,
  PLATFORMS,
  type Platform,
  receivedControl,
  SOCK_DGRAM,
  SOCK_RAW,
  writeMessageHeader,
} from './layout.ts'
import { type Libc, loadLibc } from './libc.ts'
import {
  type Framing,
  type IcmpMessage,
  type IpFamily,
  parseDatagram,
  parseQuotedRequest,
  wantedTypes,
} from './packet.ts'

/** Room for the answers to some ten thousand requests while our event loop is busy. */
const SOCKET_BUFFER_BYTES = 8 * 1024 * 1024
/** How many datagrams one wake-up may read, about 3 ms of work, before other work gets its turn. */
const RECEIVE_BATCH = 1_024
/** A pending error on the socket fails the next call, even one to another address. */
const MAX_SEND_TRIES = 3

export const NOT_PERMITTED = 'ICMP is not permitted here: neither ping sockets nor CAP_NET_RAW'

/** One moment on two clocks: the kernel stamps arrivals with the wall clock; the monotonic clock never jumps. */
export type Moment = { wallMs: number; monotonicMs: number }

export type Arrival = {
  /** Views a buffer that the next arrival overwrites. */
  message: IcmpMessage
  /** The address that sent the reply or reported the error. */
  from: string
  /** `wallMs` is null where the kernel gives no timestamp. */
  at: { wallMs: number | null; monotonicMs: number }
}

/** A socket that sends echo requests of one family and receives the replies. */
export type IcmpSocket = {
  mode: 'dgram' | 'raw'
  /** The identifier that requests must carry; null where the kernel writes its own. */
  identifier: number | null
  /** `hops`: how far it goes; without it, as far as this socket sent last, at first as far as there is a way. */
  send(
    packet: Buffer,
    address: string,
    hops?: number,
  ): { kind: 'sent'; at: Moment } | { kind: 'failed'; code: string }
  /** Reads a bounded number of arrivals; true when there may be more. */
  receive(): boolean
  /** How many arrivals the kernel has dropped so far because we did not read fast enough. */
  droppedArrivals(): number
  close(): void
}

/**
 * `absent`: this machine does not offer us such sockets; `isForbidden`: it may not, until its operator lets us. `trouble`: it
 * cannot open one at the moment.
 */
export type SocketRefusal = { kind: 'no way' | 'absent' | 'trouble'; reason: string; isForbidden?: true }

export type OpenIcmpSocket = (
  family: IpFamily,
  onArrival: (arrival: Arrival) => void,
) => { kind: 'open'; socket: IcmpSocket } | SocketRefusal

/** Opens ping sockets, or raw sockets where the kernel allows only those. Loads the C library on first use. */
export function icmpSocketOpener(): OpenIcmpSocket {
  let loaded: ReturnType<typeof loadLibc> | null = null
  return (family, onArrival) => {
    const platform = PLATFORMS[process.platform]
    if (!platform) return { kind: 'absent', reason: `ICMP is not supported on ${process.platform}` }
    loaded ??= loadLibc()
    if (loaded.kind === 'failed') {
      return { kind: 'absent', reason: `ICMP is not supported here: ${loaded.reason}` }
    }
    const opened = openDescriptor(loaded.libc, platform, family)
    if ('error' in opened) return openFailure(opened.error, family)
    return { kind: 'open', socket: createSocket(loaded.libc, platform, family, opened, onArrival) }
  }
}

type Descriptor = { fd: number; mode: 'dgram' | 'raw' }

function openDescriptor(libc: Libc, platform: Platform, family: IpFamily): Descriptor | { error: string } {
  const domain = family === 4 ? INET4 : platform.inet6
  const dgram = libc.socket(domain, SOCK_DGRAM | platform.socketFlags, IPPROTO[family])
  if (dgram >= 0) return { fd: dgram, mode: 'dgram' }
  const error = libc.lastError()
  if (isShortage(error) || !platform.linux) return { error }
  const raw = libc.socket(domain, SOCK_RAW | platform.socketFlags, IPPROTO[family])
  return raw >= 0 ? { fd: raw, mode: 'raw' } : { error: libc.lastError() }
}

function isShortage(code: string): boolean {
  return ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'].includes(code)
}

function openFailure(code: string, family: IpFamily): SocketRefusal {
  if (isShortage(code)) return { kind: 'trouble', reason: ownTrouble(code) ?? code }
  if (code === 'EPERM' || code === 'EACCES')
    return { kind: 'absent', reason: NOT_PERMITTED, isForbidden: true }
  if (code === 'EAFNOSUPPORT') return { kind: 'no way', reason: `no IPv${family} on this machine` }
  return { kind: 'absent', reason: `ICMP is not available here (${code})` }
}

function createSocket(
  libc: Libc,
  platform: Platform,
  family: IpFamily,
  { fd, mode }: Descriptor,
  onArrival: (arrival: Arrival) => void,
): IcmpSocket {
  configure(libc, platform, family, { fd, mode })
  const framing: Framing = family === 6 ? 'bare' : mode === 'raw' ? 'ip-header' : platform.pingFraming
  const errorQueue = mode === 'dgram' ? (platform.linux?.MSG_ERRQUEUE ?? null) : null
  const memory = libc.allocate(MESSAGE.blockBytes)
  const block = memory.bytes
  let closed = false
  let isReadPlanned = false

  const watcher = libc.watch(fd, () => {
    if (isReadPlanned) return
    isReadPlanned = true
    setImmediate(() => {
      isReadPlanned = false
      if (closed) return
      socket.receive()
      // libuv stops watching a socket whose error queue is not empty.
      watcher.resume()
    })
  })

  /** One recvmsg() call: the datagram's bytes, or null, and `lastError` says why. */
  function read(flags: number): Buffer | null {
    writeMessageHeader(block, memory.address)
    const length = Number(libc.recvmsg(fd, memory.address, flags | platform.dontWait))
    return length < 0 ? null : block.subarray(MESSAGE.data, MESSAGE.data + length)
  }

  function deliver(message: IcmpMessage | null, from: string, receivedAtMs: number | null): void {
    if (message) onArrival({ message, from, at: { wallMs: receivedAtMs, monotonicMs: performance.now() } })
  }

  function receiveReply(datagram: Buffer): void {
    const { receivedAtMs } = decodeControl(family, receivedControl(block))
    deliver(parseDatagram(family, framing, datagram), readName(), receivedAtMs)
  }

  /** Ping sockets get ICMP errors through a queue of their own (ip(7), IP_RECVERR). */
  function receiveErrors(): void {
    if (errorQueue === null) return
    for (let i = 0; i < RECEIVE_BATCH; i++) {
      const quoted = closed ? null : read(errorQueue)
      if (!quoted) return
      const echo = parseQuotedRequest(family, quoted)
      const { offender } = decodeControl(family, receivedControl(block))
      if (echo && offender) deliver({ kind: 'unreachable', echo, destination: readName() }, offender, null)
    }
  }

  function readName(): string {
    return decodeSockaddr(family, block.subarray(MESSAGE.name, MESSAGE.name + MESSAGE.nameBytes))
  }

  function now(): Moment {
    libc.readWallClock(memory.address + BigInt(MESSAGE.timespec))
    const wallMs = decodeTimespec(block.subarray(MESSAGE.timespec, MESSAGE.timespec + 16))
    return { wallMs, monotonicMs: performance.now() }
  }

  const socket: IcmpSocket = {
    mode,
    identifier: mode === 'dgram' && platform.kernelChoosesIdentifier ? null : randomInt(0x10000),
    send(packet, address, hops) {
      if (closed) return { kind: 'failed', code: 'EBADF' }
      if (hops !== undefined) {
        const { level, option } = platform.hopLimit[family]
        if (libc.setsockopt(fd, level, option, int32(hops), 4) !== 0)
          return { kind: 'failed', code: libc.lastError() }
      }
      const to = encodeSockaddr(platform, address)
      let code = ''
      for (let tried = 0; tried < MAX_SEND_TRIES; tried++) {
        const at = now()
        if (Number(libc.sendto(fd, packet, packet.length, platform.dontWait, to, to.length)) >= 0) {
          return { kind: 'sent', at }
        }
        code = libc.lastError()
        receiveErrors()
      }
      return { kind: 'failed', code }
    },
    receive() {
      receiveErrors()
      for (let i = 0; i < RECEIVE_BATCH; i++) {
        if (closed) return false
        const datagram = read(0)
        if (datagram) receiveReply(datagram)
        else if (libc.lastError() === 'EAGAIN') return false
        else receiveErrors()
      }
      return true
    },
    droppedArrivals() {
      if (closed || !platform.linux) return 0
      const { SO_MEMINFO, MEMINFO_WORDS, MEMINFO_DROPS } = platform.linux
      const words = Buffer.alloc(MEMINFO_WORDS * 4)
      const length = Buffer.alloc(4)
      length.writeUInt32LE(words.length)
      libc.getsockopt(fd, platform.solSocket, SO_MEMINFO, words, length)
      return words.readUInt32LE(MEMINFO_DROPS * 4)
    },
    close() {
      if (closed) return
      closed = true
      watcher.close()
      libc.close(fd)
      memory.free()
    },
  }
  return socket
}

function configure(libc: Libc, platform: Platform, family: IpFamily, { fd, mode }: Descriptor): void {
  const set = (level: number, option: number, value: Buffer) =>
    libc.setsockopt(fd, level, option, value, value.length) === 0
  const size = int32(SOCKET_BUFFER_BYTES)
  platform.receiveBuffer.some((option) => set(platform.solSocket, option, size))
  platform.sendBuffer.some((option) => set(platform.solSocket, option, size))
  if (!platform.linux) return
  const { SO_TIMESTAMPNS, typeFilter, receiveErrors } = platform.linux
  set(platform.solSocket, SO_TIMESTAMPNS, int32(1))
  const { level, option } = mode === 'raw' ? typeFilter[family] : receiveErrors[family]
  set(level, option, mode === 'raw' ? encodeTypeFilter(family, wantedTypes(family)) : int32(1))
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
