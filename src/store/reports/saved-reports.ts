import { sql } from 'kysely'
import { chosenField, SUBJECT_KINDS } from '../../core/maintenance/window.ts'
import type { ReportSettings } from '../../core/reports/report.ts'
import type { Query } from '../../postgres/database.ts'
import { agreed } from '../accounts/asked-addresses.ts'
import { changeNotification } from '../news.ts'
import { updateRecord } from '../records.ts'

export type ReportRecord = ReportSettings & {
  id: number
  createdAt: Date
  nextMailAt: Date
  confirmed: number
  recipients: number
}

/** Reports by name. */
export async function listReports(query: Query, teamId: number): Promise<ReportRecord[]> {
  return selectReports(query, teamId).orderBy(sql`lower(name) COLLATE "C"`).orderBy('id').execute()
}

export async function findReport(query: Query, teamId: number, id: number): Promise<ReportRecord | null> {
  return (await selectReports(query, teamId).where('id', '=', id).executeTakeFirst()) ?? null
}

export async function countReports(query: Query, teamId: number): Promise<number> {
  const { count } = await query
    .selectFrom('reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertReport(
  query: Query,
  teamId: number,
  { nextMailAt, ...settings }: ReportSettings & { nextMailAt: Date },
): Promise<number> {
  const { id } = await query
    .insertInto('reports')
    .values({ ...settings, team_id: teamId, next_mail_at: nextMailAt })
    .returning(['id', changeNotification(teamId, 'team').as('notified')])
    .executeTakeFirstOrThrow()
  return id
}

export async function updateReport(
  query: Query,
  teamId: number,
  id: number,
  { nextMailAt, ...settings }: ReportSettings & { nextMailAt: Date },
): Promise<void> {
  await updateRecord(query, 'reports', { teamId, id }, { ...settings, next_mail_at: nextMailAt })
}

function selectReports(query: Query, teamId: number) {
  const recipients = sql`FROM report_recipients r WHERE r.report_id = reports.id`
  return query
    .selectFrom('reports')
    .select(['id', 'name', 'time_zone', 'all_subjects', 'tags', ...SUBJECT_KINDS.map(chosenField)])
    .select(['created_at as createdAt', 'next_mail_at as nextMailAt'])
    .select(sql<number>`(SELECT count(*) ${recipients})`.as('recipients'))
    .select(sql<number>`(SELECT count(*) ${recipients} AND ${agreed('r.')})`.as('confirmed'))
    .where('team_id', '=', teamId)
}
