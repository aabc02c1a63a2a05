import * as z from 'zod'
import { issueOf, said } from '../../core/language/said.ts'
import { integerParameter, tagsParameter } from '../../core/lists/parameter.ts'
import { LocalDate, TimeZone } from '../../core/maintenance/local-time.ts'
import { MAX_REPORT_CHOSEN, MAX_REPORT_LINES, MAX_REPORT_SUBJECTS } from '../../core/reports/report.ts'
import { describe } from '../../core/validation.ts'

/** Ids in an address: `3,14,15`. */
function idsParameter() {
  return z
    .string()
    .transform((value, context) => {
      const ids = value.split(',')
      if (ids.length <= MAX_REPORT_CHOSEN && ids.every((id) => /^[1-9]\d{0,8}$/.test(id)))
        return ids.map(Number)
      context.addIssue(
        issueOf(
          said('must be at most {max} ids such as 3,14, got {got}', {
            max: MAX_REPORT_CHOSEN,
            got: describe(value),
          }),
        ),
      )
      return z.NEVER
    })
    .optional()
}

/** A range of days in a zone, and the subjects; everything if none are chosen. In a file of its own, for the dashboard. */
export const StatementQuery = z.object({
  from: LocalDate,
  to: LocalDate,
  zone: TimeZone,
  monitors: idsParameter(),
  servers: idsParameter(),
  sites: idsParameter(),
  /** Instead of ids: what carries all of these now. */
  tags: tagsParameter().optional(),
  lines: integerParameter(1, MAX_REPORT_SUBJECTS).default(MAX_REPORT_LINES),
})
