import { createHash } from 'node:crypto'
import { bsonOf, documentIn, type JsonDocument } from '../../../src/probes/databases/bson.ts'
import { Cursor } from '../../../src/probes/packets/cursor.ts'
import type { Answer, Dialogue, DialogueOptions } from '../line-servers/line-server.ts'
import { createScramServer } from './scram.ts'

const HEAD_BYTES = 16
const OP_MSG = 2_013
/** In the place of the number of the question, where an answer is made before that is known. */
const OF_THE_LAST = -1

/** The habits of unusual servers, by words in `signIns`. */
const OLD = 'knows no hello'
const SLOW = 'wants an empty exchange'
const FALSE = 'knows no password itself'

/** The server's side of the protocol of MongoDB: it counts 7 of everything, and has two documents in each collection. */
export function speakMongodb({ user, signIns }: DialogueOptions): Dialogue {
  const ways = signIns ?? ['SCRAM-SHA-256', 'SCRAM-SHA-1']
  const isOld = ways.includes(OLD)
  let isKnown = user === null
  let scram: ReturnType<typeof createScramServer> | null = null
  let home = ''
  let last = 0
  let isEmptyWanted = ways.includes(SLOW)
  const gives = (step: Answer['step'], document: JsonDocument): Answer => ({
    step,
    says: reply(document, last),
  })

  const hello = (sent: JsonDocument): Answer => {
    if (isOld && 'hello' in sent)
      return gives('ask', error(59, 'CommandNotFound', "no such command: 'hello'"))
    const [asked] = typeof sent.saslSupportedMechs === 'string' ? [sent.saslSupportedMechs] : []
    const known = asked?.endsWith(`.${user?.name}`) ? { saslSupportedMechs: [...ways] } : {}
    return gives('ask', {
      isWritablePrimary: true,
      minWireVersion: 0,
      maxWireVersion: isOld ? 6 : 25,
      ...(isOld ? {} : known),
      ok: 1,
    })
  }
  const start = ({ mechanism, payload, $db }: JsonDocument): Answer => {
    const isOlder = mechanism === 'SCRAM-SHA-1'
    home = String($db)
    const { name = '', password = '' } = user ?? {}
    const digest = createHash('md5').update(`${name}:mongo:${password}`).digest('hex')
    scram = createScramServer(isOlder ? 'sha1' : 'sha256', isOlder ? digest : password)
    return gives('sign-in', {
      conversationId: 1,
      done: false,
      payload: binary(scram.first(textOf(payload))),
      ok: 1,
    })
  }
  const goOn = ({ conversationId, payload }: JsonDocument): Answer => {
    if (conversationId !== 1 || scram === null) throw new Error('no conversation of this number')
    const sent = textOf(payload)
    if (isKnown && sent === '')
      return gives('sign-in', { conversationId: 1, done: true, payload: binary(''), ok: 1 })
    const final = scram.final(sent)
    if (final === null) return gives('sign-in', error(18, 'AuthenticationFailed', 'Authentication failed.'))
    isKnown = true
    const done = !isEmptyWanted
    isEmptyWanted = false
    const proof = ways.includes(FALSE) ? 'v=AAAA' : final
    return gives('sign-in', { conversationId: 1, done, payload: binary(proof), ok: 1 })
  }

  return {
    greeting: null,
    lengthOf: (held) => (held.length >= 4 && held.length >= held.readInt32LE() ? held.readInt32LE() : 0),
    withNumber: (says) => numbered(says, last),
    answer(line) {
      const { id, document: sent } = read(Buffer.from(line, 'latin1'))
      last = id
      const [name = ''] = Object.keys(sent)
      if (name === 'hello' || name === 'isMaster') return hello(sent)
      if (name === 'saslStart') return start(sent)
      if (name === 'saslContinue') return goOn(sent)
      if (name === 'ping') return gives('query', { ok: 1 })
      if (!isKnown)
        return gives('query', error(13, 'Unauthorized', `command ${name} requires authentication`))
      if (home === 'wrong') return gives('query', error(18, 'AuthenticationFailed', 'Authentication failed.'))
      return gives(
        'query',
        ANSWERS[name]?.(sent) ?? error(59, 'CommandNotFound', `no such command: '${name}'`),
      )
    },
  }
}

const ANSWERS: Record<string, (sent: JsonDocument) => JsonDocument> = {
  count: () => ({ n: 7, ok: 1 }),
  find: ({ find }) => ({
    cursor: {
      firstBatch: [{ state: 'stuck' }, { state: 'done' }],
      id: { $numberLong: '0' },
      ns: `shop.${find}`,
    },
    ok: 1,
  }),
  aggregate: ({ aggregate }) => ({
    cursor: { firstBatch: [{ total: 7 }], id: { $numberLong: '9007199254740993' }, ns: `shop.${aggregate}` },
    ...{ operationTime: 0, ok: 1 },
  }),
  killCursors: ({ cursors }) => ({ cursorsKilled: cursors ?? [], ok: 1 }),
  replSetGetStatus: ({ $db }) =>
    $db === 'admin'
      ? { myState: 1, ok: 1 }
      : error(13, 'Unauthorized', 'may only be run against the admin database'),
}

/** A message as the protocol has it, and nothing else. */
function read(bytes: Buffer): { id: number; document: JsonDocument } {
  const [length, id, to, code] = [0, 4, 8, 12].map((at) => bytes.readInt32LE(at))
  if (length !== bytes.length || id === undefined || to !== 0 || code !== OP_MSG)
    throw new Error('a wrong header')
  if (bytes.readUInt32LE(HEAD_BYTES) !== 0 || bytes[HEAD_BYTES + 4] !== 0)
    throw new Error('flags or another section')
  const body = new Cursor(bytes.subarray(HEAD_BYTES + 5))
  const document = documentIn(body)
  if (body.left !== 0 || typeof document.$db !== 'string')
    throw new Error('more than one document, or no database')
  return { id, document }
}

/** A message that answers a question, that which came last without a number. */
export function reply(document: JsonDocument, to = OF_THE_LAST, flags = 0): Buffer {
  const body = bsonOf(document)
  const head = Buffer.alloc(HEAD_BYTES + 5)
  head.writeInt32LE(head.length + body.length, 0)
  head.writeInt32LE(to, 8)
  head.writeInt32LE(OP_MSG, 12)
  head.writeUInt32LE(flags, HEAD_BYTES)
  return Buffer.concat([head, body])
}

function numbered(says: string | Buffer, id: number): string | Buffer {
  if (typeof says === 'string' || says.length < HEAD_BYTES || says.readInt32LE(12) !== OP_MSG) return says
  if (says.readInt32LE(8) !== OF_THE_LAST) return says
  const bytes = Buffer.from(says)
  bytes.writeInt32LE(id, 8)
  return bytes
}

export function error(code: number, codeName: string, errmsg: string): JsonDocument {
  return { ok: 0, errmsg, code, codeName }
}

/** The answer to a query: documents of one value. */
export function rowsOf(values: readonly string[]): Buffer {
  return reply({
    cursor: { firstBatch: values.map((value) => ({ value })), id: { $numberLong: '0' }, ns: 'shop.jobs' },
    ok: 1,
  })
}

function binary(text: string): JsonDocument {
  return { $binary: { base64: Buffer.from(text).toString('base64'), subType: '00' } }
}

function textOf(payload: JsonDocument[string] | undefined): string {
  const { $binary } = payload as { $binary: { base64: string } }
  return Buffer.from($binary.base64, 'base64').toString()
}
