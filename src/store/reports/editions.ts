import { sql } from 'kysely'
import { chosenField, SUBJECT_KINDS } from '../../core/maintenance/window.ts'
import type { ReportSettings, TeamReport } from '../../core/reports/report.ts'
import type { Query } from '../../postgres/database.ts'
import { agreed } from '../accounts/asked-addresses.ts'

/** Mails of reports may be due. */
export const REPORT_MAILS_CHANNEL = 'upbeat_report_mails'

/** A report whose month is due to be mailed. */
export type DueReport = ReportSettings & {
  id: number
  teamId: number
  nextMailAt: Date
  hasRecipients: boolean
}

export async function listDueReports(query: Query, now: Date, limit: number): Promise<DueReport[]> {
  return (
    query
      .selectFrom('reports')
      .select(['id', 'team_id as teamId', 'next_mail_at as nextMailAt', 'name', 'time_zone', 'all_subjects'])
      .select(['tags', ...SUBJECT_KINDS.map(chosenField)])
      .select(
        sql<boolean>`EXISTS (SELECT FROM report_recipients r
        WHERE r.report_id = reports.id AND ${agreed('r.')})`.as('hasRecipients'),
      )
      .where('next_mail_at', '<=', now)
      // A team with many, or with large ones, does not keep the others waiting.
      .orderBy(sql`row_number() OVER (PARTITION BY team_id ORDER BY next_mail_at)`)
      .orderBy('next_mail_at')
      .limit(limit)
      .execute()
  )
}

/**
 * Keeps the edition of a month and queues its mails, and moves the report on to the next month, all or nothing. Another process
 * may have done so since the report was read, or a member may have changed it: then this does nothing.
 */
export async function queueEdition(
  query: Query,
  due: Pick<DueReport, 'id' | 'teamId' | 'nextMailAt'>,
  edition: { month: string; content: TeamReport | null; nextMailAt: Date },
): Promise<void> {
  const moved = await query
    .updateTable('reports')
    .set({ next_mail_at: edition.nextMailAt })
    .where('team_id', '=', due.teamId)
    .where('id', '=', due.id)
    .where('next_mail_at', '=', due.nextMailAt)
    .returning('id')
    .executeTakeFirst()
  if (!moved || !edition.content) return
  // A month that was mailed before its report got another zone is not mailed again.
  await sql`WITH edition AS (
      INSERT INTO report_editions (report_id, month, content)
      VALUES (${due.id}, ${edition.month}, ${JSON.stringify(edition.content)})
      ON CONFLICT DO NOTHING RETURNING report_id, month),
    queued AS (
      INSERT INTO report_mails (report_id, month, recipient_id, team_id)
      SELECT e.report_id, e.month, r.id, r.team_id FROM edition e JOIN report_recipients r ON r.report_id = e.report_id
      WHERE ${agreed('r.')}
      RETURNING 1)
    SELECT pg_notify(${REPORT_MAILS_CHANNEL}, '') WHERE EXISTS (SELECT FROM queued)`.execute(query)
}
