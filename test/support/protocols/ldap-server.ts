import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import tls, { TLSSocket } from 'node:tls'
import * as ber from '../../../src/probes/packets/ber.ts'
import { Cursor } from '../../../src/probes/packets/cursor.ts'
import { resetSocket } from '../reset-socket.ts'
import type { Scope } from '../scope.ts'
import type { ServerCertificate } from '../servers/certificates.ts'

export type LdapStep = 'search' | 'starttls' | 'bind' | 'entry'
export type LdapDeed = 'silence' | 'hangs up' | 'resets' | 'endless' | Buffer

export type LdapOptions = {
  tls?: 'implicit' | 'starttls'
  certificate?: ServerCertificate
  user?: { name: string; password: string }
  entries?: Record<string, Record<string, string[]>>
  instead?: Partial<Record<LdapStep, LdapDeed>>
}

const START_TLS = '1.3.6.1.4.1.1466.20037'
const PIECE_LENGTH = 16_384

/** A directory on the loopback, honest but for what it does `instead`. */
export async function startLdapServer(
  scope: Scope,
  { tls: how, certificate, user, entries = {}, instead = {} }: LdapOptions = {},
): Promise<{ port: number; heard: string[]; reached: Promise<void> }> {
  const open = new Set<Socket>()
  const heard: string[] = []
  const reached = Promise.withResolvers<void>()
  const secureContext = certificate && tls.createSecureContext(certificate)
  const secure = (raw: Socket) => {
    const socket = new TLSSocket(raw, { isServer: true, secureContext })
    socket.on('error', () => raw.destroy())
    socket.on('end', () => raw.destroy())
    return socket
  }

  const converse = (raw: Socket, socket: Socket, isSecret: boolean) => {
    let held = Buffer.alloc(0)
    const read = (piece: Buffer) => {
      held = Buffer.concat([held, piece])
      for (let length = ber.wholeLength(held, 0x30); length !== null && held.length >= length; ) {
        const message = ber.enter(new Cursor(held.subarray(0, length)))
        held = held.subarray(length)
        const id = Number(ber.integerIn(ber.expect(message, ber.TAGS.integer)))
        const { tag, value } = ber.read(message)
        if (!act(id, tag, new Cursor(value))) return
        length = ber.wholeLength(held, 0x30)
      }
    }
    const say = (id: number, tag: number, code: number, text = '') =>
      socket.write(
        ber.encode(
          0x30,
          ber.encodeInteger(id),
          ber.encode(
            tag,
            ber.encodeInteger(code, ber.TAGS.enumerated),
            ber.encode(ber.TAGS.octets),
            ber.encode(ber.TAGS.octets, text),
          ),
        ),
      )
    /** False where the talk is over, or goes on over TLS. */
    const act = (id: number, tag: number, body: Cursor): boolean => {
      if (tag === 0x60) {
        ber.expect(body, ber.TAGS.integer)
        const name = ber.expect(body, ber.TAGS.octets).toString()
        const password = ber.expect(body, 0x80).toString()
        heard.push(`bind ${name}${isSecret ? ' over TLS' : ''}`)
        if (does('bind')) return false
        const isRight = name === user?.name && password === user.password
        say(id, 0x61, isRight ? 0 : 49)
        return true
      }
      if (tag === 0x77) {
        const isOffered = how === 'starttls' && !isSecret && ber.expect(body, 0x80).toString() === START_TLS
        if (does('starttls')) return false
        say(id, 0x78, isOffered ? 0 : 2, isOffered ? '' : 'unsupported extended operation')
        if (!isOffered) return true
        socket.off('data', read)
        converse(raw, secure(raw), true)
        return false
      }
      const base = ber.expect(body, ber.TAGS.octets).toString()
      heard.push(`search ${base}`)
      if (does(base === '' ? 'search' : 'entry')) return false
      const entry =
        base === ''
          ? { supportedExtension: how === 'starttls' && !isSecret ? [START_TLS] : [], vendorName: ['Test'] }
          : entries[base]
      if (entry) socket.write(entryOf(id, base, entry))
      say(id, 0x65, entry ? 0 : 32)
      return true
    }
    const does = (step: LdapStep): boolean => {
      const deed = instead[step]
      if (deed === undefined) return false
      reached.resolve()
      if (deed === 'hangs up') socket.end()
      else if (deed === 'resets') resetSocket(raw)
      else if (deed === 'endless') goOn(socket)
      else if (deed !== 'silence') socket.write(deed)
      return true
    }
    socket.on('data', read)
  }

  const server = net.createServer((raw) => {
    open.add(raw)
    raw.on('error', () => {})
    raw.once('close', () => open.delete(raw))
    converse(raw, how === 'implicit' ? secure(raw) : raw, how === 'implicit')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    for (const socket of open) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as net.AddressInfo).port, heard, reached: reached.promise }
}

function entryOf(id: number, base: string, entry: Record<string, string[]>): Buffer {
  const attributes = Object.entries(entry).map(([name, values]) =>
    ber.encode(
      0x30,
      ber.encode(ber.TAGS.octets, name),
      ber.encode(0x31, ...values.map((value) => ber.encode(ber.TAGS.octets, value))),
    ),
  )
  return ber.encode(
    0x30,
    ber.encodeInteger(id),
    ber.encode(0x64, ber.encode(ber.TAGS.octets, base), ber.encode(0x30, ...attributes)),
  )
}

/** Entries without an end. */
function goOn(socket: Socket): void {
  const one = entryOf(1, '', { a: ['b'] })
  const piece = Buffer.concat(Array(Math.ceil(PIECE_LENGTH / one.length)).fill(one))
  const write = () => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once('drain', write)
  }
  write()
}
