import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Database, openDatabase } from '../../src/store/database.ts'
import type { DatabaseAddress } from '../../src/store/database-address.ts'
import { openEmbeddedServer } from '../../src/store/embedded-server.ts'
import { migrate } from '../../src/store/migrate.ts'
import { ensurePartitions } from '../../src/store/partitions.ts'
import { Vault } from '../../src/store/vault.ts'
import { givenServer } from './given-server.ts'

const TEMPLATE = 'template_migrated'
export const TEST_SECRET = 'the secret key of the tests'

export type TestDatabase = {
  db: Database
  vault: Vault
  /** Closes the pool; the database is dropped. */
  close(): Promise<void>
}

type Server = {
  connection: DatabaseAddress
  urlOf(database: string): string
  create(template: string): Promise<string>
  /** Resolves when nothing is left of it in this process. */
  drop(database: string): Promise<void>
  stop(): Promise<void>
}

let server: Promise<Server> | undefined
let made = 0

after(async () => (await server)?.stop())

/** A database of its own with the newest schema and today's partitions, on a server that the process shares. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { db, close } = await createDatabase(TEMPLATE)
  return { db, vault: new Vault(TEST_SECRET), close }
}

/** The address of such a database, for a service in this process. */
export async function openDatabaseAddress(): Promise<{ url: string; drop(): Promise<void> }> {
  server ??= startServer()
  const { urlOf, create, drop } = await server
  const database = await create(TEMPLATE)
  return { url: urlOf(database), drop: () => drop(database) }
}

/** The same without any table. */
export async function openEmptyDatabase(): Promise<Omit<TestDatabase, 'vault'>> {
  return createDatabase('template0')
}

/** Whether a statement of this database waits for a lock. */
export async function someoneWaits(db: Database): Promise<boolean> {
  const { rows } = await db.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows.length > 0
}

async function createDatabase(template: string): Promise<Omit<TestDatabase, 'vault'>> {
  server ??= startServer()
  const { connection, create, drop } = await server
  const database = await create(template)
  const db = openDatabase({ ...connection, database }, ignoreTrouble)
  return {
    db,
    async close() {
      await db.close()
      await drop(database)
    },
  }
}

async function startServer(): Promise<Server> {
  const given = await givenServer()
  if (!given) return startOwnServer()
  return {
    connection: given.address,
    urlOf: given.urlOf,
    create: (template) => given.create(template !== TEMPLATE),
    drop: given.drop,
    stop: async () => {},
  }
}

async function startOwnServer(): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
  // When root runs the tests, another user runs the server, and must reach its files.
  await chmod(dataDir, 0o711)
  const embedded = await openEmbeddedServer({ dataDir, note: () => {} })
  const { connection } = embedded
  const admin = openDatabase(connection, ignoreTrouble)
  // What a test writes need not survive a power cut.
  await admin.pool.query('ALTER SYSTEM SET fsync = off')
  await admin.pool.query('SELECT pg_reload_conf()')
  await admin.pool.query(`CREATE DATABASE ${TEMPLATE}`)
  const template = openDatabase({ ...connection, database: TEMPLATE }, ignoreTrouble)
  await migrate(template.pool)
  await ensurePartitions(template.query, new Date())
  await template.close()
  // Unlike a pool it sets no timers, which the next test may have mocked by then: cleared after that test, one of them
  // would take a timer of yet another test with it.
  const dropping = admin.newClient('drop')
  await dropping.connect()
  let dropped: Promise<unknown> = Promise.resolve()
  return {
    connection,
    urlOf: (database) =>
      `postgres://${connection.user}@:${connection.port}/${database}?host=${encodeURIComponent(connection.host)}`,
    async create(from) {
      const database = `test_${++made}`
      await admin.pool.query(`CREATE DATABASE ${database} TEMPLATE ${from}`)
      return database
    },
    async drop(database) {
      // Nobody waits for it: the server gives connections that have just been closed 100 ms to go.
      dropped = dropped.then(() => dropping.query(`DROP DATABASE ${database} WITH (FORCE)`)).catch(() => {})
    },
    async stop() {
      await admin.close()
      await dropping.end()
      await embedded.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Some tests break connections on purpose; to the others the query that fails says enough. */
function ignoreTrouble(): void {}
