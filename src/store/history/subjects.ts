import type { Database, Query } from '../../postgres/database.ts'
import { removeSome } from '../../postgres/remove-some.ts'

type Subjects = 'servers' | 'sites'

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

/** The next ones that are deleted, by id. */
export async function deletedSubjects(
  db: Database,
  subjects: Subjects,
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await db.pool.query<{ id: number }>(
    `SELECT id FROM ${subjects} WHERE deleted_at IS NOT NULL AND id > $1 ORDER BY id LIMIT $2`,
    [after, limit],
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
