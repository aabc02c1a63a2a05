import type { Command } from 'commander'
import { Refusal } from '../core/errors.ts'
import { shownLine } from '../core/language/hidden-characters.ts'
import { cut } from '../core/text.ts'
import type { FieldErrors } from '../core/validation.ts'
import { Refused } from './client/client.ts'

/** A command's input and output; injected, so that commands can be tested. */
export type Terminal = {
  out: (text: string) => void
  err: (text: string) => void
  /** Piped input; null when there is none. */
  readInput: () => Promise<string | null>
  /** A whole file or piped input, however long it takes. */
  readFile: (path: string) => Promise<string>
  /** Asks the person at the terminal; null when there is none. */
  ask: (question: string) => Promise<string | null>
  /** Like `ask`, without showing what is typed. */
  askSecret: (question: string) => Promise<string | null>
  /** The width of the screen in characters; null when the output goes elsewhere. */
  width: number | null
  color: boolean
}

/** Wrong usage that only a command itself can detect. */
export class WrongUsage extends Error {}

/** Ends a command silently, with a status that is its answer. */
export class Exit extends Error {
  readonly status: number

  constructor(status: number) {
    super(`status ${status}`)
    this.status = status
  }
}

export type OutputOptions = { json?: boolean }

export function withJson(command: Command): Command {
  return command.option('--json', 'print {"data": …} in the shapes of the API')
}

/** Prints `{"data": …}` for scripts with --json, otherwise plain text. */
export function print(terminal: Terminal, options: OutputOptions, data: unknown, plain: string): void {
  terminal.out(options.json ? JSON.stringify({ data }) : plain)
}

export type Row = Record<string, string | number | null>

const MIN_COLUMN_WIDTH = 8

/** Rows under headings, as wide as needed; on a screen, at most as wide as the screen. */
export function table(rows: Row[], width: number | null = null): string {
  const first = rows[0]
  if (!first) return 'none'
  const headings = Object.keys(first)
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows.map((row) => cells(row, headings))]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  if (width !== null) shrink(widths, width)
  return lines
    .map((line) =>
      line
        .map((cell, column) => cut(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Shrinks the widest columns first. */
function shrink(widths: number[], width: number): void {
  const gaps = 2 * (widths.length - 1)
  for (let over = widths.reduce((sum, each) => sum + each, gaps) - width; over > 0; over--) {
    const widest = Math.max(...widths)
    if (widest <= MIN_COLUMN_WIDTH) return
    widths[widths.indexOf(widest)] = widest - 1
  }
}

/** One record, one name and value per line. */
export function list(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length))
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}  ${clean(String(value ?? '-'))}`)
    .join('\n')
}

function cells(row: Row, headings: string[]): string[] {
  return headings.map((heading) => clean(String(row[heading] ?? '-')))
}

/** Text from elsewhere must not control the terminal, nor turn its neighbours. */
function clean(text: string): string {
  return shownLine(text)
}

/** The readable part of an error: the fields of a refusal, otherwise the message. */
export function reasonOf(error: unknown, between = '\n'): string {
  const errors =
    error instanceof Refusal ? error.members.errors : error instanceof Refused ? error.errors : null
  if (errors)
    return Object.values(errors as FieldErrors)
      .flat()
      .join(between)
  return error instanceof Error ? error.message : String(error)
}
