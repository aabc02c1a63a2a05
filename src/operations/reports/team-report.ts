import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { ofEachField } from '../../core/maintenance/subject-kind.ts'
import { countChosen } from '../../core/maintenance/window.ts'
import { type DayRange, daysIn, MAX_REPORT_DAYS } from '../../core/reports/calendar-days.ts'
import { readTeamReport } from '../../store/reports/team-report.ts'
import type { Implementation } from '../implementation.ts'
import { refuseBesideTags } from './saved-reports.ts'

export const getTeamReport: Implementation<'getTeamReport'> = {
  async perform({ db, databaseNow }, { actor, query }) {
    const { from, to, zone, tags = [], lines } = query
    const chosen = ofEachField('_ids', (kind) => query[`${kind}s`] ?? [])
    refuseWrongRange({ from, to })
    if (tags.length > 0) refuseBesideTags(ofEachField('s', (kind) => query[`${kind}s`] ?? []))
    const subjects = { all_subjects: countChosen(chosen) + tags.length === 0, ...chosen, tags }
    const { teamId } = actor
    const wish = { teamId, subjects, range: { from, to }, timeZone: zone, lines, now: databaseNow() }
    return { body: { data: await readTeamReport(db, wish) } }
  },
}

function refuseWrongRange(range: DayRange): void {
  const days = daysIn(range)
  if (days >= 1 && days <= MAX_REPORT_DAYS) return
  const message = said('must be from or a later day, at most {days} days in all, got {got}', {
    days: MAX_REPORT_DAYS,
    got: range.to,
  })
  throw Refusal.invalid({ to: [message] })
}
