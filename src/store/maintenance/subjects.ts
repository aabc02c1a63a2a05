import { sql } from 'kysely'
import type { SubjectName } from '../../core/maintenance/shown-window.ts'
import { ofEachKind, type SubjectKind } from '../../core/maintenance/window.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'

/** Those of the ids that are subjects of the team, deleted ones left out. */
export async function knownSubjects(
  query: Query,
  teamId: number,
  kind: SubjectKind,
  ids: readonly number[],
): Promise<SubjectName[]> {
  if (ids.length === 0) return []
  return query
    .selectFrom('subjects')
    .select(['id', 'name'])
    .where('kind', '=', kind)
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
  for (const { window_id, kind, count, id, name } of await readFirst(query, teamId, windowIds, first)) {
    const known = subjects.get(window_id) ?? ofEachKind(() => ({ count: 0, first: [] }))
    known[kind].count = count
    known[kind].first.push({ id, name })
    subjects.set(window_id, known)
  }
  return subjects
}

async function readFirst(query: Query, teamId: number, windowIds: number[], first: number) {
  const { rows } = await sql<{
    window_id: number
    kind: SubjectKind
    id: number
    name: string
    count: number
  }>`
    SELECT * FROM (
      SELECT l.window_id, s.kind, s.id, s.name, count(*) OVER (PARTITION BY l.window_id, s.kind) AS count,
        row_number() OVER (PARTITION BY l.window_id, s.kind ORDER BY lower(s.name) COLLATE "C", s.id) AS place
      FROM maintenance_window_subjects l JOIN subjects s ON s.kind = l.kind AND s.id = l.subject_id
      WHERE s.team_id = ${teamId} AND s.deleted_at IS NULL AND l.window_id = ANY(${windowIds}::int[])
    ) AS subjects WHERE place <= ${first} ORDER BY window_id, kind, place`.execute(query)
  return rows
}
