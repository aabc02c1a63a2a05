import { createRequire } from 'node:module'
import { getSystemErrorName } from 'node:util'

const CLOCK_REALTIME = 0

/** Calls of the C library that Node.js lacks. A negative result is an error, named by `lastError`. */
export type Libc = {
  socket(domain: number, type: number, protocol: number): number
  close(fd: number): number
  setsockopt(fd: number, level: number, name: number, value: Buffer, length: number): number
  getsockopt(fd: number, level: number, name: number, value: Buffer, length: Buffer): number
  sendto(fd: number, data: Buffer, length: number, flags: number, to: Buffer, toLength: number): number
  recvmsg(fd: number, header: bigint, flags: number): number
  /** Writes the wall clock's time into the timespec at `address`. */
  readWallClock(address: bigint): void
  /** The name of the last call's error, such as EAGAIN. */
  lastError(): string
  /** Memory at a fixed address, for calls that keep addresses in structures. */
  allocate(byteLength: number): { address: bigint; bytes: Buffer; free(): void }
  /**
   * Calls back when the descriptor is readable or has an error, without keeping the process alive. The callback runs
   * outside Node's usual scope: microtasks do not run after it, so do no work in it.
   */
  watch(fd: number, onReady: () => void): { resume(): void; close(): void }
}

/** Loads the C library, or explains why that is impossible here. */
export function loadLibc(): { kind: 'loaded'; libc: Libc } | { kind: 'failed'; reason: string } {
  try {
    return { kind: 'loaded', libc: bind() }
  } catch (error) {
    // A platform without a native binary must lose this probe, not the whole service.
    return {
      kind: 'failed',
      reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : `${error}`,
    }
  }
}

function bind(): Libc {
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi')
  if (koffi.sizeof('void *') !== 8) throw new Error('only 64-bit systems are supported')
  const library = koffi.load(null)
  const clockGettime = library.func('int clock_gettime(int, void *)')
  return {
    socket: library.func('int socket(int, int, int)'),
    close: library.func('int close(int)'),
    setsockopt: library.func('int setsockopt(int, int, int, const void *, uint32_t)'),
    getsockopt: library.func('int getsockopt(int, int, int, void *, void *)'),
    sendto: library.func('int64_t sendto(int, const void *, size_t, int, const void *, uint32_t)'),
    recvmsg: library.func('int64_t recvmsg(int, void *, int)'),
    readWallClock: (address) => clockGettime(CLOCK_REALTIME, address),
    lastError: () => getSystemErrorName(-koffi.errno()),
    allocate: (byteLength) => {
      const address = koffi.alloc('uint8_t', byteLength)
      const bytes = Buffer.from(koffi.view(address, byteLength))
      return { address: koffi.address(address), bytes, free: () => koffi.free(address) }
    },
    watch: (fd, onReady) => {
      const handle = koffi.node.poll(fd, onReady)
      handle.unref()
      return { resume: () => handle.start(onReady), close: () => handle.close() }
    },
  }
}
