import type { Selectable } from 'kysely'
import type { Occurrence } from '../../core/maintenance/occurrence.ts'
import { type Chosen, subjectsOf } from '../../core/maintenance/window.ts'
import type { KeptOccurrence, WindowRecord } from '../../core/maintenance/window-record.ts'
import type { Database } from '../../postgres/database.ts'
import { removeSome } from '../../postgres/remove-some.ts'
import type { Tables } from '../../postgres/tables.ts'
import { chosenColumns, toRecord } from './windows.ts'

type WindowRow = Selectable<Tables['maintenance_windows']> & Chosen & { kept: KeptTimes | null }
type KeptTimes = { startsAt: string; endsAt: string }[]

/** A window with a plan, and what is kept of it since it last changed and from `from` on. */
export type PlannedWindow = {
  window: WindowRecord
  teamId: number
  kept: Occurrence[]
  deletedAt: Date | null
}

/** The next by id of windows with a plan, those included that were deleted after `from`. */
export async function readPlannedWindows(
  { pool }: Database,
  after: number,
  from: Date,
  limit: number,
): Promise<PlannedWindow[]> {
  const { rows } = await pool.query<WindowRow>({
    name: 'read-planned-windows',
    text: `SELECT w.*,
             ${chosenColumns()},
             (SELECT json_agg(json_build_object('startsAt', o.starts_at, 'endsAt', o.ends_at))
              FROM maintenance_occurrences o
              WHERE o.window_id = w.id AND o.starts_at >= w.since AND o.ends_at >= $2) AS kept
           FROM maintenance_windows w
           WHERE w.id > $1 AND w.kind <> 'switch' AND (w.deleted_at IS NULL OR w.deleted_at > $2)
           ORDER BY w.id LIMIT $3`,
    values: [after, from, limit],
  })
  return rows.map((row) => ({
    window: toRecord(row, row),
    teamId: row.team_id,
    kept: (row.kept ?? []).map(({ startsAt, endsAt }) => ({
      startsAt: new Date(startsAt),
      endsAt: new Date(endsAt),
    })),
    deletedAt: row.deleted_at,
  }))
}

/** Writes what is over and was not kept yet. It changes nothing about what applies: the revision stays. */
export async function insertPast(
  { query }: Database,
  past: (KeptOccurrence & { teamId: number })[],
): Promise<void> {
  if (past.length === 0) return
  await query
    .insertInto('maintenance_occurrences')
    .values(
      past.map((one) => ({
        window_id: one.windowId,
        team_id: one.teamId,
        starts_at: one.startsAt,
        ends_at: one.endsAt,
        ended_by: one.endedBy,
        ...subjectsOf(one),
      })),
    )
    .onConflict((conflict) => conflict.columns(['window_id', 'starts_at']).doNothing())
    .execute()
}

/** Removes some that ended before `cutoff`; true if there may be more. */
export async function removeSomeOccurrences(db: Database, cutoff: Date): Promise<boolean> {
  return removeSome(db, {
    name: 'remove-maintenance-occurrences',
    ...{ table: 'maintenance_occurrences', key: ['window_id', 'starts_at'] },
    where: 'ends_at < $1',
    values: [cutoff],
  })
}

/** Removes some windows that were deleted before `cutoff` and of which nothing is kept. */
export async function removeSomeWindows(db: Database, cutoff: Date): Promise<boolean> {
  return removeSome(db, {
    name: 'remove-maintenance-windows',
    ...{ table: 'maintenance_windows', key: ['id'] },
    where:
      'deleted_at < $1 AND NOT EXISTS (SELECT FROM maintenance_occurrences o WHERE o.window_id = kept.id)',
    values: [cutoff],
  })
}
