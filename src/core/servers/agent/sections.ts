import type { Counters } from '../machine-report.ts'
import { partName } from '../series.ts'

/** The first line of a report: `upbeat-agent 1 1.0.0`. */
const FIRST_LINE = /^upbeat-agent 1(?: ([\w.+-]{1,40}))?$/
const SECTION = /^@([a-z_]{1,40})$/

/** Longer ones are not read: what reads lines takes time by the square of their length. */
const MAX_LINE_LENGTH = 600

/** Raw lines by the name of their section; what is absent has none. */
export type Sections = {
  version: string | null
  of: (name: string) => string[]
  has: (name: string) => boolean
}

/** Null for what no agent of this format wrote. */
export function readSections(text: string): Sections | null {
  const [first = '', ...lines] = text.split(/\r?\n/)
  const start = FIRST_LINE.exec(first.trimEnd())
  if (start === null) return null
  const sections = new Map<string, string[]>()
  let current: string[] | null = null
  for (const line of lines) {
    const name = SECTION.exec(line)?.[1]
    if (name === undefined) {
      if (line.length <= MAX_LINE_LENGTH && line.trim() !== '') current?.push(line)
      continue
    }
    current = sections.get(name) ?? []
    sections.set(name, current)
  }
  return {
    version: start[1] ?? null,
    of: (name) => sections.get(name) ?? [],
    has: (name) => sections.has(name),
  }
}

/** A plain decimal number; undefined for anything else. */
export function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,20}(?:\.\d{1,20})?$/.test(text) ? Number(text) : undefined
}

/** Numbers by name, of lines such as `MemTotal: 2048 kB`, `hw.ncpu: 8` and `size 4 1024`: the last number of `pattern`. */
export function readTable(lines: readonly string[], pattern: RegExp): Map<string, number> {
  return new Map(
    lines.flatMap((line): [string, number][] => {
      const [, name, text] = pattern.exec(line) ?? []
      const value = readNumber(text)
      return name === undefined || value === undefined ? [] : [[name, value]]
    }),
  )
}

export function words(line: string): string[] {
  return line.trim().split(/\s+/)
}

/** Figures by their key. */
export type AgentFigures = Counters['values']

/** Leaves out what is unknown. */
export function given(values: Record<string, number | undefined>): AgentFigures {
  const entries = Object.entries(values).filter(
    (entry): entry is [string, number] => entry[1] !== undefined && Number.isFinite(entry[1]),
  )
  return Object.fromEntries(entries)
}

type Traffic = { name: string; received: number; sent: number; errors: number }

/** The interfaces that carried something, those with the most first. */
export function trafficOf(rows: Traffic[]): AgentFigures {
  const used = rows.filter(({ received, sent }) => received + sent > 0)
  used.sort((a, b) => b.received + b.sent - a.received - a.sent)
  const values: AgentFigures = {}
  for (const { name, received, sent, errors } of used) {
    const part = partName(name)
    if (part === null) continue
    values[`interface_received_bytes:${part}`] = received
    values[`interface_sent_bytes:${part}`] = sent
    values[`interface_errors:${part}`] = errors
  }
  return given(values)
}
