import type { TestContext } from 'node:test'
import type { Database } from '../../../src/postgres/database.ts'
import { migrate, readMigrations } from '../../../src/postgres/migrate.ts'
import { openEmptyDatabase } from './database.ts'

/** A database as it was before the migration of a number, such as `012`; `bringForward` applies that and all later ones. */
export async function openOlderDatabase(
  t: TestContext,
  number: string,
): Promise<{ db: Database; bringForward: () => Promise<unknown> }> {
  const { db, close } = await openEmptyDatabase()
  t.after(close)
  const all = await readMigrations()
  await migrate(
    db.pool,
    all.filter(({ name }) => name < number),
  )
  return { db, bringForward: () => migrate(db.pool, all) }
}
