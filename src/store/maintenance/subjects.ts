import { sql } from 'kysely'
import type { MonitorName } from '../../core/maintenance/shown-window.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'

/** Those of the ids that are monitors of the team, deleted ones left out. */
export async function knownMonitors(
  query: Query,
  teamId: number,
  ids: readonly number[],
): Promise<MonitorName[]> {
  if (ids.length === 0) return []
  return query
    .selectFrom('monitors')
    .select(['id', 'name'])
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .where('id', '=', anyOf([...ids]))
    .orderBy(sql`lower(name) COLLATE "C"`)
    .orderBy('id')
    .execute()
}

export type WindowSubjects = { count: number; monitors: MonitorName[] }

/** How many monitors each window has, and the first of them by name. Windows without any are left out. */
export async function readSubjects(
  query: Query,
  teamId: number,
  windowIds: number[],
  first: number,
): Promise<Map<number, WindowSubjects>> {
  if (windowIds.length === 0) return new Map()
  const { rows } = await sql<{ window_id: number; id: number; name: string; count: number }>`
    SELECT * FROM (
      SELECT l.window_id, m.id, m.name, count(*) OVER (PARTITION BY l.window_id) AS count,
        row_number() OVER (PARTITION BY l.window_id ORDER BY lower(m.name) COLLATE "C", m.id) AS place
      FROM maintenance_window_monitors l JOIN monitors m ON m.id = l.monitor_id
      WHERE m.team_id = ${teamId} AND m.deleted_at IS NULL AND l.window_id = ANY(${windowIds}::int[])
    ) AS subjects WHERE place <= ${first} ORDER BY window_id, place`.execute(query)
  const subjects = new Map<number, WindowSubjects>()
  for (const { window_id, id, name, count } of rows) {
    const known = subjects.get(window_id)
    if (known) known.monitors.push({ id, name })
    else subjects.set(window_id, { count, monitors: [{ id, name }] })
  }
  return subjects
}
