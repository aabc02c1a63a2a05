import * as z from 'zod'
import { Instant } from '../../instant.ts'
import { shownLines } from '../../language/hidden-characters.ts'
import { phrase } from '../../language/phrase.ts'

/** All that one diagnosis collects ends after so long. */
export const DIAGNOSIS_MS = 10_000
/** The fresh check waits for its target no longer than this. */
export const FRESH_CHECK_SECONDS = 5
/** Requests by others may change something, and are left to the schedule (RFC 9110, section 9.2.1). */
export const HTTP_METHODS_THAT_READ = ['GET', 'HEAD', 'OPTIONS'] as const
/** A process that has not ended one by then is gone, or cannot write: another may begin it. */
export const DIAGNOSIS_CLAIM_MS = 30_000
/** One that no process has begun by then is not collected any more: the trouble that it was about is past. */
export const DIAGNOSIS_BEGINS_WITHIN_MS = 120_000
/** Diagnoses that people of a team ask for in a minute. */
export const DIAGNOSES_PER_MINUTE = 6
/** The bound of those that wait in a team when an incident asks for one more: no process would come to it in time. */
export const MAX_WAITING_DIAGNOSES = 20
/** Diagnoses of so many incidents are kept for each monitor. */
export const MAX_DIAGNOSES_OF_MONITOR = 50

const MAX_LINES = 250
export const MAX_DIAGNOSIS_LINE = 500
/** The bounds of all lines of a section, in UTF-16 units. An answer has 4 kB of its body beside its headers. */
const MAX_SECTION_LENGTH = 2_000
const MAX_ANSWER_LENGTH = 9_000
const MAX_SUMMARY_LENGTH = 300

/** The parts of a diagnosis in their order, with their headings. */
export const DIAGNOSIS_SECTIONS = {
  regions: phrase('What each region sees'),
  fresh: phrase('A fresh check'),
  name: phrase('DNS'),
  route: phrase('Route'),
  connection: phrase('Connection'),
  encryption: phrase('TLS'),
  answer: phrase('Answer'),
  changes: phrase('Changed since the last check that passed'),
  others: phrase('Other monitors of this host or address'),
} as const satisfies Record<string, string>
export type DiagnosisSection = keyof typeof DIAGNOSIS_SECTIONS

/**
 * The findings of one look. `diagnosed`: something can be said of the target; `impossible`: trouble of ours, or of the way from here,
 * kept us from a verdict, and `summary` says so.
 */
export const DiagnosisFound = z.object({
  outcome: z.enum(['diagnosed', 'impossible']),
  /** One line, which alerts have, too. */
  summary: z.string().max(MAX_SUMMARY_LENGTH),
  /** The region that it was looked from; null where it has no name. */
  region: z.string().nullable(),
  /** In the order of DIAGNOSIS_SECTIONS; without those that nothing is known of. */
  sections: z.array(
    z.object({
      name: z.enum(Object.keys(DIAGNOSIS_SECTIONS) as [DiagnosisSection, ...DiagnosisSection[]]),
      lines: z.array(z.string().max(MAX_DIAGNOSIS_LINE)).max(MAX_LINES),
    }),
  ),
})
export type DiagnosisFound = z.infer<typeof DiagnosisFound>

/**
 * The diagnosis of an incident. `none`: nobody asked; `waiting`: no process has begun; `collecting`: one is at it; `done`: it has
 * ended; `missed`: it was asked for, and no process came to it in time; `paused`: it was asked for, and its monitor is paused. `found`: the newest there is, also while another one is awaited.
 */
export const ShownDiagnosis = z.object({
  state: z.enum(['none', 'waiting', 'collecting', 'done', 'missed', 'paused']),
  ended_at: Instant.nullable(),
  found: DiagnosisFound.nullable(),
})
export type ShownDiagnosis = z.infer<typeof ShownDiagnosis>

/** Findings within their bounds, without sections that have no line. Lines are plain text that turns nothing around. */
export function boundedFindings({
  summary,
  sections,
  ...found
}: Omit<DiagnosisFound, 'sections'> & {
  sections: Partial<Record<DiagnosisSection, readonly string[]>>
}): DiagnosisFound {
  const names = Object.keys(DIAGNOSIS_SECTIONS) as DiagnosisSection[]
  return {
    ...found,
    summary: cut(oneLine(summary), MAX_SUMMARY_LENGTH),
    sections: names.flatMap((name) => {
      const room = name === 'answer' ? MAX_ANSWER_LENGTH : MAX_SECTION_LENGTH
      const lines = boundedLines(sections[name] ?? [], room)
      return lines.length > 0 ? [{ name, lines }] : []
    }),
  }
}

function boundedLines(lines: readonly string[], length: number): string[] {
  const kept: string[] = []
  let room = length
  for (const line of lines) {
    const short = cut(oneLine(line), MAX_DIAGNOSIS_LINE)
    room -= short.length
    if (kept.length === MAX_LINES - 1 || room < 0) return [...kept, '…']
    kept.push(short)
  }
  return kept
}

function oneLine(text: string): string {
  return shownLines(text.toWellFormed()).replaceAll(/[\r\n]+/g, ' ')
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`
}

/** The whole as plain text, to copy. `say` translates the headings. */
export function diagnosisText(
  { summary, sections }: DiagnosisFound,
  say: (heading: string) => string,
): string {
  const parts = sections.map(({ name, lines }) =>
    [say(DIAGNOSIS_SECTIONS[name]), ...lines.map((line) => `  ${line}`)].join('\n'),
  )
  return [summary, ...parts].join('\n\n').concat('\n')
}
