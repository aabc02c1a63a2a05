import { sql } from 'kysely'
import { SUBJECT_KINDS, type SubjectKind } from '../../core/maintenance/window.ts'
import { MAX_REPORT_SUBJECTS, type ReportSubjects } from '../../core/reports/report.ts'
import type { Query } from '../../postgres/database.ts'
import { isAmong } from '../subjects.ts'
import { listCarriers } from '../tags/tags.ts'

/** A subject of a report. */
export type ReportedSubject = { kind: SubjectKind; id: number; name: string; createdAt: Date }

/** Fills in the ids of what carries the tags now, if a report goes by tags. */
export async function resolveTags(
  query: Query,
  teamId: number,
  chosen: ReportSubjects,
): Promise<ReportSubjects> {
  if (chosen.all_subjects || chosen.tags.length === 0) return chosen
  const resolved = { ...chosen }
  for (const kind of SUBJECT_KINDS)
    resolved[`${kind}_ids`] = await listCarriers(query, teamId, kind, chosen.tags)
  return resolved
}

/** The team's subjects that a report is about and that are still there, by name; as many as figures are summed up of. */
export async function readReportedSubjects(
  query: Query,
  teamId: number,
  chosen: ReportSubjects,
): Promise<ReportedSubject[]> {
  return selectReported(query, teamId, chosen)
    .select(['kind', 'id', 'name', 'created_at as createdAt'])
    .orderBy(sql`lower(name) COLLATE "C"`)
    .orderBy('kind')
    .orderBy('id')
    .limit(MAX_REPORT_SUBJECTS)
    .execute()
}

/** How many there are, beyond those that are read, too. */
export async function countReportedSubjects(
  query: Query,
  teamId: number,
  chosen: ReportSubjects,
): Promise<number> {
  const { count } = await selectReported(query, teamId, chosen)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function selectReported(query: Query, teamId: number, chosen: ReportSubjects) {
  const subjects = query.selectFrom('subjects').where('team_id', '=', teamId).where('deleted_at', 'is', null)
  if (chosen.all_subjects) return subjects
  return subjects.where(
    isAmong(SUBJECT_KINDS.flatMap((kind) => chosen[`${kind}_ids`].map((id) => ({ kind, id })))),
  )
}
