import type { Database } from '../../../src/postgres/database.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

/** Before `pg_catalog`, whose `now()` would be found first otherwise. */
const SEARCH_PATH = 'SET search_path = turned, pg_catalog, public'

/** A database whose clock stands still but for the test: `now()` and `clock_timestamp()` of statements, not of defaults. */
export async function openTurnedDatabase(
  at: Date,
): Promise<TestDatabase & { turnTo: (at: Date) => Promise<void> }> {
  const database = await openTestDatabase()
  const { db } = database
  for (const { options } of [db.pool, db.pipelined]) {
    const { onConnect } = options
    // Timers that the test turns would end them.
    Object.assign(options, { connectionTimeoutMillis: 0, idleTimeoutMillis: 0 })
    options.onConnect = async (client) => {
      await onConnect?.(client)
      await client.query(SEARCH_PATH)
    }
  }
  await createClock(db, at)
  return {
    ...database,
    turnTo: async (to) => {
      await db.pool.query('UPDATE turned.clock SET at = $1', [to])
    },
  }
}

async function createClock({ pool }: Database, at: Date): Promise<void> {
  await pool.query(`
    CREATE SCHEMA turned;
    CREATE TABLE turned.clock (at timestamptz NOT NULL);
    CREATE FUNCTION turned.now() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT at FROM turned.clock';
    CREATE FUNCTION turned.clock_timestamp() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT at FROM turned.clock'`)
  await pool.query('INSERT INTO turned.clock VALUES ($1)', [at])
}
