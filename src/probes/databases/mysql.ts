import { constants, createHash, publicEncrypt } from 'node:crypto'
import type { Talk } from '../lines/talk.ts'
import { Cursor, Garbled } from '../packets/cursor.ts'
import { Columns, type ValueKind } from './columns.ts'
import {
  type DatabaseEngine,
  DatabaseRefusal,
  type DatabaseSession,
  type DatabaseUser,
  MAX_ROWS,
  type NoSignIn,
  type QueryResult,
} from './engine.ts'

/*
 * The protocol of MySQL and MariaDB ("Client/Server Protocol" of either), as far as a check goes. The usual driver makes code of the names
 * of columns, and begins TLS by itself, with the password right behind it.
 */

const HEAD_BYTES = 4
const MAX_PACKET = 0xff_ffff
const UTF8MB4 = 45
/** Longer is a text of another protocol, read as a length. */
const MAX_GREETING = 1_024
const SALT_BYTES = 20
const PROTOCOL_10 = 10

/** Our abilities ("Capabilities Flags"); without those of several statements and of local files. */
const LONG_PASSWORD = 1
const CONNECT_WITH_DATABASE = 8
const PROTOCOL_41 = 0x200
const TLS = 0x800
const TRANSACTIONS = 0x2000
const SECURE_CONNECTION = 0x8000
const PLUGINS = 0x8_0000
const COMMON = LONG_PASSWORD | PROTOCOL_41 | TRANSACTIONS | SECURE_CONNECTION | PLUGINS

/** Lengths of more than a byte, by their first byte. */
const NULL = 0xfb
const LENGTHS: Record<number, number> = { 252: 2, 253: 3, 254: 8 }

/** First bytes of answers. */
const OK = 0
const MORE = 1
const LOCAL_FILE = 0xfb
const END = 0xfe
const ERROR = 0xff
const END_BYTES = 9

/** Steps of caching_sha2_password. */
const FULL_SIGN_IN = 4
const WANTS_KEY = 2

const QUERY = 3
const QUIT = 1

const NATIVE = 'mysql_native_password'
const SHA2 = 'caching_sha2_password'
/** Ways that send the password as it is. */
const CLEAR = ['mysql_clear_password', 'dialog']

/** Types of columns that are read as numbers, and JSON ("Field Types"). */
const NUMBERS = new Set([0, 1, 2, 3, 4, 5, 8, 9, 13, 246])
const JSON_TYPE = 245

type Greeting = { isMariaDb: boolean; offersTls: boolean; plugin: string; salt: Buffer }

export const MYSQL: DatabaseEngine = { name: 'MySQL', begin }

function begin(database: string | null): DatabaseSession {
  // A server keeps of our abilities what it is told before TLS.
  const abilities = COMMON | (database === null ? 0 : CONNECT_WITH_DATABASE)
  let greeting: Greeting | null = null
  let sequence = 0
  let isAskedForTls = false

  async function next(talk: Talk, max = MAX_PACKET): Promise<Cursor> {
    const head = await talk.frame(() => HEAD_BYTES)
    const length = head.readUIntLE(0, HEAD_BYTES - 1)
    if (length === 0 || length > max) throw new Garbled()
    sequence = ((head[HEAD_BYTES - 1] ?? 0) + 1) % 256
    const body = await talk.frame(() => length)
    if (body[0] === ERROR) throw new DatabaseRefusal(reasonIn(body))
    return new Cursor(body)
  }
  function send(talk: Talk, ...parts: Uint8Array[]): void {
    const body = Buffer.concat(parts)
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUIntLE(body.length, 0, HEAD_BYTES - 1)
    head[HEAD_BYTES - 1] = sequence
    sequence = (sequence + 1) % 256
    talk.write(Buffer.concat([head, body]))
  }

  async function signIn(talk: Talk, user: DatabaseUser): Promise<NoSignIn | null> {
    if (!greeting) throw new Garbled()
    let { plugin, salt } = greeting
    if (plugin !== SHA2) plugin = NATIVE
    const named = database === null ? [] : [text(database)]
    const proof = proofOf(plugin, user.password, salt)
    const can = abilities | (isAskedForTls ? TLS : 0)
    const proven = [Buffer.of(proof.length), proof]
    send(talk, handshakeHead(can), text(user.name), ...proven, ...named, text(plugin))
    for (;;) {
      const packet = await next(talk)
      switch (packet.byte()) {
        case OK:
          return null
        case END: {
          // The older way without a name of its own, or another one.
          if (packet.left === 0) return 'none'
          plugin = packet.text()
          salt = packet.rest().subarray(0, SALT_BYTES)
          if (CLEAR.includes(plugin)) {
            if (!user.allowsClear) return 'clear'
            send(talk, text(user.password))
          } else if (plugin === NATIVE || plugin === SHA2) send(talk, proofOf(plugin, user.password, salt))
          else return 'none'
          break
        }
        case MORE: {
          const fault = await signInFully(talk, user, { packet, salt })
          if (fault) return fault
          break
        }
        default:
          throw new Garbled()
      }
    }
  }

  /** The server has no proof of this password yet, and needs it as it is: over TLS, or sealed by a key of its own. */
  async function signInFully(
    talk: Talk,
    user: DatabaseUser,
    { packet, salt }: { packet: Cursor; salt: Buffer },
  ) {
    if (packet.byte() !== FULL_SIGN_IN) return null
    const password = text(user.password)
    if (user.isSecret) send(talk, password)
    // The key may be that of somebody between.
    else if (!user.allowsClear) return 'clear' as const
    else {
      send(talk, Buffer.of(WANTS_KEY))
      const answer = await next(talk)
      if (answer.byte() !== MORE) throw new Garbled()
      send(
        talk,
        sealed(
          answer.rest(),
          password.map((byte, at) => byte ^ (salt[at % salt.length] ?? 0)),
        ),
      )
    }
    return null
  }

  async function ask(talk: Talk, query: string, limitMs: number): Promise<QueryResult> {
    await command(talk, 'SET SESSION TRANSACTION READ ONLY')
    const most = greeting?.isMariaDb
      ? `max_statement_time=${limitMs / 1_000}`
      : `max_execution_time=${limitMs}`
    // Older servers know no such limits: the check has its own.
    await command(talk, `SET SESSION sql_select_limit=${MAX_ROWS + 1}, ${most}`).catch(passOver)
    const first = await command(talk, query)
    const columns = new Columns()
    const kind = first.bytes[0]
    if (kind === OK) return columns.found()
    // A server may ask for a file of its client.
    if (kind === LOCAL_FILE) throw new DatabaseRefusal('LOAD DATA LOCAL is no query')
    const count = lengthIn(first)
    for (let index = 0; index < count; index++) readColumn(await next(talk), columns)
    if (!isEnd(await next(talk))) throw new Garbled()
    for (;;) {
      const packet = await next(talk)
      if (isEnd(packet)) return columns.found()
      columns.add(Array.from({ length: count }, () => valueIn(packet)?.toString() ?? null))
    }
  }

  async function command(talk: Talk, sql: string): Promise<Cursor> {
    sequence = 0
    send(talk, Buffer.of(QUERY), Buffer.from(sql))
    return next(talk)
  }

  return {
    async greet(talk) {
      greeting = readGreeting(await next(talk, MAX_GREETING))
    },
    async startTls(talk) {
      if (!greeting?.offersTls) return false
      isAskedForTls = true
      send(talk, handshakeHead(abilities | TLS))
      return true
    },
    signIn,
    ask,
    farewell: () => Buffer.of(1, 0, 0, 0, QUIT),
  }
}

function passOver(error: unknown): void {
  if (!(error instanceof DatabaseRefusal)) throw error
}

function readGreeting(packet: Cursor): Greeting {
  if (packet.byte() !== PROTOCOL_10) throw new Garbled()
  const version = packet.text()
  packet.take(4)
  const salt = packet.take(8)
  packet.take(1)
  const low = packet.take(2).readUInt16LE()
  packet.take(3)
  // The other half of what the server can, and ten bytes for later.
  packet.take(13)
  const more = packet.take(SALT_BYTES - salt.length)
  packet.take(1)
  return {
    isMariaDb: /mariadb/i.test(version),
    offersTls: (low & TLS) !== 0,
    plugin: packet.text(),
    salt: Buffer.concat([salt, more]),
  }
}

/** The beginning of our answer to a greeting, which alone asks for TLS. */
function handshakeHead(capabilities: number): Buffer {
  const head = Buffer.alloc(32)
  head.writeUInt32LE(capabilities >>> 0, 0)
  head.writeUInt32LE(MAX_PACKET, 4)
  head[8] = UTF8MB4
  return head
}

/** A proof that we know the password, without it. */
function proofOf(plugin: string, password: string, salt: Buffer): Buffer {
  if (password === '') return Buffer.alloc(0)
  const name = plugin === SHA2 ? 'sha256' : 'sha1'
  const hash = (...parts: Uint8Array[]) => createHash(name).update(Buffer.concat(parts)).digest()
  const once = hash(Buffer.from(password))
  const twice = hash(once)
  const mixed = plugin === SHA2 ? hash(twice, salt) : hash(salt, twice)
  return Buffer.from(once.map((byte, at) => byte ^ (mixed[at] ?? 0)))
}

function sealed(key: Buffer, password: Uint8Array): Buffer {
  try {
    return publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING }, password)
  } catch {
    throw new Garbled()
  }
}

function readColumn(packet: Cursor, columns: Columns): void {
  const BEFORE_NAME = 4
  for (let index = 0; index < BEFORE_NAME; index++) valueIn(packet)
  const name = valueIn(packet)?.toString() ?? ''
  valueIn(packet)
  // Its length, its character set and its width.
  packet.take(7)
  columns.name(name, kindOf(packet.byte()))
}

function kindOf(type: number): ValueKind {
  if (NUMBERS.has(type)) return 'number'
  return type === JSON_TYPE ? 'json' : 'text'
}

function isEnd({ bytes }: Cursor): boolean {
  return bytes[0] === END && bytes.length < END_BYTES
}

/** A number of one to nine bytes. */
function lengthIn(packet: Cursor): number {
  const first = packet.byte()
  const size = LENGTHS[first]
  if (size === undefined) return first
  const bytes = packet.take(size)
  return size > 6 ? Number(bytes.readBigUInt64LE()) : bytes.readUIntLE(0, size)
}

/** Bytes behind their length; null for NULL. */
function valueIn(packet: Cursor): Buffer | null {
  if (packet.bytes[packet.at] === NULL) {
    packet.byte()
    return null
  }
  return packet.take(lengthIn(packet))
}

/** The words of an error, behind its number and its state, which one before the sign-in does not have. */
function reasonIn(body: Buffer): string {
  return body
    .subarray(3)
    .toString()
    .replace(/^#.{5}/s, '')
}

/** Without NUL, which ends it: nothing behind one would be read as what it is. */
function text(value: string): Buffer {
  return Buffer.from(`${value.replaceAll('\0', '')}\0`)
}
