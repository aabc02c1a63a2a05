import * as ber from '../packets/ber.ts'
import { Cursor, Garbled } from '../packets/cursor.ts'
import type { LineProtocol, UnlikeAnswer } from './protocol.ts'
import type { Talk } from './talk.ts'

const VERSION = 3
/** Tags of operations (RFC 4511, section 4.2 and further). */
const OPERATIONS = {
  bind: 0x60,
  bound: 0x61,
  search: 0x63,
  entry: 0x64,
  searched: 0x65,
  reference: 0x73,
  extended: 0x77,
  extendedAnswer: 0x78,
} as const
const SIMPLE = 0x80
const OBJECT_CLASS_IS_THERE = 0x87
const EXTENSION_NAME = 0x80
const BOOLEAN = 0x01
const START_TLS = '1.3.6.1.4.1.1466.20037'
const EXTENSIONS = 'supportedExtension'
const DONE = 0
const MAX_TEXT_LENGTH = 300
const MAX_LINES = 500

/** The names of result codes (RFC 4511, appendix A) that servers give to what is asked here. */
const CODES: Record<number, string> = {
  0: 'success',
  1: 'operationsError',
  2: 'protocolError',
  3: 'timeLimitExceeded',
  4: 'sizeLimitExceeded',
  7: 'authMethodNotSupported',
  8: 'strongerAuthRequired',
  10: 'referral',
  11: 'adminLimitExceeded',
  13: 'confidentialityRequired',
  14: 'saslBindInProgress',
  32: 'noSuchObject',
  34: 'invalidDNSyntax',
  48: 'inappropriateAuthentication',
  49: 'invalidCredentials',
  50: 'insufficientAccessRights',
  51: 'busy',
  52: 'unavailable',
  53: 'unwillingToPerform',
  80: 'other',
}

type Result = { code: number; text: string }
type Entry = { name: string; values: string[] }[]

/** RFC 4511. Any answer to a question about the server itself greets us: some answer it only once one has signed in. */
export const LDAP: LineProtocol = {
  name: 'LDAP',
  async greet(talk) {
    return reading(talk, 'greeting', async () => {
      await search(talk, '', [EXTENSIONS])
      return { banner: '', refusal: null }
    })
  },
  async ask(talk) {
    return reading(talk, 'answer', async () => {
      const { entry } = await search(talk, '', [EXTENSIONS])
      const offersTls = entry.some(({ values }) => values.includes(START_TLS))
      return { abilities: { offersTls, signIns: [] }, refusal: null }
    })
  },
  async startTls(talk) {
    const asked = await reading(talk, 'answer to StartTLS', async () => {
      const name = ber.encode(EXTENSION_NAME, START_TLS)
      const result = await ask(talk, ber.encode(OPERATIONS.extended, name), OPERATIONS.extendedAnswer)
      return { refusal: refusalOf(result, 'answer to StartTLS') }
    })
    return asked.refusal
  },
  async signIn(talk, { name, password }) {
    const asked = await reading(talk, 'answer to the sign-in', async () => {
      const bind = ber.encode(
        OPERATIONS.bind,
        ber.encodeInteger(VERSION),
        ber.encode(ber.TAGS.octets, name),
        ber.encode(SIMPLE, password),
      )
      const result = await ask(talk, bind, OPERATIONS.bound)
      return { refusal: refusalOf(result, 'answer to the sign-in') }
    })
    return asked.refusal
  },
  async read(talk, { options }) {
    const base = options?.base_dn ?? ''
    const isRead = options?.assertions?.some(({ source }) => source === 'answer') === true
    if (base === '' && !isRead) return { answer: '', refusal: null }
    return reading(talk, 'answer', async () => {
      const { entry, result } = await search(talk, base, ['*', '+'])
      const lines = entry.flatMap(({ name, values }) => values.map((value) => `${name}: ${value}`))
      return {
        answer: lines.slice(0, MAX_LINES).join('\n'),
        refusal: refusalOf(result, `answer about ${base === '' ? 'the server' : base}`),
      }
    })
  },
}

type Refused = { refusal: UnlikeAnswer }

/** Bytes that are no message of LDAP are another answer than the expected one. */
async function reading<T extends Refused>(
  talk: Talk,
  what: string,
  ask: () => Promise<T>,
): Promise<T | (Refused & { banner: string; answer: string; abilities: { offersTls: false; signIns: [] } })> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Garbled)) throw error
    const [line = ''] = talk.text().slice(0, MAX_TEXT_LENGTH).split(/\r?\n/)
    const refusal = { what, line, expected: 'a message of LDAP' }
    return { refusal, banner: '', answer: '', abilities: { offersTls: false, signIns: [] } }
  }
}

function refusalOf({ code, text }: Result, what: string): UnlikeAnswer {
  if (code === DONE) return null
  const name = CODES[code] ?? 'unknown code'
  return { what, line: `${code} ${name}${text === '' ? '' : `: ${text}`}`, expected: '0 success' }
}

/** Asks for one entry, of which the server shows what it likes. */
async function search(
  talk: Talk,
  base: string,
  attributes: readonly string[],
): Promise<{ entry: Entry; result: Result }> {
  const [scope, aliases] = [0, 0].map((value) => ber.encodeInteger(value, ber.TAGS.enumerated))
  const question = ber.encode(
    OPERATIONS.search,
    ber.encode(ber.TAGS.octets, base),
    ...[scope ?? '', aliases ?? ''],
    ...[1, 0].map((limit) => ber.encodeInteger(limit)),
    ber.encode(BOOLEAN, Uint8Array.of(0)),
    ber.encode(OBJECT_CLASS_IS_THERE, 'objectClass'),
    ber.encode(ber.TAGS.sequence, ...attributes.map((name) => ber.encode(ber.TAGS.octets, name))),
  )
  const entry: Entry = []
  const result = await ask(talk, question, OPERATIONS.searched, (tag, body) => {
    if (tag === OPERATIONS.entry) entry.push(...attributesIn(body))
    else if (tag !== OPERATIONS.reference) throw new Garbled('another operation')
  })
  return { entry, result }
}

function attributesIn(body: Cursor): Entry {
  ber.expect(body, ber.TAGS.octets)
  return [...ber.within(ber.expect(body, ber.TAGS.sequence))].map(({ value }) => {
    const cursor = new Cursor(value)
    const name = ber.expect(cursor, ber.TAGS.octets).toString()
    const values = [...ber.within(ber.read(cursor).value)].map(({ value: one }) => one.toString())
    return { name, values }
  })
}

/** Sends an operation, and reads until its result. `onOther` is told what comes before. */
async function ask(
  talk: Talk,
  operation: Buffer,
  answer: number,
  onOther: (tag: number, body: Cursor) => void = () => {
    throw new Garbled('another operation')
  },
): Promise<Result> {
  talk.write(ber.encode(ber.TAGS.sequence, ber.encodeInteger(1), operation))
  for (;;) {
    const frame = await talk.frame((held) => ber.wholeLength(held, ber.TAGS.sequence))
    const message = ber.enter(new Cursor(frame))
    const id = ber.integerIn(ber.expect(message, ber.TAGS.integer))
    const { tag, value } = ber.read(message)
    // With the number 0 a server says on its own that it hangs up (RFC 4511, section 4.4.1).
    if (id === 0n) return resultIn(new Cursor(value))
    if (tag === answer) return resultIn(new Cursor(value))
    onOther(tag, new Cursor(value))
  }
}

function resultIn(body: Cursor): Result {
  const code = Number(ber.integerIn(ber.expect(body, ber.TAGS.enumerated)))
  ber.expect(body, ber.TAGS.octets)
  return { code, text: ber.expect(body, ber.TAGS.octets).toString().trim() }
}
