import { command, readReply, refusalOf } from './coded-replies.ts'
import type { LineProtocol } from './protocol.ts'

const WAIT = '120'
const GREETED = '220'
const ABILITIES = '211'
const TLS_NEXT = '234'
const SIGNED_IN = '230'
const PASSWORD_NEXT = '331'

/** RFC 959; FEAT by RFC 2389, AUTH TLS by RFC 4217. No file is listed or sent: there is no connection for data. */
export const FTP: LineProtocol = {
  name: 'FTP',
  async greet(talk) {
    let reply = await readReply(talk)
    // It says that it will be ready, and then that it is.
    while (reply.code === WAIT) reply = await readReply(talk)
    return { banner: reply.lines[0] ?? '', refusal: refusalOf(reply, 'greeting', GREETED) }
  },
  async ask(talk) {
    // A server that knows no such command, or tells only those who are signed in, offers nothing.
    const { code, lines } = await command(talk, 'FEAT')
    const offersTls = code === ABILITIES && lines.some((line) => /^ ?AUTH\b.*\bTLS\b/i.test(line))
    return { abilities: { offersTls, signIns: [] }, refusal: null }
  },
  async startTls(talk) {
    return refusalOf(await command(talk, 'AUTH TLS'), 'answer to AUTH TLS', TLS_NEXT)
  },
  async signIn(talk, { name, password }) {
    const named = await command(talk, `USER ${name}`)
    // Some names need no password.
    if (named.code === SIGNED_IN) return null
    if (named.code !== PASSWORD_NEXT) return refusalOf(named, 'answer to USER', PASSWORD_NEXT)
    return refusalOf(await command(talk, `PASS ${password}`), 'answer to PASS', SIGNED_IN)
  },
  farewell: 'QUIT',
}
