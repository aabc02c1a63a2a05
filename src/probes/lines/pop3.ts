import type { LineProtocol, UnlikeAnswer } from './protocol.ts'
import type { Talk } from './talk.ts'

const DONE = '+OK'
const END = '.'

/** RFC 1939; CAPA by RFC 2449, STLS by RFC 2595. */
export const POP3: LineProtocol = {
  name: 'POP3',
  async greet(talk) {
    const banner = await talk.line()
    return { banner, refusal: refusalOf(banner, 'greeting') }
  },
  async ask(talk) {
    talk.say('CAPA')
    // An old server knows no such command.
    const able = isDone(await talk.line()) ? await linesUntilEnd(talk) : []
    const offersTls = able.some((line) => /^STLS\b/i.test(line))
    return { abilities: { offersTls, signIns: [] }, refusal: null }
  },
  async startTls(talk) {
    return command(talk, 'STLS', 'answer to STLS')
  },
  async signIn(talk, { name, password }) {
    return (
      (await command(talk, `USER ${name}`, 'answer to USER')) ??
      (await command(talk, `PASS ${password}`, 'answer to PASS'))
    )
  },
  farewell: 'QUIT',
}

async function command(talk: Talk, line: string, what: string): Promise<UnlikeAnswer> {
  talk.say(line)
  return refusalOf(await talk.line(), what)
}

async function linesUntilEnd(talk: Talk): Promise<string[]> {
  const lines: string[] = []
  for (;;) {
    const line = await talk.line()
    if (line === END) return lines
    lines.push(line)
  }
}

function isDone(line: string): boolean {
  return /^\+OK\b/i.test(line)
}

function refusalOf(line: string, what: string): UnlikeAnswer {
  return isDone(line) ? null : { what, line, expected: DONE }
}
