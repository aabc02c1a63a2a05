import type pg from 'pg'
import type { Database } from '../../../src/postgres/database.ts'
import { until } from '../until.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

/** How the server joins tables: as it likes, or by nested loops, whose parts are read again for each row that has changed. */
export const PLANS = {
  'as the server plans': [],
  'by nested loops over indexes': [
    'enable_hashjoin',
    'enable_mergejoin',
    'enable_seqscan',
    'enable_bitmapscan',
  ],
} as const satisfies Record<string, readonly string[]>

export type Plan = keyof typeof PLANS

export async function openPlannedDatabase(plan: Plan): Promise<TestDatabase> {
  const database = await openTestDatabase()
  for (const { options } of [database.db.pool, database.db.pipelined]) {
    const { onConnect } = options
    options.onConnect = async (client) => {
      await onConnect?.(client)
      for (const way of PLANS[plan]) await client.query(`SET ${way} = off`)
    }
  }
  return database
}

/**
 * Does our work while a rival transaction holds what it has changed, and commits once ours waits for it, or is over without
 * waiting.
 */
export async function besideRival<T>(
  db: Database,
  rival: (client: pg.Client) => Promise<unknown>,
  ours: () => Promise<T>,
): Promise<{ result: T; waited: boolean }> {
  const client = db.newClient('rival')
  await client.connect()
  try {
    const { rows } = await client
      .query<{ pid: number }>('BEGIN; SELECT pg_backend_pid() AS pid')
      .then(
        (results) =>
          (results as unknown as pg.QueryResult<{ pid: number }>[])[1] as pg.QueryResult<{ pid: number }>,
      )
    await rival(client)
    let over = false
    const work = ours().finally(() => {
      over = true
    })
    work.catch(() => {})
    const waited = await until('ours to wait for the rival, or to be over', async () =>
      (await isHeldUp(db, rows[0]?.pid ?? 0)) ? { yes: true } : over && { yes: false },
    )
    await client.query('COMMIT')
    return { result: await work, waited: waited.yes }
  } finally {
    await client.end()
  }
}

async function isHeldUp(db: Database, pid: number): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY(pg_blocking_pids(pid))`,
    [pid],
  )
  return rowCount !== 0
}

/** Held by a rival that wants statements to stand still after they took their picture of the database. */
const STANDSTILL = 7_301

/**
 * Has all connections of a database that are still to be made stand still at `now()` while a rival holds them up, as on a
 * busy machine: what a statement locks after that has changed since it began.
 */
export async function mayStandStill({ db }: TestDatabase): Promise<void> {
  const client = db.newClient('standstill')
  await client.connect()
  for (const name of ['now', 'clock_timestamp']) {
    await client.query(`CREATE SCHEMA IF NOT EXISTS standstill;
      CREATE FUNCTION standstill.${name}() RETURNS timestamptz VOLATILE LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_lock_shared(${STANDSTILL});
        PERFORM pg_advisory_unlock_shared(${STANDSTILL});
        RETURN pg_catalog.${name}();
      END $$`)
  }
  await client.end()
  for (const { options } of [db.pool, db.pipelined]) {
    const { onConnect } = options
    options.onConnect = async (connected) => {
      await onConnect?.(connected)
      await connected.query('SET search_path = standstill, pg_catalog, public')
    }
  }
}

/** For the rival: whatever asks for the time stands still until it commits. */
export async function holdUp(client: pg.Client): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${STANDSTILL})`)
}
