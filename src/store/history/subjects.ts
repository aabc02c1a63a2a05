import { sql } from 'kysely'
import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { removeSome } from '../../postgres/remove-some.ts'
import { changeNotification } from '../news.ts'
import { updateRecord } from '../records.ts'

type Subjects = 'servers' | 'sites'
export type DeletedSubject = { id: number; name: string }

/** The ones after `after` by id that were there at or after a time. */
export async function subjectsSince(
  query: Query,
  subjects: Subjects,
  { after, limit, since }: { after: number; limit: number; since: Date },
): Promise<number[]> {
  const rows = await query
    .selectFrom(subjects)
    .select('id')
    .where('id', '>', after)
    .where((is) => is.or([is('deleted_at', 'is', null), is('deleted_at', '>=', since)]))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** One of a team that was deleted at or after `since`. */
export async function findDeleted(
  query: Query,
  subjects: Subjects,
  teamId: number,
  id: number,
  since: Date,
): Promise<DeletedSubject | null> {
  const row = await query
    .selectFrom(subjects)
    .select(['id', 'name'])
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('deleted_at', '>=', since)
    .executeTakeFirst()
  return row ?? null
}

/** Rows of its state, of which some kinds have several. */
const STATES = {
  servers: { table: 'server_state', subject: 'server_id', order: 'server_id' },
  sites: { table: 'site_areas', subject: 'site_id', order: 'area' },
} as const satisfies Record<Subjects, object>

/** Locks one of a team and its state until the transaction ends, against people and the recorder. False if it is gone. */
export async function lockSubject(
  query: Query,
  subjects: Subjects,
  teamId: number,
  id: number,
): Promise<boolean> {
  const locked = await query
    .selectFrom(subjects)
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    // Not FOR UPDATE: new incidents refer to it, and must not wait for us.
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!locked) return false
  const { table, subject, order } = STATES[subjects]
  await sql`SELECT FROM ${sql.table(table)} WHERE ${sql.ref(subject)} = ${id}
    ORDER BY ${sql.ref(order)} FOR NO KEY UPDATE`.execute(query)
  return true
}

/** Takes a locked one from its team; its history is removed by retention. */
export async function markDeletedSubject(
  query: Query,
  subjects: Subjects,
  teamId: number,
  id: number,
  now: Date,
): Promise<void> {
  await updateRecord(query, subjects, { teamId, id }, { deleted_at: now })
}

/** Gives one back to its team that was deleted at or after `since`, and locks it. False if there is none. */
export async function unmarkDeletedSubject(
  query: Query,
  subjects: Subjects,
  teamId: number,
  id: number,
  since: Date,
): Promise<boolean> {
  const restored = await query
    .updateTable(subjects)
    .set({ deleted_at: null })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('deleted_at', '>=', since)
    .returning(changeNotification(teamId, subjects).as('notified'))
    .executeTakeFirst()
  return restored !== undefined
}

/** The next ones of a kind that were deleted before `cutoff`, by id. */
export async function deletedSubjects(
  db: Database,
  kind: SubjectKind,
  cutoff: Date,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await db.pool.query<{ id: number }>(
    `SELECT id FROM subjects WHERE kind = $1 AND deleted_at < $2 AND id > $3 ORDER BY id LIMIT $4`,
    [kind, cutoff, after, limit],
  )
  return rows.map(({ id }) => id)
}

/** Deletes some of those that were deleted before `cutoff`, with their incidents; true if there may be more. */
export async function removeSomeDeleted(db: Database, subjects: Subjects, cutoff: Date): Promise<boolean> {
  return removeSome(db, {
    name: `remove-deleted-${subjects}`,
    ...{ table: subjects, key: ['id'] },
    where: 'deleted_at < $1',
    values: [cutoff],
  })
}
