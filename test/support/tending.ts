import type { TestContext } from 'node:test'
import { DEFAULT_PLANS } from '../../src/core/plan.ts'
import { tendOnce } from '../../src/engine/tend.ts'
import type { Database } from '../../src/store/database.ts'
import { openTestDatabase } from './database.ts'

/** A database whose checks are only those that a test puts there: not even days of today. */
export async function openWithoutDays(t: TestContext): Promise<Database> {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'checks'::regclass`,
  )
  for (const { name } of rows) await db.pool.query(`DROP TABLE ${name}`)
  return db
}

/** One round of the work on history, step by step; nothing may fail. */
export function tending(db: Database, now: Date): AsyncGenerator<number> {
  const onTrouble = (error: unknown) => {
    throw error
  }
  return tendOnce({ db, plans: DEFAULT_PLANS, now: () => now, onTrouble, note: () => {} })
}

export async function tend(db: Database, now: Date): Promise<void> {
  for await (const _step of tending(db, now));
}
