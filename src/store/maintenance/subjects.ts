import { sql } from 'kysely'
import type { SubjectName } from '../../core/maintenance/shown-window.ts'
import { ofEachKind, SUBJECT_KINDS, type SubjectKind } from '../../core/maintenance/window.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'
import { LINKS } from './windows.ts'

/** Those of the ids that are subjects of the team, deleted ones left out. */
export async function knownSubjects(
  query: Query,
  teamId: number,
  kind: SubjectKind,
  ids: readonly number[],
): Promise<SubjectName[]> {
  if (ids.length === 0) return []
  return query
    .selectFrom(LINKS[kind].of)
    .select(['id', 'name'])
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .where('id', '=', anyOf([...ids]))
    .orderBy(sql`lower(name) COLLATE "C"`)
    .orderBy('id')
    .execute()
}

/** How many subjects of each kind a window has, and the first of them by name. */
export type WindowSubjects = Record<SubjectKind, { count: number; first: SubjectName[] }>

/** Windows without any chosen subject are left out. */
export async function readSubjects(
  query: Query,
  teamId: number,
  windowIds: number[],
  first: number,
): Promise<Map<number, WindowSubjects>> {
  const subjects = new Map<number, WindowSubjects>()
  if (windowIds.length === 0) return subjects
  for (const kind of SUBJECT_KINDS) {
    for (const { window_id, count, id, name } of await readFirst(query, teamId, kind, windowIds, first)) {
      const known = subjects.get(window_id) ?? ofEachKind(() => ({ count: 0, first: [] }))
      known[kind].count = count
      known[kind].first.push({ id, name })
      subjects.set(window_id, known)
    }
  }
  return subjects
}

async function readFirst(
  query: Query,
  teamId: number,
  kind: SubjectKind,
  windowIds: number[],
  first: number,
) {
  const { table, column, of } = LINKS[kind]
  const { rows } = await sql<{ window_id: number; id: number; name: string; count: number }>`
    SELECT * FROM (
      SELECT l.window_id, m.id, m.name, count(*) OVER (PARTITION BY l.window_id) AS count,
        row_number() OVER (PARTITION BY l.window_id ORDER BY lower(m.name) COLLATE "C", m.id) AS place
      FROM ${sql.table(table)} l JOIN ${sql.table(of)} m ON m.id = l.${sql.ref(column)}
      WHERE m.team_id = ${teamId} AND m.deleted_at IS NULL AND l.window_id = ANY(${windowIds}::int[])
    ) AS subjects WHERE place <= ${first} ORDER BY window_id, place`.execute(query)
  return rows
}
