// npm test leaves this out: it moves whole databases between servers, there and back (seconds of a core).
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { writeBackup } from '../../../src/postgres/backup/backup.ts'
import { listSequences, listTables } from '../../../src/postgres/backup/backup-tables.ts'
import { moveDatabase } from '../../../src/postgres/backup/move-database.ts'
import { restoreBackup } from '../../../src/postgres/backup/restore.ts'
import { type Database, inTransaction, openDatabase } from '../../../src/postgres/database.ts'
import { readDatabaseUrl } from '../../../src/postgres/database-url.ts'
import { holdLease, releaseLease } from '../../../src/postgres/leases.ts'
import { migrate, readMigrations } from '../../../src/postgres/migrate.ts'
import { createPartition } from '../../../src/store/history/partitions.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { type ExternalServer, externalServer } from '../../support/postgres/external-server.ts'
import { PATIENCE } from '../../support/postgres/patient-database.ts'
import { addPerson } from '../../support/records/teams.ts'
import { suiteScope } from '../../support/scope.ts'
import { startListener, whileTimePasses } from '../../support/servers/listener.ts'

const HOLDER = '6f4f0c52-55f8-4f5c-9a3f-2f2a1f0e9d11'
const silent = () => {}

describe('a database moves to another server', () => {
  const scope = suiteScope()
  let server: ExternalServer
  let source: Database
  /** Where the first tests try to move it. */
  let target: Awaited<ReturnType<typeof emptyDatabase>>
  let made = 0

  before(async () => {
    server = await externalServer()
    const { db, close } = await openTestDatabase()
    scope.after(close)
    source = db
    await fill(source)
    target = await emptyDatabase()
  })

  async function emptyDatabase() {
    const name = `target_${++made}`
    await server.createDatabase(name)
    const db = openDatabase(readDatabaseUrl(server.url(name, PATIENCE)), silent)
    scope.after(() => db.close())
    return { url: server.url(name, PATIENCE), name, db }
  }

  it('not while a process schedules, and not while one of any role listens', async (t) => {
    await holdLease(source, 'scheduler', HOLDER, 600)
    await assert.rejects(
      moveDatabase(source, target.url, silent),
      /the service is running: stop all of its processes/,
    )
    await releaseLease(source, 'scheduler', HOLDER)
    const listening = await startListener(source)
    await whileTimePasses(t, () =>
      assert.rejects(moveDatabase(source, target.url, silent), /the service is running/),
    )
    await listening.close()
    assert.deepEqual(await tablesOf(target.db), [])
  })

  it('with every row, and new ids follow the old ones', async () => {
    const { url, name, db } = target
    const told: string[] = []
    const moved = await moveDatabase(source, url, (progress) => told.push(progress))
    assert.equal(moved.place, `localhost:${server.port}/${name}`)
    assert.ok(told.includes('checks: 3 rows'), told.join())
    const content = await contentOf(source)
    assert.deepEqual(await contentOf(db), content)
    assert.ok(moved.rows >= 8)
    assert.deepEqual(await migrate(db.pool), [], 'the schema is the newest')
    assert.equal(await addPerson(db, { name: 'Cy' }), 8)
  })

  it('only into an empty one, which a second time it is not', async () => {
    const { url, name, db } = target
    await db.pool.query(`UPDATE users SET name = 'Changed'`)
    const before = await contentOf(db)
    await assert.rejects(
      moveDatabase(source, url, silent),
      new RegExp(`the database ${name} is not empty: it has .* and \\d+ more. Nothing was changed`),
    )
    assert.deepEqual(await contentOf(db), before)
  })

  it('entirely or not at all', async () => {
    const { url, db } = await emptyDatabase()
    const fails = () => assert.fail('the terminal is gone')
    await assert.rejects(moveDatabase(source, url, fails), /the terminal is gone/)
    assert.deepEqual(await tablesOf(db), [])
  })

  it('of an address that is right', async () => {
    await assert.rejects(
      moveDatabase(source, 'postgres://u:hunter2@db/d?sslmode=no', silent),
      /^Error: the address is "postgres:\/\/u:\*\*\*@db\/d\?sslmode=no": it takes sslmode one of disable, /,
    )
    await assert.rejects(moveDatabase(source, server.url('nowhere'), silent), /there is no database nowhere/)
  })

  it('by way of a backup, too, there and back', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
    scope.after(() => rm(directory, { recursive: true }))
    const { db: external } = await emptyDatabase()
    const { db: embedded, close } = await openTestDatabase()
    scope.after(close)
    await migrate(external.pool)
    const content = await contentOf(source)
    await writeBackup(source, join(directory, 'there'), silent)
    await restoreBackup(external, join(directory, 'there'), silent)
    assert.deepEqual(await contentOf(external), content)
    await writeBackup(external, join(directory, 'back'), silent)
    await restoreBackup(embedded, join(directory, 'back'), silent)
    assert.deepEqual(await contentOf(embedded), content)
  })

  it('from an older version, too: it is brought forward on the way in', async () => {
    const { db: older } = await emptyDatabase()
    const migrations = await readMigrations()
    await migrate(older.pool, migrations.slice(0, -1))
    await older.pool.query(`INSERT INTO users (email, name) VALUES ('a@example.com', 'Ada')`)
    await migrate(older.pool)
    const { url, db } = await emptyDatabase()
    await moveDatabase(older, url, silent)
    assert.deepEqual(await contentOf(db), await contentOf(older))
  })
})

/** A little of everything: what has partitions, what refers to others, and text that a format can break. */
async function fill(db: Database): Promise<void> {
  await db.pool.query(`
    ${createPartition('checks', new Date('2024-02-29'))};
    SELECT setval('users_id_seq', 7, false);
    INSERT INTO users (email, name) VALUES ('a@example.com', E'Ada\\t\\\\N\\r\\n"L," \\\\. é🔐');
    INSERT INTO teams (name, plan, signing_secret) VALUES ('Ops', 'business', '');
    INSERT INTO members SELECT t.id, u.id, 'owner' FROM teams t, users u;
    INSERT INTO contacts (team_id, name, type, config) SELECT id, 'Ops', 'email', 'sealed' FROM teams;
    INSERT INTO checks (checked_at, monitor_id, status, error_message)
      SELECT at, 1, 'down', E'two\\nlines'
      FROM unnest('{2024-02-29T00:00:00Z,2024-02-29T23:59:59.999999Z}'::timestamptz[] || now()) AS at;
    INSERT INTO scheduler_pulse (alive_at) VALUES (now())`)
}

async function tablesOf(db: Database): Promise<string[]> {
  return inTransaction(db.pool, async (client) => (await listTables(client)).map(({ name }) => name))
}

/** Every row as the server writes it, and the number that each sequence gives next. */
async function contentOf(db: Database): Promise<object> {
  return inTransaction(db.pool, async (client) => {
    await client.query(`SET LOCAL timezone = 'UTC'`)
    const parts = (await listTables(client)).map(
      ({ name }) => `SELECT '${name}' AS name, ARRAY(SELECT t::text FROM ${name} t ORDER BY 1) AS rows`,
    )
    const { rows: content } = await client.query(parts.join(' UNION ALL '))
    return { content, sequences: await listSequences(client) }
  })
}
