import * as z from 'zod'
import { chosenIds, integerParameter, tagsParameter } from '../../core/lists/parameter.ts'
import { LocalDate, TimeZone } from '../../core/maintenance/local-time.ts'
import { ofEachField } from '../../core/maintenance/subject-kind.ts'
import { MAX_REPORT_CHOSEN, MAX_REPORT_LINES, MAX_REPORT_SUBJECTS } from '../../core/reports/report.ts'

/** A range of days in a zone, and the subjects; everything if none are chosen. In a file of its own, for the dashboard. */
export const StatementQuery = z.object({
  from: LocalDate,
  to: LocalDate,
  zone: TimeZone,
  ...ofEachField('s', () => chosenIds(MAX_REPORT_CHOSEN)),
  /** Instead of ids: what carries all of these now. */
  tags: tagsParameter().optional(),
  lines: integerParameter(1, MAX_REPORT_SUBJECTS).default(MAX_REPORT_LINES),
})
