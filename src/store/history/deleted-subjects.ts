import type { Database } from '../../postgres/database.ts'
import { ROWS_PER_STEP, removeSome } from '../../postgres/remove-some.ts'

type Subjects = 'servers' | 'sites'

/** The next ones by id. */
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
    text: `DELETE FROM ${subjects} WHERE id IN (SELECT id FROM ${subjects} WHERE deleted_at < $1 LIMIT ${ROWS_PER_STEP})`,
    values: [cutoff],
  })
}
