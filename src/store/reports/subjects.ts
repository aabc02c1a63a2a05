import { sql } from 'kysely'
import { SUBJECT_KINDS, type SubjectKind } from '../../core/maintenance/window.ts'
import { MAX_REPORT_SUBJECTS, type ReportSubjects } from '../../core/reports/report.ts'
import type { Query } from '../../postgres/database.ts'
import { LINKS } from '../maintenance/windows.ts'
import { listCarriers } from '../tags/tags.ts'

/** A subject of a report. */
export type ReportedSubject = { kind: SubjectKind; id: number; name: string; createdAt: Date }

/** With the ids of what carries the tags now, if a report goes by tags. */
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
  const parts = SUBJECT_KINDS.map((kind) => {
    const ids = chosen[`${kind}_ids`]
    const which = chosen.all_subjects ? sql`` : sql`AND id = ANY(${ids}::int[])`
    return sql`SELECT ${kind}::text AS kind, id, name, created_at AS "createdAt" FROM ${sql.table(LINKS[kind].of)}
      WHERE team_id = ${teamId} AND deleted_at IS NULL ${which}`
  })
  const { rows } = await sql<ReportedSubject>`SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) AS s
    ORDER BY lower(name) COLLATE "C", kind, id LIMIT ${MAX_REPORT_SUBJECTS}`.execute(query)
  return rows
}

/** How many there are, beyond those that are read, too. */
export async function countReportedSubjects(
  query: Query,
  teamId: number,
  chosen: ReportSubjects,
): Promise<number> {
  const parts = SUBJECT_KINDS.map((kind) => {
    const ids = chosen[`${kind}_ids`]
    const which = chosen.all_subjects ? sql`` : sql`AND id = ANY(${ids}::int[])`
    return sql`(SELECT count(*) FROM ${sql.table(LINKS[kind].of)}
      WHERE team_id = ${teamId} AND deleted_at IS NULL ${which})`
  })
  const { rows } = await sql<{ count: number }>`SELECT ${sql.join(parts, sql` + `)} AS count`.execute(query)
  return rows[0]?.count ?? 0
}
