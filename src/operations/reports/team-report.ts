import { Refusal } from '../../core/errors.ts'
import { type DayRange, daysIn, MAX_REPORT_DAYS } from '../../core/reports/calendar-days.ts'
import { readTeamReport } from '../../store/reports/team-report.ts'
import type { Implementation } from '../implementation.ts'

export const getTeamReport: Implementation<'getTeamReport'> = {
  async perform({ db, databaseNow }, { actor, query }) {
    const { from, to, zone, monitors, servers, sites, lines } = query
    refuseWrongRange({ from, to })
    const subjects = {
      all_subjects: !(monitors || servers || sites),
      monitor_ids: monitors ?? [],
      server_ids: servers ?? [],
      site_ids: sites ?? [],
    }
    const { teamId } = actor
    const wish = { teamId, subjects, range: { from, to }, timeZone: zone, lines, now: databaseNow() }
    return { body: { data: await readTeamReport(db, wish) } }
  },
}

function refuseWrongRange(range: DayRange): void {
  const days = daysIn(range)
  if (days >= 1 && days <= MAX_REPORT_DAYS) return
  const message = `to must be from or a later day, at most ${MAX_REPORT_DAYS} days in all, got ${range.to}`
  throw Refusal.invalid({ to: [message] })
}
