import { allLines, type Message, type Tone } from './message.ts'

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

/** Legible on light and dark backgrounds, as numbers of 24 bits. */
export const TONE_COLORS = {
  bad: 0xd92d20,
  good: 0x12b76a,
  warning: 0xf79009,
  neutral: 0x667085,
} as const satisfies Record<Tone, number>

const SIGNS = { bad: '🔴', good: '🟢', warning: '🟡', neutral: '🔔' } as const satisfies Record<Tone, string>
const ELLIPSIS = '…'

/** The headline in bold, after the sign of its tone; at most `limit` long, including markup. */
export function writeTitle(message: Message, dialect: Dialect, limit: number): string {
  const frame = dialect.bold('').length + SIGNS[message.tone].length + 1
  return `${SIGNS[message.tone]} ${dialect.bold(fit(message.title, limit - frame, dialect.escape))}`
}

/** Messages that are measured whole use it. */
export const UNLIMITED = Number.POSITIVE_INFINITY

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
  for (const [label, value] of allLines(message)) add(headOf(label, dialect), value)
  return written.join('\n')
}

function headOf(label: string, dialect: Dialect): string {
  return label === '' ? '' : `${dialect.bold(`${escapeAll(label, dialect.escape)}:`)} `
}

/**
 * The body of a group in blocks of at most `limit`, markup included: lines that fit into one stand in one, and names that
 * do not fit go on in the next.
 */
export function writeBlocks(message: Message, dialect: Dialect, limit: number): string[] {
  const { names = [], more, lines } = message
  const escaped = (text: string) => escapeAll(text, dialect.escape)
  const pieces = [
    ...names.flatMap(([news, some]) =>
      some.map((name, index): [glue: string, text: string] =>
        index === 0 ? ['\n', `${headOf(news, dialect)}${escaped(name)}`] : [', ', escaped(name)],
      ),
    ),
    ...[...(more === undefined ? [] : [['', more] as const]), ...lines].map(
      ([label, value]): [glue: string, text: string] => [
        '\n',
        `${headOf(label, dialect)}${fit(value, limit - headOf(label, dialect).length, dialect.escape)}`,
      ],
    ),
  ]
  const blocks: string[] = []
  for (const [glue, text] of pieces) {
    const block = blocks.at(-1)
    if (block !== undefined && block.length + glue.length + text.length <= limit) {
      blocks.splice(-1, 1, `${block}${glue}${text}`)
    } else blocks.push(text)
  }
  return blocks
}

/**
 * Escapes text and cuts it to at most `limit` UTF-16 units (services that count code points count fewer). Never cuts
 * within a code point or an escape; an ellipsis marks the cut.
 */
export function fit(text: string, limit: number, escaped: (character: string) => string): string {
  const whole = escapeAll(text, escaped)
  if (whole.length <= limit) return whole
  let kept = ''
  for (const character of text) {
    const next = escaped(character)
    if (kept.length + next.length > limit - ELLIPSIS.length) break
    kept += next
  }
  return `${kept}${ELLIPSIS}`
}

function escapeAll(text: string, escaped: (character: string) => string): string {
  let whole = ''
  for (const character of text) whole += escaped(character)
  return whole
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
