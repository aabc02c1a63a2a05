import type { Duplex } from 'node:stream'

/** The most of one connection: more says only a server that means to keep us. */
const MAX_BYTES = 65_536
const MAX_LINE_BYTES = 8_192
const LF = 10

/**
 * Why a line did not come. `error` is that of the connection, where it broke; the signal aborted (`given up`); or the server says too
 * much.
 */
export class TalkEnded extends Error {
  readonly how: 'closed' | 'given up' | 'too much'
  readonly error: Error | null

  constructor(how: TalkEnded['how'], error: Error | null = null) {
    super(how)
    this.how = how
    this.error = error
  }
}

/** The most that one connection may say, and that one line may have, in bytes. */
export type TalkLimits = { whole: number; line: number }

/** Lines and frames with a server, over one connection. */
export type Talk = {
  /** The next line, without its end. Rejects with `TalkEnded`. */
  line(): Promise<string>
  /** Sends a line. */
  say(line: string): void
  /**
   * The next bytes as a whole: `lengthOf` says how many, by what is there so far, or null while it cannot know. Rejects with `TalkEnded`.
   */
  frame(lengthOf: (held: Buffer) => number | null): Promise<Buffer>
  write(bytes: Uint8Array): void
  /** Whether the server has said more than was read. */
  hasMore(): boolean
  /** Waits until the server has said more than `text` holds. Rejects with `TalkEnded`. */
  more(): Promise<void>
  /** All that was said and not read as lines. */
  text(): string
  /** The bytes of that. */
  held(): Buffer
  /** When its first byte came, on the clock of performance.now(). */
  beganAt(): number | null
}

/** `onRead` is told of everything that arrives. The caller destroys the socket. */
export function createTalk(
  socket: Duplex,
  signal: AbortSignal,
  onRead: () => void,
  limits: TalkLimits = { whole: MAX_BYTES, line: MAX_LINE_BYTES },
): Talk {
  let held: Buffer = Buffer.alloc(0)
  let bytes = 0
  let beganAt: number | null = null

  const more = () =>
    new Promise<void>((resolve, reject) => {
      const settle = (then: () => void) => {
        socket.off('readable', look)
        socket.off('end', hangUp)
        socket.off('close', hangUp)
        signal.removeEventListener('abort', hangUp)
        then()
      }
      const look = () => {
        const piece: Buffer | null = socket.read()
        if (piece === null) return
        beganAt ??= performance.now()
        bytes += piece.length
        held = held.length === 0 ? piece : Buffer.concat([held, piece])
        onRead()
        settle(resolve)
      }
      const hangUp = () =>
        settle(() => reject(new TalkEnded(signal.aborted ? 'given up' : 'closed', socket.errored)))
      if (signal.aborted || socket.destroyed || socket.readableEnded) return hangUp()
      socket.on('readable', look)
      socket.once('end', hangUp)
      socket.once('close', hangUp)
      signal.addEventListener('abort', hangUp, { once: true })
      look()
    })

  return {
    async line() {
      for (;;) {
        const end = held.indexOf(LF)
        if (end > limits.line || (end < 0 && held.length > limits.line)) throw new TalkEnded('too much')
        if (end >= 0) {
          const line = held.toString('utf8', 0, end).replace(/\r$/, '')
          held = held.subarray(end + 1)
          return line
        }
        if (bytes > limits.whole) throw new TalkEnded('too much')
        await more()
      }
    },
    async frame(lengthOf) {
      for (;;) {
        const length = lengthOf(held)
        if (length !== null && length > limits.whole) throw new TalkEnded('too much')
        if (length !== null && held.length >= length) {
          const frame = held.subarray(0, length)
          held = held.subarray(length)
          return frame
        }
        if (bytes > limits.whole) throw new TalkEnded('too much')
        await more()
      }
    },
    write: (written) => void socket.write(written),
    async more() {
      if (bytes > limits.whole) throw new TalkEnded('too much')
      await more()
    },
    text: () => held.toString(),
    held: () => held,
    say: (line) => void socket.write(`${line}\r\n`),
    hasMore: () => held.length > 0 || socket.readableLength > 0,
    beganAt: () => beganAt,
  }
}
