import { Refusal } from '../core/errors.ts'

/** Where a command writes; injected, so that commands can be tested. */
export type Terminal = {
  out: (text: string) => void
  err: (text: string) => void
  /** What was piped in; null when nothing was. */
  readInput: () => Promise<string | null>
}

export type OutputOptions = { json?: boolean }

/** Prints `{"data": …}` for scripts that asked for it, else the one thing that people and scripts want. */
export function print(terminal: Terminal, options: OutputOptions, data: unknown, plain: string): void {
  terminal.out(options.json ? JSON.stringify({ data }) : plain)
}

/** Rows under headings, as wide as they need to be. */
export function table(rows: Record<string, string | number | null>[]): string {
  const first = rows[0]
  if (!first) return 'none'
  const headings = Object.keys(first)
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows.map((row) => cells(row, headings))]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cells(row: Record<string, string | number | null>, headings: string[]): string[] {
  return headings.map((heading) => String(row[heading] ?? '-'))
}

/** What a person should read of an error: the fields of a refusal, the message of anything else. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) {
    const { errors } = error.members as { errors?: Record<string, string[]> }
    return errors ? Object.values(errors).flat().join('\n') : error.message
  }
  return error instanceof Error ? error.message : String(error)
}
