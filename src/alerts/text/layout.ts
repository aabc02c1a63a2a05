import type { Message, Tone } from './message.ts'

/** How a chat service formats text. */
export type Dialect = {
  /** Escapes one character (one code point), so that it has no special meaning. */
  escape: (character: string) => string
  /** Marks escaped text as bold. */
  bold: (escaped: string) => string
}

/** Text without any markup. */
export const plainDialect: Dialect = { escape: (character) => character, bold: (text) => text }

/** The text, cut to at most `limit` UTF-16 units. */
export function fitPlain(text: string, limit: number): string {
  return fit(text, limit, plainDialect.escape)
}

const SIGNS = { bad: '🔴', good: '🟢', warning: '🟡', neutral: '🔔' } as const satisfies Record<Tone, string>
const ELLIPSIS = '…'

/** The headline in bold, after the sign of its tone; at most `limit` long, including markup. */
export function writeTitle(message: Message, dialect: Dialect, limit: number): string {
  const frame = dialect.bold('').length + SIGNS[message.tone].length + 1
  return `${SIGNS[message.tone]} ${dialect.bold(fit(message.title, limit - frame, dialect.escape))}`
}

/** The sentence and the labeled lines, at most `limit` long including markup. Lines without room are left out. */
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
 * Escapes text and cuts it to at most `limit` UTF-16 units (services that count code points count fewer). Never cuts
 * within a code point or an escape; an ellipsis marks the cut.
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

/** Links to press, the most urgent first. */
export function linksOf({ acknowledgeUrl, runbook, link, t }: Message): [label: string, url: string][] {
  const links: [label: string, url: string | undefined][] = [
    [t('Acknowledge'), acknowledgeUrl],
    [t('Open Upbeat'), link],
    [t('Open runbook'), runbook],
  ]
  return links.flatMap(([label, url]) => (url === undefined ? [] : [[label, url]]))
}
