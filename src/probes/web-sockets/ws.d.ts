/** Those parts of `ws` that are used here; its published types leave them out. */
declare module 'ws' {
  import type { Socket } from 'node:net'
  import type { Writable } from 'node:stream'

  /** Emits `message`, `ping`, `pong`, and `conclude` for a frame that closes. */
  export class Receiver extends Writable {
    constructor(options: { isServer: boolean; maxPayload: number })
  }

  export class Sender {
    constructor(socket: Socket)
    send(
      data: string | Buffer,
      options: { binary: boolean; fin: boolean; mask: boolean; compress: boolean },
    ): void
    pong(data: Buffer, mask: boolean): void
    close(code: number, reason: string, mask: boolean, onSent: () => void): void
  }
}
