import { createHash } from 'node:crypto'
import { i16, i32 } from '../brokers/fields.ts'
import type { Talk } from '../lines/talk.ts'
import { Garbled } from '../packets/cursor.ts'
import { createScram, type Scram } from '../signing-in/scram.ts'
import { Columns } from './columns.ts'
import {
  type DatabaseEngine,
  DatabaseRefusal,
  type DatabaseUser,
  MAX_ROWS,
  type QueryResult,
  TooManyRows,
} from './engine.ts'

/*
 * The protocol of PostgreSQL, version 3 ("Frontend/Backend Protocol" of its manual), as far as a check goes. The parser of the driver `pg`
 * throws within the event of its socket at a message that ends too soon: a hostile server would end the thread that checks.
 */

const VERSION_3 = 196_608
const WANTS_TLS = 80_877_103
const HEAD_BYTES = 5
const LENGTH_BYTES = 4
const INT16_BYTES = 2
/** The server itself sends nothing longer. */
const MAX_LENGTH = 0x3fff_ffff
/** Sign-ins by their numbers ("Message Formats", Authentication…). */
const DONE = 0
const CLEAR_TEXT = 3
const MD5 = 5
const SASL = 10
const SASL_GOES_ON = 11
const SASL_ENDS = 12
const SCRAM_SHA_256 = 'SCRAM-SHA-256'

/** The types of values that are read as more than text (pg_type). */
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1_700])
const BOOLEAN = 16
const JSONS = new Set([114, 3_802])

type Message = { type: string; body: Buffer }

export const POSTGRESQL: DatabaseEngine = {
  name: 'PostgreSQL',
  alpn: ['postgresql'],
  begin: (database) => ({
    async startTls(talk) {
      talk.write(Buffer.concat([i32(2 * LENGTH_BYTES), i32(WANTS_TLS)]))
      const [answer] = await talk.frame(() => 1)
      if (answer === letter('S')) return true
      // An error as servers before version 7.0 have it, or something else.
      if (answer !== letter('N')) throw new Garbled()
      return false
    },
    signIn: (talk, user) => signIn(talk, user, database),
    ask,
    farewell: () => message('X'),
  }),
}

async function signIn(talk: Talk, { name, password, allowsClear }: DatabaseUser, database: string | null) {
  const settings = {
    user: name,
    ...(database !== null && { database }),
    client_encoding: 'UTF8',
    application_name: 'upbeat',
  }
  const texts = Object.entries(settings).flatMap(([key, value]) => [text(key), text(value)])
  const startup = Buffer.concat([i32(VERSION_3), ...texts, Buffer.of(0)])
  talk.write(Buffer.concat([i32(startup.length + LENGTH_BYTES), startup]))
  let scram: Scram | null = null
  let isIn = false
  for (;;) {
    const { type, body } = await next(talk)
    if (type === 'Z' && isIn) return null
    if (type !== 'R') continue
    const rest = body.subarray(LENGTH_BYTES)
    switch (body.length < LENGTH_BYTES ? null : body.readInt32BE()) {
      case DONE:
        // One that knows us by other means, such as our address, wants no proof.
        isIn = true
        break
      case CLEAR_TEXT:
        if (!allowsClear) return 'clear' as const
        talk.write(message('p', text(password)))
        break
      case MD5:
        talk.write(message('p', text(`md5${md5(md5(password + name), rest.subarray(0, LENGTH_BYTES))}`)))
        break
      case SASL: {
        if (!textsIn(rest).includes(SCRAM_SHA_256)) return 'none' as const
        // The server has the name already, and reads none here.
        scram = createScram('sha256', { name: '', password })
        const first = Buffer.from(scram.first)
        talk.write(message('p', text(SCRAM_SHA_256), i32(first.length), first))
        break
      }
      case SASL_GOES_ON: {
        const final = await scram?.final(rest.toString())
        if (!final) throw new Garbled()
        talk.write(message('p', Buffer.from(final)))
        break
      }
      case SASL_ENDS:
        if (!scram?.isProven(rest.toString())) throw new Garbled()
        break
      default:
        return 'none' as const
    }
  }
}

async function ask(talk: Talk, query: string, limitMs: number): Promise<QueryResult> {
  // A server does not see that a check has gone while it computes.
  talk.write(message('Q', text(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${limitMs}`)))
  while ((await next(talk)).type !== 'Z');
  // Each message has one statement, so that none ends the transaction and goes on without it.
  const unnamed = text('')
  talk.write(
    Buffer.concat([
      message('P', unnamed, text(query), i16(0)),
      message('B', unnamed, unnamed, i16(0), i16(0), i16(0)),
      message('D', Buffer.from('P'), unnamed),
      message('E', unnamed, i32(MAX_ROWS + 1)),
      message('S'),
    ]),
  )
  const columns = new Columns()
  for (;;) {
    const { type, body } = await next(talk)
    if (type === 'Z') return columns.found()
    if (type === 'T') readColumns(body, columns)
    if (type === 'D') columns.add(readRow(body))
    if (type === 's') throw new TooManyRows()
    // COPY gives or takes data, as replication does.
    if (type === 'G' || type === 'H' || type === 'W') throw new DatabaseRefusal('COPY is no query')
  }
}

function readColumns(body: Buffer, columns: Columns): void {
  const BEHIND_NAME = 18
  const TYPE_AT = 6
  const count = uint16(body, 0)
  let at = INT16_BYTES
  for (let index = 0; index < count; index++) {
    const end = body.indexOf(0, at)
    if (end < 0 || end + 1 + BEHIND_NAME > body.length) throw new Garbled()
    const type = body.readUInt32BE(end + 1 + TYPE_AT)
    columns.name(body.toString('utf8', at, end), kindOf(type))
    at = end + 1 + BEHIND_NAME
  }
}

function kindOf(type: number) {
  if (NUMBERS.has(type)) return 'number'
  if (JSONS.has(type)) return 'json'
  return type === BOOLEAN ? 'boolean' : 'text'
}

function readRow(body: Buffer): (string | null)[] {
  const count = uint16(body, 0)
  const values: (string | null)[] = []
  let at = INT16_BYTES
  for (let index = 0; index < count; index++) {
    if (at + LENGTH_BYTES > body.length) throw new Garbled()
    const length = body.readInt32BE(at)
    at += LENGTH_BYTES
    const end = at + Math.max(0, length)
    if (end > body.length) throw new Garbled()
    values.push(length < 0 ? null : body.toString('utf8', at, end))
    at = end
  }
  return values
}

/** The next message. Rejects with what the server refuses, which ends most of what can be asked. */
async function next(talk: Talk): Promise<Message> {
  const head = await talk.frame(() => HEAD_BYTES)
  const type = String.fromCharCode(head[0] ?? 0)
  const length = head.readUInt32BE(1) - LENGTH_BYTES
  // A text of another protocol, read as a length, makes no sense.
  if (!/[A-Za-z1-3]/.test(type) || length < 0 || length > MAX_LENGTH) throw new Garbled()
  const body = await talk.frame(() => length)
  if (type === 'E') throw new DatabaseRefusal(reasonIn(body))
  return { type, body }
}

/** The field `M` of an error: what it says to people. */
function reasonIn(body: Buffer): string {
  const fields = body.toString().split('\0')
  return fields.find((field) => field.startsWith('M'))?.slice(1) ?? ''
}

function message(type: string, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), i32(body.length + LENGTH_BYTES), body])
}

/** Without NUL, which ends it: nothing behind one would be read as what it is. */
function text(value: string): Buffer {
  return Buffer.from(`${value.replaceAll('\0', '')}\0`)
}

function textsIn(bytes: Buffer): string[] {
  return bytes.toString().split('\0')
}

function uint16(bytes: Buffer, at: number): number {
  if (bytes.length < at + INT16_BYTES) throw new Garbled()
  return bytes.readUInt16BE(at)
}

function letter(one: string): number {
  return one.charCodeAt(0)
}

function md5(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
