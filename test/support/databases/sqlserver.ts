import { carryHandshake, packetsOf } from '../../../src/probes/databases/sqlserver-handshake.ts'
import type { Answer, Dialogue, DialogueOptions } from '../line-servers/line-server.ts'

const HEAD_BYTES = 8
const LOGIN_HEAD_BYTES = 94
const REPLY = 4
const [OFF, ON, NOT_SUPPORTED, REQUIRED] = [0, 1, 2, 3]

/** The habits of servers, by words in `signIns`. */
const ONLY_TLS = 'only over TLS'
const ROUTING = 'sends to another one'

/** The server's side of the protocol of SQL Server, with one row of one number for every query. */
export function speakSqlserver({ offersTls, user, signIns }: DialogueOptions): Dialogue {
  const has = (way: string) => signIns?.includes(way) === true
  let isGreeted = false

  const prelogin = (body: Buffer): Answer => {
    isGreeted = true
    const wanted = optionIn(body, 1)
    if (wanted === ON && offersTls()) return { step: 'starttls', says: preloginOf(ON), next: 'tls' }
    return { step: 'starttls', says: preloginOf(has(ONLY_TLS) ? REQUIRED : NOT_SUPPORTED) }
  }
  const login = (body: Buffer): Answer => {
    if (!isGreeted || body.readUInt32LE(0) !== body.length) throw new Error('a wrong beginning or length')
    if (![0x7400_0004, 0x0800_0000].includes(body.readUInt32LE(4))) throw new Error('a wrong version')
    const textAt = (place: number) => {
      const [at, length] = [body.readUInt16LE(place), 2 * body.readUInt16LE(place + 2)]
      if (at < LOGIN_HEAD_BYTES || at + length > body.length) throw new Error('a text outside of the message')
      return body.subarray(at, at + length)
    }
    if (textAt(52).length === 0) throw new Error('no name of the server')
    const name = textAt(40).toString('utf16le')
    const password = Buffer.from(textAt(44).map((byte) => turned(byte ^ 0xa5))).toString('utf16le')
    if (user !== null && (name !== user.name || password !== user.password))
      return { step: 'sign-in', says: refusal(`Login failed for user '${name}'.`, 18_456) }
    const changed = token(0xe3, Buffer.concat([Buffer.of(1), text8('shop'), text8('master')]))
    const info = token(0xab, errorOf(5_701, "Changed database context to 'shop'."))
    const version = Buffer.from([16, 0, 0, 0])
    const welcome = token(
      0xad,
      Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4]), text8('Microsoft SQL Server'), version]),
    )
    const route = has(ROUTING) ? [routeTo('db2.example', 1_434)] : []
    return { step: 'sign-in', says: reply([changed, info, welcome, ...route, done()]) }
  }
  const batch = (body: Buffer): Answer => {
    const length = body.readUInt32LE(0)
    if (length !== 22 || body.readUInt16LE(8) !== 2 || body.readUInt32LE(18) !== 1)
      throw new Error('wrong headers')
    const query = body.toString('utf16le', length)
    if (!/BEGIN TRANSACTION;\n.*\n; IF @@TRANCOUNT > 0 ROLLBACK/s.test(query))
      throw new Error('no transaction')
    return {
      step: 'query',
      says: reply([columns([['count', Buffer.of(56)]]), Buffer.from([0xd1, 7, 0, 0, 0]), done()]),
    }
  }

  return {
    greeting: null,
    through: carryHandshake,
    lengthOf(held) {
      for (let at = 0; at + HEAD_BYTES <= held.length; ) {
        const end = at + held.readUInt16BE(at + 2)
        if (held[at + 1] === 1) return end <= held.length ? end : 0
        at = end
      }
      return 0
    },
    answer(line) {
      const bytes = Buffer.from(line, 'latin1')
      const body = bodyOf(bytes)
      switch (bytes[0]) {
        case 0x12:
          return prelogin(body)
        case 0x10:
          return login(body)
        case 1:
          return batch(body)
        default:
          throw new Error('a message that no client sends')
      }
    },
  }
}

function bodyOf(bytes: Buffer): Buffer {
  const bodies: Buffer[] = []
  for (let at = 0; at < bytes.length; at += bytes.readUInt16BE(at + 2))
    bodies.push(bytes.subarray(at + HEAD_BYTES, at + bytes.readUInt16BE(at + 2)))
  return Buffer.concat(bodies)
}

function optionIn(body: Buffer, token: number): number {
  for (let at = 0; body[at] !== 0xff; at += 5)
    if (body[at] === token) return body[body.readUInt16BE(at + 1)] ?? OFF
  throw new Error('no such option')
}

/** The words of a server before the sign-in: its version, and whether it encrypts. */
export function preloginOf(encryption: number): Buffer {
  const heads = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff])
  return packetsOf(REPLY, Buffer.concat([heads, Buffer.from([16, 0, 4, 0, 0, 0]), Buffer.of(encryption)]))
}

export const AGREES_TO_TLS = preloginOf(ON)

/** A message of the server, of tokens. */
export function reply(tokens: readonly Buffer[]): Buffer {
  return packetsOf(REPLY, Buffer.concat(tokens))
}

export function refusal(why: string, number = 208): Buffer {
  return reply([token(0xaa, errorOf(number, why)), done(2)])
}

export function done(status = 0): Buffer {
  return Buffer.from([0xfd, status, 0, ...Buffer.alloc(10)])
}

/** The description of columns by their names and types. */
export function columns(described: readonly [name: string, type: Buffer][]): Buffer {
  const each = described.map(([name, type]) => Buffer.concat([Buffer.alloc(6), type, text8(name)]))
  return Buffer.concat([Buffer.of(0x81), uint16(described.length), ...each])
}

/** The answer to a query: rows of one text without a bound. */
export function rowsOf(values: readonly string[]): Buffer {
  const type = Buffer.from([0xe7, 0xff, 0xff, 9, 4, 0xd0, 0, 0x34])
  const rows = values.map((value) => {
    const bytes = Buffer.from(value, 'utf16le')
    const [whole, piece] = [Buffer.alloc(8), Buffer.alloc(4)]
    whole.writeBigUInt64LE(BigInt(bytes.length))
    piece.writeUInt32LE(bytes.length)
    return Buffer.concat([Buffer.of(0xd1), whole, piece, bytes, Buffer.alloc(4)])
  })
  return reply([columns([['value', type]]), ...rows, done()])
}

function routeTo(host: string, port: number): Buffer {
  const name = Buffer.concat([uint16(host.length), Buffer.from(host, 'utf16le')])
  const value = Buffer.concat([Buffer.of(0), uint16(port), name])
  return token(0xe3, Buffer.concat([Buffer.of(20), uint16(value.length), value, uint16(0)]))
}

function errorOf(number: number, words: string): Buffer {
  const head = Buffer.alloc(6)
  head.writeInt32LE(number)
  head.set([1, 14], 4)
  const text = Buffer.concat([uint16(words.length), Buffer.from(words, 'utf16le')])
  return Buffer.concat([head, text, text8('db'), text8(''), Buffer.alloc(4)])
}

function token(type: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.of(type), uint16(body.length), body])
}

function text8(text: string): Buffer {
  return Buffer.concat([Buffer.of(text.length), Buffer.from(text, 'utf16le')])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function turned(byte: number): number {
  return ((byte & 15) << 4) | (byte >> 4)
}
