import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { ownFile } from '../files/own-files.ts'
import { type Connection, type Database, inTransaction } from './database.ts'

const MIGRATIONS = ownFile('src/postgres/migrations')

/** Arbitrary, but the same in every process. */
const LOCK = 7_365_002

/** A table with years of checks on a slow disk needs so long. */
const MAX_STATEMENT_MS = 3_600_000
const MAX_WAIT_MS = 600_000
/** A suspended process must not block others for longer. */
const MAX_PAUSE_MS = 60_000
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'
const QUERY_CANCELED = '57014'
const MAX_TRIES = 5
/** Less than `deadlock_timeout`: whoever waits for us meanwhile goes on before a deadlock is looked for. */
const HOLD_MS = 500
/** Long enough for what waited to be done. */
const LET_PASS_MS = 250

export type Migration = { version: number; name: string; sql: string }

export async function readMigrations(): Promise<Migration[]> {
  return Promise.all(
    (await migrationFiles()).map(async (file) => ({
      version: versionOf(file),
      name: file.replace(/\.sql$/, ''),
      sql: await readFile(join(MIGRATIONS, file), 'utf8'),
    })),
  )
}

/** The number of the newest migration that this code has. */
export async function newestKnownSchema(): Promise<number> {
  return Math.max(0, ...(await migrationFiles()).map(versionOf))
}

async function migrationFiles(): Promise<string[]> {
  return (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).sort()
}

function versionOf(file: string): number {
  return Number.parseInt(file, 10)
}

/** The number of the newest migration that the database has. */
export async function readSchema(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ schema: number | null }>(
    'SELECT max(version) AS schema FROM schema_migrations',
  )
  return rows[0]?.schema ?? 0
}

/**
 * Applies pending migrations, in one transaction and under a lock, so that processes can start together.
 * Refuses a database migrated by newer code. Returns the names of the applied migrations.
 */
export async function migrate(
  pool: pg.Pool,
  migrations?: Migration[],
  maxWaitMs = MAX_WAIT_MS,
): Promise<string[]> {
  // Most starts find nothing to apply, and read no migration.
  if (migrations === undefined && (await hasAll(pool))) return []
  const known = migrations ?? (await readMigrations())
  return await againAfterDeadlock(() => migrateOnce(pool, known, maxWaitMs))
}

/** Whether the database has exactly the migrations of this code, and nobody is changing that. */
async function hasAll(pool: pg.Pool): Promise<boolean> {
  // A process that migrates or restores holds the lock to its end: one that starts meanwhile waits for it, whatever is there.
  const { rows: found } = await pool.query<{ is_settled: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AND pg_try_advisory_xact_lock_shared($1) AS is_settled`,
    [LOCK],
  )
  if (!found[0]?.is_settled) return false
  const { rows } = await pool.query<{ version: number }>(
    'SELECT version FROM schema_migrations ORDER BY version',
  )
  return rows.map(({ version }) => version).join() === (await migrationFiles()).map(versionOf).join()
}

/** The locks that are taken first leave little to be caught in; and what was taken back can be done again. */
async function againAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: unknown }).code !== DEADLOCK_DETECTED || tries === MAX_TRIES) throw error
    }
  }
}

async function migrateOnce(pool: pg.Pool, known: Migration[], maxWaitMs: number): Promise<string[]> {
  return inTransaction(pool, async (client) => {
    // Allows time for large tables, and for another process that is migrating.
    await client.query(
      `SET LOCAL statement_timeout = ${MAX_STATEMENT_MS}; SET LOCAL lock_timeout = ${maxWaitMs};
       SET LOCAL idle_in_transaction_session_timeout = ${MAX_PAUSE_MS}`,
    )
    await lockMigrations(client).catch((error) => {
      throw error.code === LOCK_NOT_AVAILABLE ? new MigrationUnderWay(maxWaitMs) : error
    })
    return await bringForward(client, known)
  })
}

/** Serializes schema changes to a database, until the transaction ends. */
export async function lockMigrations(client: Connection): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
}

/** Applies pending migrations in the caller's transaction. */
export async function bringForward(client: Connection, known: Migration[]): Promise<string[]> {
  const newest = Math.max(0, ...known.map(({ version }) => version))
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    version int PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
  const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_migrations')
  const applied = new Set(rows.map(({ version }) => version))
  const ahead = Math.max(0, ...applied)
  if (ahead > newest) throw new DatabaseTooNew(ahead, newest)
  const pending = known.filter(({ version }) => !applied.has(version))
  if (applied.size > 0) await lockTables(client, pending)
  await applyMigrations(client, pending)
  return pending.map(({ name }) => name)
}

/**
 * Locks all tables that pending migrations name, before the first of them changes anything. A process that reads two of
 * them would otherwise have the one and wait for the other, which we have. Where a lock cannot be had soon, all are let go
 * and asked for again, so that it is always the others that get through.
 */
async function lockTables(client: Connection, pending: Migration[]): Promise<void> {
  const words = new Set(pending.flatMap(({ sql }) => sql.match(/\w+/g) ?? []))
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
     AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
  )
  const named = rows.map(({ name }) => name).filter((name) => words.has(name) && name !== 'schema_migrations')
  if (named.length === 0) return
  const { rows: limits } = await client.query<{ limit: string }>(
    `SELECT current_setting('statement_timeout') AS limit`,
  )
  for (const untilMs = performance.now() + MAX_WAIT_MS; ; ) {
    try {
      await client.query(`SAVEPOINT unlocked; SET LOCAL statement_timeout = ${HOLD_MS}`)
      await client.query(`LOCK TABLE ${named.join(', ')} IN ACCESS EXCLUSIVE MODE`)
      await client.query(`SET LOCAL statement_timeout = '${limits[0]?.limit}'`)
      return
    } catch (error) {
      await client.query('ROLLBACK TO SAVEPOINT unlocked; RELEASE SAVEPOINT unlocked')
      const isLate = (error as { code?: unknown }).code === QUERY_CANCELED
      if (!isLate || performance.now() > untilMs) throw isLate ? new TablesInUse(MAX_WAIT_MS) : error
      await delay(LET_PASS_MS)
    }
  }
}

export async function applyMigrations(client: Connection, migrations: Migration[]): Promise<void> {
  for (const { version, name, sql } of migrations) {
    await client.query(sql)
    await client.query('INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', [version, name])
  }
}

export class DatabaseTooNew extends Error {
  constructor(found: number, known: number) {
    super(
      `the database is at schema ${found}, newer than the ${known} this version of Upbeat knows; ` +
        'start the newer version again, or restore a backup made before the upgrade',
    )
  }
}

class TablesInUse extends Error {
  constructor(waitedMs: number) {
    super(
      `the tables of the database have been in use for ${Math.ceil(waitedMs / 1_000)} s without a break: ` +
        'end what reads them at length, such as a backup, and start again',
    )
  }
}

export class MigrationUnderWay extends Error {
  override name = 'MigrationUnderWay'

  constructor(waitedMs: number) {
    super(
      `another process has been bringing the database to its schema for ${Math.ceil(waitedMs / 1_000)} s: ` +
        'start again when it is done, or end it',
    )
  }
}
