import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import tls, { TLSSocket } from 'node:tls'
import { type Deed, goOn, type User } from '../line-servers/line-server.ts'
import { resetSocket } from '../reset-socket.ts'
import type { Scope } from '../scope.ts'
import type { ServerCertificate } from '../servers/certificates.ts'

/** The parts of a visit, in their order. */
export const STEPS = ['greeting', 'sign-in', 'subscribe', 'publish', 'message', 'farewell'] as const
export type Step = (typeof STEPS)[number]

/** An honest answer; `next`: TLS begins behind it, or the connection ends. */
export type Said = { step: Step; bytes: Buffer; next?: 'tls' | 'end' }

/** The server's side of a protocol; one per connection. */
export type BrokerDialogue = {
  greeting?: Buffer
  /** Reads the first message of what is held; null while it is not whole. */
  hear(held: Buffer): { used: number; says: Said[] } | null
}

export type BrokerFacts = {
  user: User | null
  /** Sent to each who subscribes: what the broker had before, and what others send then. */
  kept: readonly Buffer[]
  others: readonly Buffer[]
  /** It refuses subscriptions, or messages. */
  denies: 'subscribe' | 'publish' | null
  /** TLS is offered, and not begun yet. */
  offersTls: () => boolean
  /** The port that it listens at. */
  port: number
}

export type BrokerServerOptions = {
  tls?: 'implicit' | 'starttls'
  certificate?: ServerCertificate
  user?: User
  kept?: readonly string[]
  others?: readonly string[]
  denies?: BrokerFacts['denies']
  instead?: Partial<Record<Step, Deed>>
}

export type BrokerServer = {
  port: number
  /** All bytes that clients sent, and whether they came over TLS. */
  heard: { bytes: Buffer; isSecret: boolean }[]
  accepted: () => number
  /** Resolves once it has done something instead. */
  reached: Promise<void>
  allClosed: () => Promise<void>
}

/** A broker on the loopback, honest but for what it does `instead`. */
export async function startBroker(
  scope: Scope,
  speak: (facts: BrokerFacts) => BrokerDialogue,
  options: BrokerServerOptions = {},
): Promise<BrokerServer> {
  const { tls: how, certificate, user, kept = [], others = [], denies = null, instead = {} } = options
  const heard: BrokerServer['heard'] = []
  const open = new Set<Socket>()
  let accepted = 0
  const reached = Promise.withResolvers<void>()
  const secureContext = certificate && tls.createSecureContext({ ...certificate })

  const secure = (raw: Socket) => {
    const socket = new TLSSocket(raw, { isServer: true, secureContext })
    for (const event of ['error', 'end', 'close']) socket.on(event, () => raw.destroy())
    return socket
  }
  const take = (raw: Socket) => {
    accepted++
    open.add(raw)
    raw.on('error', () => {})
    raw.once('close', () => open.delete(raw))
    let isSecret = how === 'implicit'
    const dialogue = speak({
      ...{ user: user ?? null, denies, port: (server.address() as net.AddressInfo).port },
      kept: kept.map((text) => Buffer.from(text)),
      others: others.map((text) => Buffer.from(text)),
      offersTls: () => how === 'starttls' && !isSecret,
    })
    const converse = (socket: Socket, greeting?: Buffer) => {
      let held: Buffer = Buffer.alloc(0)
      /** Does it; false where the visit is over, or goes on over TLS. */
      const act = ({ step, bytes, next }: Said): boolean => {
        const deed = instead[step]
        if (deed === undefined) {
          if (bytes.length > 0) socket.write(bytes)
          if (next === 'tls') beginTls()
          if (next === 'end') socket.end()
          return next === undefined
        }
        reached.resolve()
        if (deed === 'hangs up') socket.end()
        else if (deed === 'resets') resetSocket(raw)
        else if (deed !== 'silence' && 'repeats' in deed) goOn(socket, deed.repeats)
        else if (deed !== 'silence') {
          socket.write(deed.says)
          if (deed.thenEnds) socket.end()
          if (deed.thenTls) beginTls()
        }
        return false
      }
      const read = (piece: Buffer) => {
        heard.push({ bytes: piece, isSecret })
        held = Buffer.concat([held, piece])
        for (let one = dialogue.hear(held); one !== null; one = dialogue.hear(held)) {
          held = held.subarray(one.used)
          if (!one.says.every(act)) {
            socket.off('data', read)
            // It is read to its end, so that a client that goes is noticed.
            socket.resume()
            return
          }
        }
      }
      const beginTls = () => {
        socket.off('data', read)
        isSecret = true
        converse(secure(raw))
      }
      socket.on('data', read)
      // Where TLS is a matter of the greeting, it begins at once behind it.
      if (greeting) act({ step: 'greeting', bytes: greeting, ...(how === 'starttls' && { next: 'tls' }) })
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
