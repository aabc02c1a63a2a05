import { parseTarget } from '../../core/monitors/target.ts'
import { offersOnlyTls, routedElsewhere } from '../../core/monitors/types/causes.ts'
import type { Talk } from '../lines/talk.ts'
import { Cursor, Garbled } from '../packets/cursor.ts'
import { Columns } from './columns.ts'
import {
  type DatabaseEngine,
  DatabaseRefusal,
  type DatabaseSession,
  type DatabaseUser,
  MAX_ROWS,
  type NoSignIn,
  type QueryResult,
} from './engine.ts'
import { carryHandshake, HEAD_BYTES, MAX_PACKET_BYTES, PRELOGIN, packetsOf } from './sqlserver-handshake.ts'
import { type ColumnReader, readerIn } from './sqlserver-values.ts'

/*
 * The protocol of SQL Server ("Tabular Data Stream", MS-TDS), as far as a check goes: version 7.4, or 8.0 where TLS begins with the first byte.
 * The usual driver begins TLS by itself, and dials the server that another one names.
 */

const NAME = 'SQL Server'
const REPLY = 0x04
const LOGIN = 0x10
const BATCH = 0x01

const VERSION_7_4 = 0x7400_0004
const VERSION_8 = 0x0800_0000
/** The words of either side for encryption (section 2.2.6.5). */
const ENCRYPTED = 1
const NOT_SUPPORTED = 2
const REQUIRED = 3
const OFF = 0

/** Bounds of names and passwords, in UTF-16 units (section 2.2.6.4). */
const MAX_NAME_LENGTH = 128
const LOGIN_HEAD_BYTES = 94
const READ_ONLY_INTENT = 0x20
/** A database or a language that is not there is an error, and settings are those of ODBC: ANSI's. */
const DATABASE_IS_NEEDED = 0xe0
const USUAL_SETTINGS = 3
const NO_WRITING = /[?&]ApplicationIntent=ReadWrite(?:&|#|$)/i

/** Tokens of answers (section 2.2.7), by what is behind their first byte. */
const COLUMNS = 0x81
const ROW = 0xd1
const SPARSE_ROW = 0xd2
const ERROR = 0xaa
const SIGNED_IN = 0xad
const CHANGED = 0xe3
const RETURN_STATUS = 0x79
const SESSION_STATE = 0xe4
/** INFO, ORDER, TABNAME, COLINFO, SSPI: with a length of two bytes. */
const PASSED_OVER = new Set([0xab, 0xa9, 0xa4, 0xa5, 0xed])
const DONE = new Set([0xfd, 0xfe, 0xff])
const DONE_BYTES = 12
const ROUTED = 20
const NO_COLUMNS = 0xffff

export const SQL_SERVER: DatabaseEngine = {
  name: NAME,
  alpn: ['tds/8.0'],
  usualQuery: 'select 1',
  carrier: { carry: carryHandshake, maxVersion: 'TLSv1.2' },
  begin: (database, { url }) =>
    begin({ database, onlyReads: !NO_WRITING.test(url), host: parseTarget(url)?.hostname ?? '' }),
}

/** `host`: as the URL names it, since one gateway answers for many servers. */
type Place = { database: string | null; onlyReads: boolean; host: string }

function begin(place: Place): DatabaseSession {
  let isBegun = false

  /** Says first how the connection is to be encrypted; resolves with the server's word for it. */
  async function prelogin(talk: Talk, wanted: number): Promise<number> {
    isBegun = true
    talk.write(packetsOf(PRELOGIN, preloginOf(wanted)))
    return encryptionIn(await message(talk))
  }

  async function signIn(
    talk: Talk,
    { name, password, isSecret, allowsClear }: DatabaseUser,
  ): Promise<NoSignIn | null> {
    const isStrict = !isBegun && isSecret
    if (!isBegun) {
      const answer = await prelogin(talk, NOT_SUPPORTED)
      if (!isSecret && (answer === ENCRYPTED || answer === REQUIRED))
        throw new DatabaseRefusal(offersOnlyTls())
    }
    // Its password is hidden from no one who reads along.
    if (!isSecret && !allowsClear) return 'clear'
    const version = isStrict ? VERSION_8 : VERSION_7_4
    talk.write(packetsOf(LOGIN, loginOf({ name, password, version, ...place })))
    let isIn = false
    for (const { token, body } of tokensIn(await message(talk))) {
      if (token === SIGNED_IN) isIn = true
      if (token === CHANGED && body.byte() === ROUTED) throw new DatabaseRefusal(routeIn(body))
    }
    if (!isIn) throw new Garbled()
    return null
  }

  async function ask(talk: Talk, query: string, limitMs: number): Promise<QueryResult> {
    const batch = [
      `SET NOCOUNT ON; SET ROWCOUNT ${MAX_ROWS + 1}; SET LOCK_TIMEOUT ${Math.ceil(limitMs)}; BEGIN TRANSACTION;`,
      query,
      '; IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION',
    ].join('\n')
    talk.write(packetsOf(BATCH, Buffer.concat([noTransaction(), utf16(batch)])))
    const columns = new Columns()
    Array.from(tokensIn(await message(talk), columns))
    return columns.found()
  }

  return {
    async startTls(talk) {
      const answer = await prelogin(talk, ENCRYPTED)
      return answer === ENCRYPTED || answer === REQUIRED
    },
    signIn,
    ask,
  }
}

/** The next message of the server, of all its packets. */
async function message(talk: Talk): Promise<Cursor> {
  const bodies: Buffer[] = []
  for (;;) {
    const head = await talk.frame(() => HEAD_BYTES)
    const length = head.readUInt16BE(2)
    if (head[0] !== REPLY || length < HEAD_BYTES || (head[1] ?? 0) > 1) throw new Garbled()
    bodies.push(await talk.frame(() => length - HEAD_BYTES))
    if (head[1] === 1) return new Cursor(Buffer.concat(bodies))
  }
}

/** Our word for encryption, between a version and an instance that no server looks at (section 2.2.6.5). */
function preloginOf(encryption: number): Buffer {
  const options: [token: number, value: Buffer][] = [
    [0, Buffer.from([1, 0, 0, 0, 0, 0])],
    [1, Buffer.of(encryption)],
    [2, Buffer.of(0)],
    [3, Buffer.alloc(4)],
    [4, Buffer.of(0)],
  ]
  let at = options.length * 5 + 1
  const heads = options.map(([token, { length }]) => {
    const head = Buffer.alloc(5)
    head[0] = token
    head.writeUInt16BE(at, 1)
    head.writeUInt16BE(length, 3)
    at += length
    return head
  })
  return Buffer.concat([...heads, Buffer.of(0xff), ...options.map(([, value]) => value)])
}

function encryptionIn(answer: Cursor): number {
  for (let token = answer.byte(); token !== 0xff; token = answer.byte()) {
    const [at, length] = [answer.uint16(), answer.uint16()]
    const value = answer.bytes.subarray(at, at + length)
    const [word] = value
    if (token !== 1) continue
    if (word === undefined || word > REQUIRED) throw new Garbled()
    return word
  }
  return OFF
}

/** LOGIN7 (section 2.2.6.4): a fixed head, in which places and lengths of texts stand that follow. */
function loginOf(login: Place & { name: string; password: string; version: number }): Buffer {
  const head = Buffer.alloc(LOGIN_HEAD_BYTES)
  head.writeUInt32LE(login.version, 4)
  head.writeUInt32LE(MAX_PACKET_BYTES, 8)
  head[24] = DATABASE_IS_NEEDED
  head[25] = USUAL_SETTINGS
  head[26] = login.onlyReads ? READ_ONLY_INTENT : 0
  const texts: Buffer[] = []
  let at = LOGIN_HEAD_BYTES
  const put = (place: number, text: Buffer) => {
    head.writeUInt16LE(at, place)
    head.writeUInt16LE(text.length / 2, place + 2)
    texts.push(text)
    at += text.length
  }
  const none = Buffer.alloc(0)
  put(36, named('upbeat'))
  put(40, named(login.name))
  put(44, hidden(named(login.password)))
  put(48, named('upbeat'))
  put(52, named(login.host))
  put(56, none)
  put(60, named('upbeat'))
  put(64, none)
  put(68, named(login.database ?? ''))
  // Behind the number of a device: what other ways to sign in need.
  for (const place of [78, 82, 86]) put(place, none)
  head.writeUInt32LE(at, 0)
  return Buffer.concat([head, ...texts])
}

function named(text: string): Buffer {
  return utf16(text.slice(0, MAX_NAME_LENGTH))
}

/** Both halves of each byte are swapped, and some bits turned. */
function hidden(password: Buffer): Buffer {
  return Buffer.from(password.map((byte) => (((byte & 15) << 4) | (byte >> 4)) ^ 0xa5))
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le')
}

/** The headers of a batch (section 2.2.5.3): it is the only one, and in no transaction. */
function noTransaction(): Buffer {
  const headers = Buffer.alloc(22)
  headers.writeUInt32LE(22, 0)
  headers.writeUInt32LE(18, 4)
  headers.writeUInt16LE(2, 8)
  headers.writeUInt32LE(1, 18)
  return headers
}

/** The tokens of an answer; rows go to `columns`. Throws what the server refuses, and `TooManyRows`. */
function* tokensIn(answer: Cursor, columns?: Columns): Generator<{ token: number; body: Cursor }> {
  let readers: ColumnReader[] = []
  while (answer.left > 0) {
    const token = answer.byte()
    let body = new Cursor(Buffer.alloc(0))
    if (token === ERROR) throw new DatabaseRefusal(errorIn(answer))
    if (token === COLUMNS && columns) {
      if (columns.count > 0) throw new DatabaseRefusal('the query gives more than one result')
      readers = readersIn(answer, columns)
    } else if ((token === ROW || token === SPARSE_ROW) && columns && readers.length > 0)
      columns.add(token === ROW ? readers.map((read) => read(answer)) : sparseRow(answer, readers))
    else if (token === SIGNED_IN || token === CHANGED || PASSED_OVER.has(token))
      body = new Cursor(answer.take(answer.uint16LE()))
    else if (DONE.has(token)) answer.take(DONE_BYTES)
    else if (token === RETURN_STATUS) answer.take(4)
    else if (token === SESSION_STATE) answer.take(answer.uint32LE())
    else throw new Garbled()
    yield { token, body }
  }
}

function readersIn(answer: Cursor, columns: Columns): ColumnReader[] {
  const count = answer.uint16LE()
  if (count === NO_COLUMNS) return []
  // Each has seven bytes at least.
  if (count > answer.left) throw new Garbled()
  return Array.from({ length: count }, () => {
    // The type of the user, and what the column may hold.
    answer.take(6)
    const { kind, unread, read } = readerIn(answer)
    if (unread !== undefined)
      throw new DatabaseRefusal(
        `the query gives a column of the type ${unread}, which checks do not read: cast it`,
      )
    columns.name(textIn(answer, answer.byte()), kind)
    return read
  })
}

/** A row of which bits say first which values are NULL. */
function sparseRow(answer: Cursor, readers: readonly ColumnReader[]): (string | null)[] {
  const bits = answer.take(Math.ceil(readers.length / 8))
  return readers.map((read, at) => (((bits[at >> 3] ?? 0) >> (at & 7)) & 1 ? null : read(answer)))
}

/** The words of an error, behind its number, its state and its class. */
function errorIn(answer: Cursor): string {
  const body = new Cursor(answer.take(answer.uint16LE()))
  body.take(6)
  return textIn(body, body.uint16LE())
}

/** The server sends to another one, behind the length of the value, the protocol, and the port. */
function routeIn(body: Cursor): string {
  body.take(3)
  const port = body.uint16LE()
  return routedElsewhere(textIn(body, body.uint16LE()), port)
}

function textIn(body: Cursor, length: number): string {
  return body.take(2 * length).toString('utf16le')
}
