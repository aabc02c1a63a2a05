import assert from 'node:assert/strict'
import type { Database } from '../../../src/postgres/database.ts'
import { until } from '../until.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

/** Where the user of the database may not, the server takes its second to look for a deadlock. */
const LOOKS_AT_ONCE = `DO $$ BEGIN
  SET deadlock_timeout = '5ms';
EXCEPTION WHEN insufficient_privilege THEN NULL;
END $$`

/** A database whose connections look for a deadlock as soon as they wait for a lock. */
export async function openEagerDatabase(): Promise<TestDatabase> {
  const database = await openTestDatabase()
  for (const { options } of [database.db.pool, database.db.pipelined]) {
    const { onConnect } = options
    options.onConnect = async (client) => {
      await onConnect?.(client)
      await client.query(LOOKS_AT_ONCE)
    }
  }
  return database
}

/** The deadlocks of a database whose work is done: its other connections are ended, which makes them report. */
export async function countDeadlocks(db: Database): Promise<number> {
  const client = db.newClient('deadlocks')
  await client.connect()
  try {
    await until('all others to be gone', async () => {
      const { rowCount } = await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )
      return rowCount === 0
    })
    const { rows } = await client.query(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    )
    return rows[0].deadlocks
  } finally {
    await client.end()
  }
}

/** How often each kind of work is done beside the others. */
const ROUNDS = 12

/** Does all of this side by side, again and again, and closes the database: nothing may fail, and nothing deadlock. */
export async function workAtOnce(
  { db, close }: TestDatabase,
  works: (() => Promise<unknown>)[],
): Promise<void> {
  const refusals: string[] = []
  await Promise.all(
    works.map(async (work) => {
      for (let round = 0; round < ROUNDS; round++) {
        await work().catch((error: Error) => refusals.push(error.message))
      }
    }),
  )
  const deadlocks = await countDeadlocks(db)
  await close()
  assert.deepEqual([refusals, deadlocks], [[], 0])
}
