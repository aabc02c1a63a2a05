import { daysOfMonth } from '../../core/reports/calendar-days.ts'
import { MAX_REPORT_LINES } from '../../core/reports/report.ts'
import { monthDue, nextMailAt } from '../../core/reports/schedule.ts'
import type { Database } from '../../postgres/database.ts'
import { type Loop, type LoopReports, startLoop } from '../../postgres/loop.ts'
import { type DueReport, listDueReports, queueEdition } from '../../store/reports/editions.ts'
import { readTeamReport } from '../../store/reports/team-report.ts'

const LOOK_EVERY_MS = 30_000
const REPORTS_AT_ONCE = 20

/**
 * Makes the edition of each report whose month is due, and queues its mails. Several processes may: the row of a report lets
 * one write.
 */
export function startEditionWriter(deps: { db: Database; now: () => Date } & LoopReports): Loop {
  const { db, now, onTrouble } = deps
  return startLoop({
    ...deps,
    async work({ stopped }) {
      await queueEditions(db, now(), onTrouble, stopped)
      return LOOK_EVERY_MS
    },
    troubleMs: LOOK_EVERY_MS,
  })
}

/** One round: those that were missed while no process ran are made up for, the last month alone. */
export async function queueEditions(
  db: Database,
  now: Date,
  onTrouble: (error: unknown) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const due = await listDueReports(db.query, now, REPORTS_AT_ONCE)
    let failed = 0
    for (const report of due) {
      if (signal?.aborted) return
      await queueOne(db, report, now).catch((error) => {
        failed++
        onTrouble(error)
      })
    }
    // Those that fail come first again in the next round.
    if (due.length < REPORTS_AT_ONCE || failed > 0) return
  }
}

async function queueOne(db: Database, due: DueReport, now: Date): Promise<void> {
  const { teamId, time_zone: timeZone, hasRecipients } = due
  const month = monthDue(now, timeZone)
  const content = hasRecipients
    ? await readTeamReport(db, {
        ...{ teamId, timeZone, now },
        subjects: due,
        range: daysOfMonth(month),
        lines: MAX_REPORT_LINES,
      })
    : null
  const edition = { month, content: content && withoutBars(content), nextMailAt: nextMailAt(now, timeZone) }
  await db.query.transaction().execute((query) => queueEdition(query, due, edition))
}

/** Mails have no bars. */
function withoutBars(report: Awaited<ReturnType<typeof readTeamReport>>) {
  return { ...report, bars: [], lines: report.lines.map((line) => ({ ...line, bars: [] })) }
}
