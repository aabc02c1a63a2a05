import type { UnlikeAnswer } from './protocol.ts'
import type { Talk } from './talk.ts'

/** A reply of SMTP and FTP: a code of three digits, and one line or several (RFC 5321, section 4.2; RFC 959, section 4.2). */
export type CodedReply = { code: string; lines: string[] }

const CODED = /^(\d{3})(?:([ -])|$)/

/** Reads one whole reply. A first line without a code is a reply of its own, which has none. */
export async function readReply(talk: Talk): Promise<CodedReply> {
  const first = await talk.line()
  const lines = [first]
  const [, code = '', mark] = CODED.exec(first) ?? []
  if (mark !== '-') return { code, lines }
  for (;;) {
    const line = await talk.line()
    lines.push(line)
    // FTP leaves out the code of the lines between.
    const [, again, end] = CODED.exec(line) ?? []
    if (again === code && end !== '-') return { code, lines }
  }
}

/** Sends a command and reads its reply. */
export function command(talk: Talk, line: string): Promise<CodedReply> {
  talk.say(line)
  return readReply(talk)
}

export function refusalOf(
  { code, lines: [line = ''] }: CodedReply,
  what: string,
  expected: string,
): UnlikeAnswer {
  return code === expected ? null : { what, line, expected }
}
