import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import tls, { TLSSocket } from 'node:tls'
import { resetSocket } from '../reset-socket.ts'
import type { Scope } from '../scope.ts'
import type { ServerCertificate } from '../servers/certificates.ts'

/** The parts of a talk with a server, in their order. */
export const STEPS = ['greeting', 'ask', 'starttls', 'sign-in', 'query', 'farewell'] as const
export type Step = (typeof STEPS)[number]

/** The deed of a server in place of its answer: it says something else, byte for byte, or this. */
export type Deed =
  | { says: string | Buffer; thenEnds?: boolean; thenTls?: boolean }
  | 'silence'
  | 'hangs up'
  | 'resets'
  | { repeats: string | Buffer }

export type User = { name: string; password: string }

export type LineServerOptions = {
  /** TLS from the first byte, or by STARTTLS, which is offered then. */
  tls?: 'implicit' | 'starttls'
  certificate?: ServerCertificate
  tlsOptions?: tls.TlsOptions
  user?: User
  /** Other ways to sign in than all that the protocol has here. */
  signIns?: readonly string[]
  instead?: Partial<Record<Step, Deed>>
}

/** An honest answer to a line. `next`: TLS begins behind it, or the connection ends. */
export type Answer = { step: Step; says: string | Buffer | null; next?: 'tls' | 'end' }

/** The server's side of a protocol; one per connection. */
export type Dialogue = {
  /** Null for one that waits for its client. */
  greeting: string | Buffer | null
  /** The bytes of the first message, where messages are no lines; 0 while it is not whole. */
  lengthOf?(held: Buffer): number
  /** To a line, or to a message as a text of bytes (`latin1`). */
  answer(line: string): Answer
  /** A text that is said in place of an answer, with the number of the question, where answers have that. */
  withNumber?(says: string | Buffer): string | Buffer
  /** The stream that carries the handshake of TLS, where that begins later and the protocol has a way of its own. */
  through?(raw: Socket): Duplex
}

export type DialogueOptions = {
  /** STARTTLS is offered, and not begun yet. */
  offersTls: () => boolean
  user: User | null
  signIns: readonly string[] | null
}

export type LineServer = {
  port: number
  /** All lines that clients said, and whether each came over TLS. */
  heard: { line: string; isSecret: boolean }[]
  accepted: () => number
  /** Resolves once it has done something instead. */
  reached: Promise<void>
  allClosed: () => Promise<void>
}

/** A server on the loopback that speaks a protocol of lines, honestly but for what it does `instead`. */
export async function startLineServer(
  scope: Scope,
  speak: (options: DialogueOptions) => Dialogue,
  { tls: how, certificate, tlsOptions = {}, user, signIns, instead = {} }: LineServerOptions = {},
): Promise<LineServer> {
  const heard: LineServer['heard'] = []
  const open = new Set<Socket>()
  let accepted = 0
  const reached = Promise.withResolvers<void>()
  const secureContext = certificate && tls.createSecureContext({ ...certificate, ...tlsOptions })

  const secure = (raw: Socket, carried: Duplex = raw) => {
    const socket = new TLSSocket(carried, { isServer: true, secureContext, ...tlsOptions })
    socket.on('error', () => raw.destroy())
    // A peer that goes without a word leaves the connection below half open.
    socket.on('end', () => raw.destroy())
    socket.on('close', () => raw.destroy())
    return socket
  }
  const take = (raw: Socket) => {
    accepted++
    open.add(raw)
    raw.on('error', () => {})
    raw.once('close', () => open.delete(raw))
    let isSecret = how === 'implicit'
    const dialogue = speak({
      offersTls: () => how === 'starttls' && !isSecret,
      user: user ?? null,
      signIns: signIns ?? null,
    })

    const converse = (socket: Socket, greeting: string | Buffer | null) => {
      let held: Buffer = Buffer.alloc(0)
      /** Does it; false where the talk is over, or goes on over TLS. */
      const act = ({ step, says, next }: Answer): boolean => {
        const deed = instead[step]
        if (deed === undefined) {
          if (says !== null) socket.write(says)
          if (next === 'tls') beginTls()
          if (next === 'end') socket.end()
          return next === undefined
        }
        reached.resolve()
        if (deed === 'hangs up') socket.end()
        else if (deed === 'resets') resetSocket(raw)
        else if (deed === 'silence') return false
        else if ('repeats' in deed) goOn(socket, deed.repeats)
        else {
          socket.write(dialogue.withNumber?.(deed.says) ?? deed.says)
          if (deed.thenTls) beginTls()
          if (deed.thenEnds) socket.end()
          return !deed.thenTls && !deed.thenEnds
        }
        return false
      }
      const beginTls = () => {
        socket.off('data', read)
        // A client that need not wait for an answer has begun its handshake.
        socket.pause()
        if (held.length > 0) socket.unshift(held)
        isSecret = true
        converse(secure(raw, dialogue.through?.(raw)), null)
      }
      const read = (piece: Buffer) => {
        held = Buffer.concat([held, piece])
        const { lengthOf } = dialogue
        const next = () => (lengthOf ? lengthOf(held) : held.indexOf('\n') + 1)
        for (let end = next(); end > 0; end = next()) {
          const line = lengthOf
            ? held.toString('latin1', 0, end)
            : held.toString('utf8', 0, end).replace(/\r?\n$/, '')
          held = held.subarray(end)
          heard.push({ line, isSecret })
          if (!act(dialogue.answer(line))) return
        }
      }
      socket.on('data', read)
      if (greeting !== null) act({ step: 'greeting', says: greeting })
    }
    converse(how === 'implicit' ? secure(raw) : raw, dialogue.greeting)
  }

  const server = net.createServer(take)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    for (const socket of open) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return {
    port: (server.address() as net.AddressInfo).port,
    heard,
    accepted: () => accepted,
    reached: reached.promise,
    allClosed: async () => {
      await Promise.all(Array.from(open, (socket) => new Promise((resolve) => socket.once('close', resolve))))
    },
  }
}

const PIECE_LENGTH = 16_384

/** The same again and again, as fast as it is taken. */
export function goOn(socket: Socket, text: string | Buffer): void {
  const piece = Buffer.alloc(PIECE_LENGTH - (PIECE_LENGTH % text.length), text)
  const write = () => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once('drain', write)
  }
  write()
}
