import type { Command } from 'commander'
import { Refusal } from '../core/errors.ts'
import { cut } from '../core/text.ts'
import type { FieldErrors } from '../core/validation.ts'
import { Refused } from './client/client.ts'

/** Where a command reads and writes; injected, so that commands can be tested. */
export type Terminal = {
  out: (text: string) => void
  err: (text: string) => void
  /** What was piped in; null when nothing was. */
  readInput: () => Promise<string | null>
  /** Everything that is piped in, however long it takes to come. */
  readFile: (path: string) => Promise<string>
  /** Asks a person; null when there is none. */
  ask: (question: string) => Promise<string | null>
  /** The same without showing what is typed. */
  askSecret: (question: string) => Promise<string | null>
  /** Characters in a line of the screen; null when the output goes elsewhere. */
  width: number | null
  color: boolean
}

/** Wrong usage that only shows once a command looks at what it was given. */
export class WrongUsage extends Error {}

/** Ends a command with a status that is its answer, without a word. */
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

/** Prints `{"data": …}` for scripts that asked for it, else the one thing that people and scripts want. */
export function print(terminal: Terminal, options: OutputOptions, data: unknown, plain: string): void {
  terminal.out(options.json ? JSON.stringify({ data }) : plain)
}

export type Row = Record<string, string | number | null>

const NARROWEST_COLUMN = 8

/** Rows under headings, as wide as they need to be; on a screen, at most as wide as that. */
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

/** The widest column gives way first. */
function shrink(widths: number[], width: number): void {
  const gaps = 2 * (widths.length - 1)
  for (let over = widths.reduce((sum, each) => sum + each, gaps) - width; over > 0; over--) {
    const widest = Math.max(...widths)
    if (widest <= NARROWEST_COLUMN) return
    widths[widths.indexOf(widest)] = widest - 1
  }
}

/** One record: a name and its value a line. */
export function list(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length))
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}  ${clean(String(value ?? '-'))}`)
    .join('\n')
}

function cells(row: Row, headings: string[]): string[] {
  return headings.map((heading) => clean(String(row[heading] ?? '-')))
}

/** What came from elsewhere must not steer the screen. */
function clean(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ')
}

/** What a person should read of an error: the fields of a refusal, the message of anything else. */
export function reasonOf(error: unknown, between = '\n'): string {
  const errors =
    error instanceof Refusal ? error.members.errors : error instanceof Refused ? error.errors : null
  if (errors)
    return Object.values(errors as FieldErrors)
      .flat()
      .join(between)
  return error instanceof Error ? error.message : String(error)
}
