import * as z from 'zod'
import { Instant } from '../instant.ts'
import { Language } from '../language/language.ts'
import { phrase } from '../language/phrase.ts'
import type { Said } from '../language/said.ts'
import { RecordId } from '../record-id.ts'
import { MAX_STATUS_PAGES } from '../status-pages/status-page.ts'
import { TimeZone } from './local-time.ts'
import { ofEachField } from './subject-kind.ts'
import { MAX_WINDOWS, type MaintenanceWindow } from './window.ts'
import { EndedBy } from './window-record.ts'

/** The dashboard's questions about windows, and the answers. Times of plans are instants unless they are called local. */

export const MAX_PROLONG_MINUTES = 1_440
/** The bound of the calendar and of the list of what is over. */
export const MAX_OCCURRENCE_DAYS = 100
export const MAX_OCCURRENCES = 5_000

/** A subject by its name. */
export const SubjectName = z.object({ id: RecordId, name: z.string() })
export type SubjectName = z.infer<typeof SubjectName>
export type MonitorName = SubjectName

export const ShownSpan = z.object({ starts_at: Instant, ends_at: Instant })
export type ShownSpan = z.infer<typeof ShownSpan>

/** A line of the list. */
export const WindowRow = z.object({
  id: RecordId,
  kind: z.enum(['one_off', 'recurring', 'switch']),
  name: z.string(),
  note: z.string(),
  shows_on_pages: z.boolean(),
  public_name: z.string(),
  all_subjects: z.boolean(),
  /** The subjects are those that carry all of these, if there are any. */
  tags: z.array(z.string()),
  ...ofEachField('_count', () => z.int()),
  /** The first few by name. */
  ...ofEachField('s', () => z.array(SubjectName)),
  /** The plan in one sentence (core/maintenance/window-words.ts). */
  sentence: z.string(),
  /** Zone of a recurring window. */
  time_zone: z.string().nullable(),
  /** The occurrence that is running. */
  current: ShownSpan.nullable(),
  /** The one that begins next, looked for over five years. */
  next: ShownSpan.nullable(),
  /** Set if its zone is unknown to this machine, so that it applies to nothing. */
  fault: z.custom<Said>().nullable(),
})
export type WindowRow = z.infer<typeof WindowRow>
export const WINDOW_ROWS = z.array(WindowRow).max(MAX_WINDOWS)

export const ClockChangeShown = z.object({ at: Instant, before: z.string(), after: z.string() })

/** An occurrence in the window's zone and the reader's, with offsets: `2027-03-28T03:30+02:00`. */
export const PreviewedOccurrence = z.object({
  starts_at: Instant,
  ends_at: Instant,
  window_start: z.string(),
  window_end: z.string(),
  reader_start: z.string(),
  reader_end: z.string(),
  /** A change of clocks on a day that it touches, in either zone. */
  clock_change: ClockChangeShown.nullable(),
})
export type PreviewedOccurrence = z.infer<typeof PreviewedOccurrence>

/** Shown beside the form while somebody writes. */
export const WindowPreview = z.object({
  sentence: z.string(),
  /** Zone of `window_start`: that of a recurring window; the one that others were written in, or are read in. */
  time_zone: z.string(),
  next: z.array(PreviewedOccurrence),
  /** The largest share of any seven days that it hides, 0 to 1. */
  hidden_share_of_week: z.number(),
  /** Whether that is worth a warning. */
  hides_much: z.boolean(),
})
export type WindowPreview = z.infer<typeof WindowPreview>

/** A window with everything that its page and form show. */
export const WindowDetail = WindowRow.extend({
  /** All of them stand here, by name. */
  ...ofEachField('s', () => z.array(SubjectName)),
  /** The window as the form sends it, with times as text. */
  fields: z.record(z.string(), z.unknown()),
  /** The secret addresses of a switch; null for other windows and for viewers. */
  addresses: z.object({ start: z.string(), stop: z.string() }).nullable(),
  preview: WindowPreview,
})
export type WindowDetail = z.infer<typeof WindowDetail>

/** An occurrence that is over, runs or is to come. */
export const OccurrenceRow = z.object({
  window_id: RecordId,
  window_name: z.string(),
  kind: z.enum(['one_off', 'recurring', 'switch']),
  starts_at: Instant,
  ends_at: Instant,
  state: z.enum(['over', 'running', 'planned']),
  ended_by: EndedBy.nullable(),
  /** False once the window is deleted. */
  exists: z.boolean(),
  all_subjects: z.boolean(),
  ...ofEachField('_count', () => z.int()),
})
export type OccurrenceRow = z.infer<typeof OccurrenceRow>

/** Whether a subject is under maintenance, and when it will be. */
export const SubjectMaintenance = z.object({
  /** Windows that apply now, the one that ends last first. */
  current: z.array(
    ShownSpan.extend({
      window_id: RecordId,
      window_name: z.string(),
      note: z.string(),
      /** Whether the window covers other subjects, too, for which ending it counts. */
      covers_others: z.boolean(),
    }),
  ),
  next: ShownSpan.extend({ window_id: RecordId, window_name: z.string() }).nullable(),
  /** Published status pages that show the subject, by name. */
  pages: z.array(z.string()).max(MAX_STATUS_PAGES),
})
export type SubjectMaintenance = z.infer<typeof SubjectMaintenance>

/** The one who reads a window's sentence. */
export const WindowReader = z.object({
  /** That of the window, or UTC, if it is left out. */
  reader_zone: TimeZone.optional(),
  /** English if it is left out. */
  reader_language: Language.optional(),
  /** How dates are written, as `en-US`; as the language does where it is left out or unknown. */
  reader_locale: z
    .string()
    .max(100)
    .regex(/^[\w-]*$/, phrase('must be a language tag such as en-US, got {got}'))
    .optional(),
})

export const PreviewRequest = z.object({
  window: z.unknown(),
  ...WindowReader.shape,
  reader_zone: TimeZone,
  /** Zone that a one-off window was written in; that of the reader if it is left out. */
  zone: TimeZone.optional(),
})
export type PreviewedWindow = {
  window: MaintenanceWindow
  reader_zone: string
  zone?: string
  reader_language?: Language
  reader_locale?: string
}
