import {
  chosenField,
  type MaintenanceWindow,
  SUBJECT_KINDS,
  type Subjects,
  subjectsOf,
} from '../../core/maintenance/window.ts'
import type { KeptOccurrence } from '../../core/maintenance/window-record.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'

const IDS = SUBJECT_KINDS.map((kind) => `o.${chosenField(kind)}` as const)
/** The columns of an occurrence `o` with the ids of what it covers. */
export const KEPT_IDS = IDS.join(', ')

/** Occurrences kept of a team's windows, deleted ones included, that end at `from` or later; oldest first. */
export async function listKept(
  query: Query,
  teamId: number,
  from: Date,
  windowIds?: number[],
): Promise<KeptOccurrence[]> {
  const select = kept(query, teamId).where('o.ends_at', '>=', from)
  return (windowIds ? select.where('o.window_id', '=', anyOf(windowIds)) : select).execute()
}

/**
 * The kept occurrences of a team's windows that say something about now and later: those that end then, and those that
 * were ended since `lookFrom`, whose plans may go on. All others, of which there can be many, are left out.
 */
export async function listStanding(
  query: Query,
  teamId: number,
  { now, lookFrom }: { now: Date; lookFrom: Date },
  windowIds?: number[],
): Promise<KeptOccurrence[]> {
  let select = kept(query, teamId)
    .innerJoin('maintenance_windows as w', 'w.id', 'o.window_id')
    .where('w.deleted_at', 'is', null)
    .where('o.ends_at', '>=', lookFrom)
    .where((eb) =>
      eb.or([
        eb('o.ends_at', '>=', now),
        eb.and([eb('o.ended_by', 'is not', null), eb('w.kind', '<>', 'switch')]),
      ]),
    )
  if (windowIds) select = select.where('o.window_id', '=', anyOf(windowIds))
  return select.execute()
}

function kept(query: Query, teamId: number) {
  return query
    .selectFrom('maintenance_occurrences as o')
    .select(['o.window_id as windowId', 'o.starts_at as startsAt', 'o.ends_at as endsAt'])
    .select(['o.ended_by as endedBy', 'o.all_subjects', ...IDS])
    .where('o.team_id', '=', teamId)
    .orderBy('o.starts_at')
    .orderBy('o.window_id')
}

/** A kept occurrence, and how its window is called, which may be deleted. */
export type Happened = KeptOccurrence & { name: string; kind: MaintenanceWindow['kind'] }

/**
 * The kept occurrences of all windows of a team, or of `only` one, within [from, to), oldest first. Those that were ended
 * since `lookFrom` are there, too: their plans may reach into the time asked for.
 */
export async function listHappened(
  query: Query,
  teamId: number,
  { from, lookFrom, to, only }: { from: Date; lookFrom: Date; to: Date; only?: number | undefined },
  limit: number,
): Promise<Happened[]> {
  const select = kept(query, teamId)
    .innerJoin('maintenance_windows as w', 'w.id', 'o.window_id')
    .select(['w.name', 'w.kind'])
    .where('o.ends_at', '>=', lookFrom)
    .where('o.starts_at', '<', to)
    .where((eb) => eb.or([eb('o.ends_at', '>=', from), eb('o.ended_by', 'is not', null)]))
    .limit(limit)
  return (only === undefined ? select : select.where('o.window_id', '=', only)).execute()
}

/** Gives what is kept of a window from an instant on its new subjects: it counts for those. */
export async function changeSubjectsFrom(
  query: Query,
  teamId: number,
  windowId: number,
  from: Date,
  subjects: Subjects,
): Promise<void> {
  await query
    .updateTable('maintenance_occurrences')
    .set(subjectsOf(subjects))
    .where('team_id', '=', teamId)
    .where('window_id', '=', windowId)
    .where('starts_at', '>=', from)
    .execute()
}

/** Forgets what is kept of a window from an instant on. */
export async function dropKeptFrom(
  query: Query,
  teamId: number,
  windowId: number,
  from: Date,
): Promise<void> {
  await query
    .deleteFrom('maintenance_occurrences')
    .where('team_id', '=', teamId)
    .where('window_id', '=', windowId)
    .where('starts_at', '>=', from)
    .execute()
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
      ...subjectsOf(kept),
    })
    .onConflict((conflict) =>
      conflict.columns(['window_id', 'starts_at']).doUpdateSet((eb) => ({
        ends_at: eb.ref('excluded.ends_at'),
        ended_by: eb.ref('excluded.ended_by'),
      })),
    )
    .execute()
}
