import { command, readReply, refusalOf } from './coded-replies.ts'
import type { Abilities, LineProtocol, UnlikeAnswer, User } from './protocol.ts'
import type { Talk } from './talk.ts'

/** An address literal that is no host of anybody's: servers are told no name of ours (RFC 5321, section 4.1.3). */
const OWN_NAME = '[127.0.0.1]'
const GREETED = '220'
const DONE = '250'
const SIGNED_IN = '235'
const GO_ON = '334'

/** RFC 5321; STARTTLS by RFC 3207, AUTH by RFC 4954. */
export const SMTP: LineProtocol = {
  name: 'SMTP',
  async greet(talk) {
    const reply = await readReply(talk)
    return { banner: reply.lines[0] ?? '', refusal: refusalOf(reply, 'greeting', GREETED) }
  },
  async ask(talk) {
    const extended = await command(talk, `EHLO ${OWN_NAME}`)
    if (extended.code === DONE) return { abilities: abilitiesIn(extended.lines), refusal: null }
    const refusal = refusalOf(extended, 'answer to EHLO', DONE)
    // A server of before 1995 knows HELO alone.
    const plain = extended.code.startsWith('5') ? await command(talk, `HELO ${OWN_NAME}`) : extended
    return { abilities: { offersTls: false, signIns: [] }, refusal: plain.code === DONE ? null : refusal }
  },
  async startTls(talk) {
    return refusalOf(await command(talk, 'STARTTLS'), 'answer to STARTTLS', GREETED)
  },
  async signIn(talk, user, { signIns }) {
    if (signIns.includes('PLAIN')) return byPlain(talk, user)
    return signIns.includes('LOGIN') ? byLogin(talk, user) : 'none'
  },
  farewell: 'QUIT',
}

function abilitiesIn([, ...lines]: string[]): Abilities {
  const keywords = lines.map((line) => line.slice(DONE.length + 1).toUpperCase())
  const [ways = ''] = keywords.flatMap((keyword) => /^AUTH[ =](.*)/.exec(keyword)?.[1] ?? [])
  return {
    offersTls: keywords.some((keyword) => /^STARTTLS\b/.test(keyword)),
    signIns: ways.split(' '),
  }
}

/** RFC 4616, section 2. */
async function byPlain(talk: Talk, { name, password }: User): Promise<UnlikeAnswer> {
  return signedIn(await command(talk, `AUTH PLAIN ${base64(`\0${name}\0${password}`)}`))
}

async function byLogin(talk: Talk, { name, password }: User): Promise<UnlikeAnswer> {
  for (const line of ['AUTH LOGIN', base64(name)]) {
    const reply = await command(talk, line)
    if (reply.code !== GO_ON) return signedIn(reply)
  }
  return signedIn(await command(talk, base64(password)))
}

function signedIn(reply: Parameters<typeof refusalOf>[0]): UnlikeAnswer {
  return refusalOf(reply, 'answer to AUTH', SIGNED_IN)
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
