import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, openDatabase } from '../../src/postgres/database.ts'
import {
  DatabaseTooNew,
  lockMigrations,
  type Migration,
  migrate,
  readMigrations,
} from '../../src/postgres/migrate.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { openEmptyDatabase, openTestDatabase, someoneWaits } from '../support/postgres/database.ts'
import { until } from '../support/until.ts'

const FIRST = { version: 1, name: '001-first', sql: 'CREATE TABLE first (id int)' }
const SECOND = {
  version: 2,
  name: '002-second',
  sql: 'CREATE TABLE second (id int); INSERT INTO first VALUES (7)',
}

test('the migrations of the project are numbered 1, 2, 3 and so on', async () => {
  const migrations = await readMigrations()
  assert.deepEqual(
    migrations.map(({ version }) => version),
    migrations.map((_, index) => index + 1),
  )
})

test('an empty database gets the whole schema, and a second time nothing', async (t) => {
  const { db, close } = await openEmptyDatabase()
  t.after(close)
  const names = (await readMigrations()).map(({ name }) => name)
  assert.deepEqual(await migrate(db.pool), names)
  assert.ok((await tables(db)).includes('monitors'))
  assert.deepEqual(await migrate(db.pool), [])
})

test('only what is new is applied, in order', async (t) => {
  const { db, close } = await openEmptyDatabase()
  t.after(close)
  assert.deepEqual(await migrate(db.pool, [FIRST]), ['001-first'])
  assert.deepEqual(await migrate(db.pool, [FIRST, SECOND]), ['002-second'])
  assert.deepEqual((await db.pool.query('SELECT * FROM first')).rows, [{ id: 7 }])
})

test('of processes that migrate at the same time exactly one does the work', async (t) => {
  const { db, close } = await openEmptyDatabase()
  t.after(close)
  const others = [1, 2].map(() => openDatabase({ ...db.connection }, () => {}))
  // Until both of the others wait for it.
  const slow: Migration = { ...FIRST, sql: `${FIRST.sql}; ${waitFor(others.length)}` }
  const applied = await Promise.all([db, ...others].map(({ pool }) => migrate(pool, [slow, SECOND])))
  assert.deepEqual(
    applied.filter(({ length }) => length > 0),
    [['001-first', '002-second']],
  )
  assert.deepEqual((await db.pool.query('SELECT * FROM first')).rows, [{ id: 7 }])
  for (const other of others) await other.close()
})

test('waiting for another process to migrate ends at last, with a sentence', async (t) => {
  const { db, close } = await openEmptyDatabase()
  t.after(close)
  const other = await db.pool.connect()
  try {
    await other.query('BEGIN')
    await lockMigrations(other)
    await assert.rejects(migrate(db.pool, [FIRST], 1), {
      name: 'MigrationUnderWay',
      message:
        /^another process has been bringing the database to its schema for 1 s: start again when it is done/,
    })
  } finally {
    await other.query('ROLLBACK')
    other.release()
  }
  assert.deepEqual(await migrate(db.pool, [FIRST], 1), ['001-first'])
})

test('who starts while another process migrates waits, though every migration is there so far', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  assert.deepEqual(await migrate(db.pool), [])
  const other = await db.pool.connect()
  try {
    await other.query('BEGIN')
    await lockMigrations(other)
    await assert.rejects(migrate(db.pool, undefined, 1), { name: 'MigrationUnderWay' })
  } finally {
    await other.query('ROLLBACK')
    other.release()
  }
  assert.deepEqual(await migrate(db.pool), [])
})

test('a database that newer code has been at is refused and left alone', async (t) => {
  const { db, close } = await openEmptyDatabase()
  t.after(close)
  await migrate(db.pool, [FIRST, SECOND])
  await assert.rejects(migrate(db.pool, [FIRST]), (error: Error) => {
    assert.ok(error instanceof DatabaseTooNew)
    assert.match(error.message, /the database is at schema 2, newer than the 1 this version of Upbeat knows/)
    return true
  })
  assert.deepEqual(await tables(db), ['first', 'schema_migrations', 'second'])
})

test('a migration that fails takes back those before it, and the next try starts clean', async (t) => {
  const { db, close } = await openEmptyDatabase()
  t.after(close)
  const broken: Migration = { ...SECOND, sql: 'CREATE TABLE second (id int); SELECT 1 / 0' }
  await assert.rejects(migrate(db.pool, [FIRST, broken]), /division by zero/)
  assert.deepEqual(await tables(db), [])
  assert.deepEqual(await migrate(db.pool, [FIRST, SECOND]), ['001-first', '002-second'])
})

test('a process that reads tables in another order than they are changed is let through, and so are the changes', async (t) => {
  const { db, close } = await openEmptyDatabase()
  t.after(close)
  const tables: Migration = { ...FIRST, sql: 'CREATE TABLE monitors (id int); CREATE TABLE states (id int)' }
  const changes: Migration = {
    ...SECOND,
    sql: 'ALTER TABLE states ADD COLUMN cause text; ALTER TABLE monitors ADD COLUMN name text',
  }
  await migrate(db.pool, [tables])
  const reader = await db.pool.connect()
  let applied: Promise<string[]>
  try {
    await reader.query('BEGIN')
    await reader.query('SELECT FROM monitors')
    applied = migrate(db.pool, [tables, changes])
    await until('the changes to wait for the reader', () => someoneWaits(db))
    await reader.query('SELECT FROM states')
  } finally {
    await reader.query('COMMIT')
    reader.release()
  }
  assert.deepEqual(await applied, ['002-second'])
})

/** Waits until so many others wait for an advisory lock. */
function waitFor(others: number): string {
  return `DO $$ BEGIN
    WHILE clock_timestamp() < now() + interval '${HANG_GUARD_MS} ms' AND ${others} >
      (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
    LOOP PERFORM pg_sleep(0.005); END LOOP;
  END $$`
}

async function tables(db: Database): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}
