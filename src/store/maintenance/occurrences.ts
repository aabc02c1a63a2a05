import type { KeptOccurrence } from '../../core/maintenance/window-record.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'

/** Occurrences kept of a team's windows, deleted ones included, that end at `from` or later; oldest first. */
export async function listKept(
  query: Query,
  teamId: number,
  from: Date,
  windowIds?: number[],
): Promise<KeptOccurrence[]> {
  let select = query
    .selectFrom('maintenance_occurrences')
    .select(['window_id', 'starts_at', 'ends_at', 'ended_by', 'all_subjects', 'monitor_ids'])
    .where('team_id', '=', teamId)
    .where('ends_at', '>=', from)
  if (windowIds) select = select.where('window_id', '=', anyOf(windowIds))
  const rows = await select.orderBy('starts_at').orderBy('window_id').execute()
  return rows.map(({ window_id, starts_at, ends_at, ended_by, all_subjects, monitor_ids }) => ({
    windowId: window_id,
    startsAt: starts_at,
    endsAt: ends_at,
    endedBy: ended_by,
    all_subjects,
    monitor_ids,
  }))
}

/** Writes an occurrence, or its end anew where it is kept already. The caller says that windows changed. */
export async function keepOccurrence(query: Query, teamId: number, kept: KeptOccurrence): Promise<void> {
  await query
    .insertInto('maintenance_occurrences')
    .values({
      window_id: kept.windowId,
      team_id: teamId,
      starts_at: kept.startsAt,
      ends_at: kept.endsAt,
      ended_by: kept.endedBy,
      all_subjects: kept.all_subjects,
      monitor_ids: kept.monitor_ids,
    })
    .onConflict((conflict) =>
      conflict.columns(['window_id', 'starts_at']).doUpdateSet((eb) => ({
        ends_at: eb.ref('excluded.ends_at'),
        ended_by: eb.ref('excluded.ended_by'),
      })),
    )
    .execute()
}
