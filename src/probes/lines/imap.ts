import type { LineProtocol, UnlikeAnswer } from './protocol.ts'
import type { Talk } from './talk.ts'

const GREETED = '* OK'
const DONE = 'OK'
/** Any text that is not used twice: commands follow each other here, and are told apart by what they are. */
const TAGS = { ask: 'a1', startTls: 'a2', signIn: 'a3', leave: 'a4' } as const
const GO_ON = /^\+/
/** Other texts are sent as they are, behind their length (RFC 9051, section 4.3). */
const QUOTABLE = /^[\x20-\x7e]*$/

/** RFC 9051, and RFC 3501 before it. */
export const IMAP: LineProtocol = {
  name: 'IMAP',
  async greet(talk) {
    const banner = await talk.line()
    // One that knows us by other means, such as our address.
    const isWelcome = /^\* (OK|PREAUTH)\b/i.test(banner)
    return { banner, refusal: isWelcome ? null : { what: 'greeting', line: banner, expected: GREETED } }
  },
  async ask(talk) {
    talk.say(`${TAGS.ask} CAPABILITY`)
    const { said, last } = await readAnswer(talk, TAGS.ask)
    const words = said.flatMap(
      (line) => /^\* CAPABILITY (.*)/i.exec(line)?.[1]?.toUpperCase().split(' ') ?? [],
    )
    return {
      abilities: { offersTls: words.includes('STARTTLS'), signIns: waysIn(words) },
      refusal: refusalOf(last, TAGS.ask, 'answer to CAPABILITY'),
    }
  },
  async startTls(talk) {
    talk.say(`${TAGS.startTls} STARTTLS`)
    const { last } = await readAnswer(talk, TAGS.startTls)
    return refusalOf(last, TAGS.startTls, 'answer to STARTTLS')
  },
  async signIn(talk, { name, password }, { signIns }) {
    if (signIns.includes('LOGIN'))
      return tell(
        talk,
        ['LOGIN', name, password].map((text, at) => (at === 0 ? text : quoted(text))),
      )
    if (!signIns.includes('PLAIN')) return 'none'
    const response = Buffer.from(`\0${name}\0${password}`).toString('base64')
    return tell(talk, ['AUTHENTICATE PLAIN', { behind: response }])
  },
  farewell: `${TAGS.leave} LOGOUT`,
}

function waysIn(words: readonly string[]): string[] {
  return [
    ...(words.includes('LOGINDISABLED') ? [] : ['LOGIN']),
    ...(words.includes('AUTH=PLAIN') ? ['PLAIN'] : []),
  ]
}

/** A part of a command: text, or what is sent only once the server has asked for it, with `before` in front of that. */
type Part = string | { before?: string; behind: string }

function quoted(text: string): Part {
  if (QUOTABLE.test(text)) return `"${text.replace(/["\\]/g, '\\$&')}"`
  return { before: ` {${Buffer.byteLength(text)}}`, behind: text }
}

/** Sends the command to sign in, in as many lines as it takes. */
async function tell(talk: Talk, parts: readonly Part[]): Promise<UnlikeAnswer> {
  let line: string = TAGS.signIn
  for (const part of parts) {
    if (typeof part === 'string') {
      line += ` ${part}`
      continue
    }
    talk.say(line + (part.before ?? ''))
    const { last } = await readAnswer(talk, TAGS.signIn, GO_ON)
    if (!GO_ON.test(last)) return refusalOf(last, TAGS.signIn, 'answer to LOGIN')
    line = part.behind
  }
  talk.say(line)
  const { last } = await readAnswer(talk, TAGS.signIn)
  return refusalOf(last, TAGS.signIn, 'answer to LOGIN')
}

/** All lines up to the one with the tag, which is the last; or one like `end`. Text within literals is read as lines. */
async function readAnswer(talk: Talk, tag: string, end?: RegExp): Promise<{ said: string[]; last: string }> {
  const said: string[] = []
  for (;;) {
    const line = await talk.line()
    const isLast = line.startsWith(`${tag} `) || end?.test(line) || !/^[*+] /.test(line)
    if (isLast) return { said, last: line }
    said.push(line)
  }
}

function refusalOf(line: string, tag: string, what: string): UnlikeAnswer {
  const isDone = line.startsWith(`${tag} `) && /^OK\b/i.test(line.slice(tag.length + 1))
  return isDone ? null : { what, line, expected: `${tag} ${DONE}` }
}
