import type { Message, Tone } from './message.ts'

/** How a chat service writes text. */
export type Dialect = {
  /** Makes one character (one code point) mean itself and nothing else. */
  escape: (character: string) => string
  /** Marks text that is already escaped as bold. */
  bold: (escaped: string) => string
}

const SIGNS = { bad: '🔴', good: '🟢', warning: '🟡', neutral: '🔔' } as const satisfies Record<Tone, string>
const ELLIPSIS = '…'

/** The headline in bold behind the sign of its tone, at most `limit` long, markup included. */
export function writeTitle(message: Message, dialect: Dialect, limit: number): string {
  const frame = dialect.bold('').length + SIGNS[message.tone].length + 1
  return `${SIGNS[message.tone]} ${dialect.bold(fit(message.title, limit - frame, dialect.escape))}`
}

/** The sentence and the labelled lines, at most `limit` long, markup included. What has no room is left out. */
export function writeBody(message: Message, dialect: Dialect, limit: number): string {
  const written: string[] = []
  let left = limit
  const add = (head: string, value: string) => {
    const room = left - head.length
    if (room <= ELLIPSIS.length) return
    const line = `${head}${fit(value, room, dialect.escape)}`
    written.push(line)
    left -= line.length + 1
  }
  if (message.text) add('', message.text)
  for (const [label, value] of message.lines) add(`${dialect.bold(`${label}:`)} `, value)
  return written.join('\n')
}

/**
 * Escapes and cuts to at most `limit` UTF-16 units (services that count code points count fewer).
 * Neither a code point nor an escape is ever cut in two; where something was cut, an ellipsis stands.
 */
export function fit(text: string, limit: number, escaped: (character: string) => string): string {
  const whole = Array.from(text, escaped).join('')
  if (whole.length <= limit) return whole
  let kept = ''
  for (const character of text) {
    const next = escaped(character)
    if (kept.length + next.length > limit - ELLIPSIS.length) break
    kept += next
  }
  return `${kept}${ELLIPSIS}`
}
