import * as z from 'zod'
import { issueOf, type Said, said } from '../language/said.ts'
import { cut, prose, text, unreadableFault } from '../text.ts'
import { describe } from '../validation.ts'

export const MAX_NOTES_LENGTH = 2_000
const MAX_RUNBOOK_LENGTH = 500
/** The lines of notes that an alert repeats. */
const LINES_IN_ALERTS = 3
const MAX_IN_ALERTS = 300

const RunbookUrl = text(MAX_RUNBOOK_LENGTH).superRefine((url, context) => {
  const fault = url === '' ? null : faultOf(url)
  if (fault) context.addIssue(issueOf(fault))
})

/** Words for whoever responds to an alert about a monitor. They are internal to its team. An empty one becomes null. */
export const MonitorNotes = z.object({
  runbook_url: RunbookUrl.nullable()
    .transform((url) => url || null)
    .default(null),
  notes: prose(MAX_NOTES_LENGTH)
    .nullable()
    .transform((notes) => notes?.trim() || null)
    .default(null),
})
export type MonitorNotes = z.infer<typeof MonitorNotes>

export const NO_NOTES: MonitorNotes = { runbook_url: null, notes: null }

export function hasNotes({ runbook_url, notes }: MonitorNotes): boolean {
  return runbook_url !== null || notes !== null
}

/** The first lines with text, on one line. */
export function notesInAlerts(notes: string): string {
  const lines = notes.split(/\r?\n/).map((line) => line.trim())
  return cut(lines.filter(Boolean).slice(0, LINES_IN_ALERTS).join(' · '), MAX_IN_ALERTS)
}

function faultOf(url: string): Said | null {
  const unreadable = unreadableFault(url)
  if (unreadable !== null) return unreadable
  const parsed = /^https?:\/\//i.test(url) ? URL.parse(url) : null
  if (!parsed?.hostname)
    return said('must be a full URL such as {example}, got {got}', {
      example: 'https://wiki.example.com/shop',
      got: describe(url),
    })
  return parsed.username || parsed.password ? said('must not contain credentials') : null
}
