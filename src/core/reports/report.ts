import * as z from 'zod'
import { Instant } from '../instant.ts'
import { LocalDate, TimeZone } from '../maintenance/local-time.ts'
import { ofEachField, SUBJECT_KINDS } from '../maintenance/subject-kind.ts'
import { RecordId } from '../record-id.ts'
import { TagSelectors } from '../tags/tag.ts'
import { label, MAX_NAME_LENGTH } from '../text.ts'

/** Lines that a page and a mail show. */
export const MAX_REPORT_LINES = 500
/** Lines of a file, and subjects that figures are summed up of. */
export const MAX_REPORT_SUBJECTS = 10_000
/** Chosen subjects of a kind: their ids are part of an address. */
export const MAX_REPORT_CHOSEN = 200
export const MAX_REPORTS = 100

const Share = z.number().nullable()
const Seconds = z.int().min(0)

/** Everything said about a subject in a range of time, and about all of them together. Shares are 0 to 1. */
const figures = {
  /** The share by core/history/uptime.ts; null if nothing was judged. */
  uptime: Share,
  down_seconds: Seconds,
  maintenance_seconds: Seconds,
  unknown_seconds: Seconds,
  /** Those that were open in the range, with the part of their duration that lies in it. */
  incidents: z.int().min(0),
  incident_seconds: Seconds,
  longest_seconds: Seconds.nullable(),
  /** Means: from the first failing check to the first alert that was delivered, and to the recovery. */
  notice_seconds: Seconds.nullable(),
  recover_seconds: Seconds.nullable(),
}

export const ReportTotals = z.object(figures)
export type ReportTotals = z.infer<typeof ReportTotals>

const Milliseconds = z.number().nullable()

export const ReportLine = z.object({
  kind: z.enum(SUBJECT_KINDS),
  id: z.int(),
  name: z.string(),
  ...figures,
  /** Percentiles of the checks that passed; null where a subject has no response times. */
  p50_ms: Milliseconds,
  p95_ms: Milliseconds,
  p99_ms: Milliseconds,
  /** The uptime of each bar; empty in files. */
  bars: z.array(Share),
})
export type ReportLine = z.infer<typeof ReportLine>

export const TeamReport = z.object({
  team: z.string(),
  time_zone: z.string(),
  from: LocalDate,
  /** The last day, which is part of it. */
  to: LocalDate,
  made_at: Instant,
  /** Whether the range was not over when the report was made. */
  is_running: z.boolean(),
  /** The days of each bar. */
  bars: z.array(z.object({ from: LocalDate, to: LocalDate })),
  /** The totals of all subjects, shown or not. */
  totals: ReportTotals,
  subjects: z.int(),
  /** The lowest uptime first. */
  lines: z.array(ReportLine).max(MAX_REPORT_SUBJECTS),
})
export type TeamReport = z.infer<typeof TeamReport>

const ids = z.array(RecordId).max(MAX_REPORT_CHOSEN).default([])

/** Subjects that a report is about. */
export const ReportSubjects = z.object({
  all_subjects: z
    .boolean()
    .default(true)
    .describe('True: everything of the team, including what is added later.'),
  ...ofEachField('_ids', (kind) => ids.describe(`IDs of ${kind}s, unless the report is about everything.`)),
  tags: TagSelectors.default([]).describe(
    'Instead of IDs: the report is about what carries all of these tags when it is made.',
  ),
})
export type ReportSubjects = z.infer<typeof ReportSubjects>

export const ReportSettings = ReportSubjects.extend({
  name: label(MAX_NAME_LENGTH).describe('Name of the report.'),
  time_zone: TimeZone.describe('Time zone whose days and months it counts, such as Europe/Berlin.'),
})
export type ReportSettings = z.infer<typeof ReportSettings>

/** A report that is kept. */
export const SavedReport = ReportSettings.extend({
  id: z.int(),
  created_at: Instant,
  /** When its next month is mailed, if it has recipients. */
  next_mail_at: Instant,
  /** Addresses that confirmed, and that it has in all. */
  confirmed_count: z.int(),
  recipients_count: z.int(),
})
export type SavedReport = z.infer<typeof SavedReport>
