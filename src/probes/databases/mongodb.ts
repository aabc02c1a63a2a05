import { createHash } from 'node:crypto'
import {
  isOfAdmin,
  nameOfCommand,
  readJsonCommand,
} from '../../core/monitors/options/protocols/json-command.ts'
import type { Talk } from '../lines/talk.ts'
import { Cursor, Garbled } from '../packets/cursor.ts'
import { createScram, type ScramHash } from '../signing-in/scram.ts'
import { bsonOf, documentIn, int32, type JsonDocument } from './bson.ts'
import {
  type DatabaseEngine,
  DatabaseRefusal,
  type DatabaseSession,
  type DatabaseUser,
  MAX_ROWS,
  type NoSignIn,
  type QueryResult,
  TooManyRows,
} from './engine.ts'
import { findMembers } from './mongodb-members.ts'

/*
 * The wire protocol of MongoDB ("MongoDB Wire Protocol" and "OP_MSG" of its specifications), as far as a check goes. The usual driver dials by
 * itself the members that a server names, past every policy of addresses, and keeps a second connection that outlives the check.
 */

const NAME = 'MongoDB'
const ADMIN = 'admin'
const HEAD_BYTES = 16
const OP_MSG = 2_013
const MIN_BYTES = HEAD_BYTES + 4 + 1 + 5
/** Flags that a reader has to know (the lower 16 bits): a checksum at the end, and that more answers follow. */
const CHECKSUM_PRESENT = 1
const MUST_KNOW = 0xffff
const CHECKSUM_BYTES = 4
const COMMAND_NOT_FOUND = 59

const READS_ROWS = new Set(['find', 'aggregate', 'count', 'distinct'])
/** A server says a command that it refuses again, which is a secret of the monitor, behind these words. */
const REPEATING = 'to execute command'

export const MONGODB: DatabaseEngine = {
  name: NAME,
  usualQuery: '{"ping": 1}',
  findMembers,
  begin: (database, { home }) => begin(database, home),
}

function begin(database: string | null, home: string | null): DatabaseSession {
  let count = 0

  /** The answer to a command, whatever it says. */
  async function exchange(talk: Talk, command: JsonDocument, where: string): Promise<JsonDocument> {
    const id = ++count
    const body = Buffer.concat([int32(0), Buffer.of(0), bsonOf({ ...command, $db: where })])
    talk.write(Buffer.concat([int32(HEAD_BYTES + body.length), int32(id), int32(0), int32(OP_MSG), body]))
    const head = new Cursor(await talk.frame((held) => (held.length < HEAD_BYTES ? null : HEAD_BYTES)))
    const length = head.int32LE()
    head.int32LE()
    if (head.int32LE() !== id || head.int32LE() !== OP_MSG || length < MIN_BYTES) throw new Garbled()
    return replyIn(await talk.frame(() => length - HEAD_BYTES))
  }

  /** The answer to a command, which the server must take. */
  async function run(talk: Talk, command: JsonDocument, where: string): Promise<JsonDocument> {
    return taken(await exchange(talk, command, where))
  }

  /** Says hello, which servers before version 4.4.2 know by another name. */
  async function greet(talk: Talk, user: string): Promise<JsonDocument> {
    const about = {
      ...(user !== '' && { saslSupportedMechs: `${home ?? ADMIN}.${user}` }),
      client: {
        application: { name: 'upbeat' },
        driver: { name: 'upbeat', version: '1' },
        os: { type: 'unknown' },
      },
    }
    const reply = await exchange(talk, { hello: 1, ...about }, ADMIN)
    return reply.code === COMMAND_NOT_FOUND ? run(talk, { isMaster: 1, ...about }, ADMIN) : taken(reply)
  }

  async function signIn(talk: Talk, { name, password }: DatabaseUser): Promise<NoSignIn | null> {
    const { saslSupportedMechs: ways } = await greet(talk, name)
    if (name === '') return null
    const known = Array.isArray(ways) ? ways : ['SCRAM-SHA-1']
    const mechanism = ['SCRAM-SHA-256', 'SCRAM-SHA-1'].find((way) => known.includes(way))
    if (mechanism === undefined) return 'none'
    const isNewer = mechanism === 'SCRAM-SHA-256'
    const hash: ScramHash = isNewer ? 'sha256' : 'sha1'
    // The older way takes a digest in place of the password ("Authentication" of the specifications).
    const secret = isNewer ? password : createHash('md5').update(`${name}:mongo:${password}`).digest('hex')
    await prove(talk, mechanism, createScram(hash, { name, password: secret }))
    return null
  }

  async function prove(talk: Talk, mechanism: string, scram: ReturnType<typeof createScram>): Promise<void> {
    const where = home ?? ADMIN
    const options = { skipEmptyExchange: true }
    const start = { saslStart: 1, mechanism, payload: binary(scram.first), autoAuthorize: 1, options }
    const first = await run(talk, start, where)
    const final = await scram.final(payloadIn(first))
    if (final === null) throw new Garbled()
    const goOn = (text: string) =>
      run(talk, { saslContinue: 1, conversationId: first.conversationId ?? 0, payload: binary(text) }, where)
    const last = await goOn(final)
    if (!scram.isProven(payloadIn(last))) throw new Garbled()
    // Older servers want one more, which says nothing.
    if (last.done !== true && (await goOn('')).done !== true) throw new Garbled()
  }

  async function ask(talk: Talk, query: string, limitMs: number): Promise<QueryResult> {
    const asked = readJsonCommand(query) ?? {}
    const where = isOfAdmin(asked) ? ADMIN : (database ?? ADMIN)
    const reply = await run(talk, boundedCommand(asked, limitMs), where)
    // A server says these of itself, besides.
    const { $clusterTime: _, operationTime: __, ...rows } = reply
    const cursor = documentOf(reply.cursor)
    const batch = cursor?.firstBatch
    if (cursor && isOpen(cursor.id)) await close(talk, cursor, where)
    if (Array.isArray(batch) && batch.length > MAX_ROWS) throw new TooManyRows()
    return { first: firstOf(Array.isArray(batch) ? batch[0] : rows), rows }
  }

  /** A cursor that is left open stays so for minutes. */
  async function close(talk: Talk, { ns, id }: JsonDocument, where: string): Promise<void> {
    const collection = String(ns).slice(String(ns).indexOf('.') + 1)
    const long = typeof id === 'number' ? { $numberLong: String(id) } : (id ?? 0)
    await run(talk, { killCursors: collection, cursors: [long] }, where)
  }

  return { signIn, ask }
}

/** The document of a message, behind its header. */
function replyIn(bytes: Buffer): JsonDocument {
  const whole = new Cursor(bytes)
  const flags = whole.uint32LE()
  if ((flags & MUST_KNOW & ~CHECKSUM_PRESENT) !== 0) throw new Garbled()
  // TLS and TCP have their own: it is not sent to one that sends none.
  const body = new Cursor(whole.take(whole.left - ((flags & CHECKSUM_PRESENT) === 0 ? 0 : CHECKSUM_BYTES)))
  if (body.byte() !== 0) throw new Garbled()
  const reply = documentIn(body)
  if (body.left > 0) throw new Garbled()
  return reply
}

function taken(reply: JsonDocument): JsonDocument {
  if (reply.ok !== 1 && reply.ok !== true) throw new DatabaseRefusal(reasonIn(reply))
  return reply
}

function reasonIn({ errmsg, codeName, code, ok }: JsonDocument): string {
  if (ok !== 0 && ok !== false) throw new Garbled()
  const words = [errmsg, codeName, code].find((one) => typeof one === 'string' && one !== '') ?? code
  return words === undefined ? '' : withoutCommand(String(words))
}

/** Without the command up to its last brace; all of the rest where a server cuts that off. */
function withoutCommand(words: string): string {
  const at = words.indexOf(`${REPEATING} {`)
  if (at < 0) return words
  const behind = at + REPEATING.length
  const end = words.lastIndexOf('}')
  return words.slice(0, behind) + (end < behind ? '' : words.slice(end + 1))
}

/** The command, as long as the check may take, and no more documents than are read. */
function boundedCommand(command: JsonDocument, limitMs: number): JsonDocument {
  const name = nameOfCommand(command)
  if (!READS_ROWS.has(name)) return { ...command, $readPreference: { mode: 'primaryPreferred' } }
  const { cursor, batchSize } = command
  const size = MAX_ROWS + 1
  return {
    ...command,
    ...(name === 'find' && { batchSize: batchSize ?? size, singleBatch: true }),
    ...(name === 'aggregate' && { cursor: { batchSize: size, ...documentOf(cursor) } }),
    ...(command.maxTimeMS === undefined && { maxTimeMS: limitMs }),
    $readPreference: { mode: 'primaryPreferred' },
  }
}

function isOpen(id: JsonDocument[string] | undefined): boolean {
  return id !== undefined && id !== null && id !== 0
}

function documentOf(node: JsonDocument[string] | undefined): JsonDocument | null {
  return typeof node === 'object' && node !== null && !Array.isArray(node) ? node : null
}

/** The first value of a document, or a value as it is, as text. */
function firstOf(node: JsonDocument[string] | undefined): string | null {
  const document = documentOf(node)
  const first = document ? Object.values(document)[0] : node
  if (first === undefined || first === null) return null
  return typeof first === 'object' ? JSON.stringify(first) : String(first)
}

function binary(text: string): JsonDocument {
  return { $binary: { base64: Buffer.from(text).toString('base64'), subType: '00' } }
}

function payloadIn({ payload }: JsonDocument): string {
  const base64 = documentOf(documentOf(payload)?.$binary)?.base64
  if (typeof base64 !== 'string') throw new Garbled()
  return Buffer.from(base64, 'base64').toString()
}
