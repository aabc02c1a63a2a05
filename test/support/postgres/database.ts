import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../../src/postgres/database.ts'
import type { DatabaseAddress } from '../../../src/postgres/database-url.ts'
import { openEmbeddedServer } from '../../../src/postgres/embedded/server.ts'
import { Vault } from '../../../src/store/sealing/vault.ts'
import { processScope } from '../scope.ts'
import { until } from '../until.ts'
import { placeCluster } from './cluster-template.ts'
import { givenServer } from './given-server.ts'
import { openPatient, patientUrl } from './patient-database.ts'

/** The database of a service that has started once. */
const MIGRATED = 'upbeat'
const EMPTY = 'template0'
export const TEST_SECRET = 'the secret key of the tests'

export type TestDatabase = {
  db: Database
  vault: Vault
  /** For services. */
  url: string
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

/** A database of its own with the newest schema and today's partitions, on a server that the process shares. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const database = await createDatabase(MIGRATED)
  return { ...database, vault: new Vault(TEST_SECRET) }
}

/** The address of such a database, for a service in this process. */
export async function openDatabaseAddress(): Promise<{ url: string; drop(): Promise<void> }> {
  const { urlOf, create, drop } = await shareServer()
  const database = await create(MIGRATED)
  return { url: patientUrl(urlOf(database)), drop: () => drop(database) }
}

/** The same without any table. */
export async function openEmptyDatabase(): Promise<Omit<TestDatabase, 'vault'>> {
  return createDatabase(EMPTY)
}

/** A database that is only copied, by `openCopy`. It is gone with the process, if not before. */
export type DatabaseTemplate = { name: string; drop(): Promise<void> }

/** Fills a copy of another template, or an empty database. */
export async function makeTemplate(
  from: DatabaseTemplate | null,
  fill: (db: Database) => Promise<unknown>,
): Promise<DatabaseTemplate> {
  const { connection, create, drop } = await shareServer()
  const name = await create(from?.name ?? EMPTY)
  processScope.after(() => drop(name))
  const db = openPatient({ ...connection, database: name })
  await fill(db)
  // A database that somebody is connected to cannot be copied.
  await db.close()
  return { name, drop: () => drop(name) }
}

export function openCopy({ name }: DatabaseTemplate): Promise<Omit<TestDatabase, 'vault'>> {
  return createDatabase(name)
}

/** Whether a statement of this database waits for a lock. */
export async function someoneWaits(db: Database): Promise<boolean> {
  const { rows } = await db.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows.length > 0
}

async function createDatabase(template: string): Promise<Omit<TestDatabase, 'vault'>> {
  const { connection, urlOf, create, drop } = await shareServer()
  const database = await create(template)
  const db = openPatient({ ...connection, database })
  return {
    db,
    url: urlOf(database),
    async close() {
      await db.close()
      await drop(database)
    },
  }
}

function shareServer(): Promise<Server> {
  if (!server) {
    server = startServer()
    processScope.after(async () => (await server)?.stop())
  }
  return server
}

async function startServer(): Promise<Server> {
  const given = await givenServer()
  if (!given) return startOwnServer()
  return {
    connection: given.address,
    urlOf: given.urlOf,
    create: (template) => given.create(template === MIGRATED ? undefined : template),
    drop: given.drop,
    stop: async () => {},
  }
}

async function startOwnServer(): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
  // When root runs the tests, another user runs the server, and must reach its files.
  await chmod(dataDir, 0o711)
  await placeCluster(dataDir)
  const embedded = await openEmbeddedServer({ dataDir, note: () => {} })
  const { connection } = embedded
  const admin = openPatient({ ...connection, database: 'postgres' })
  // Data of tests need not survive a power cut, and autovacuum would take locks beside the test.
  for (const setting of ['fsync = off', 'full_page_writes = off', 'autovacuum = off']) {
    await admin.pool.query(`ALTER SYSTEM SET ${setting}`)
  }
  await admin.pool.query('SELECT pg_reload_conf()')
  await until('whoever waited for the server to be gone', async () => {
    const there = await admin.pool.query('SELECT FROM pg_stat_activity WHERE datname = $1', [MIGRATED])
    return there.rowCount === 0
  })
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
      // Copying its files costs half of copying them through the log.
      await admin.pool.query(`CREATE DATABASE ${database} TEMPLATE ${from} STRATEGY file_copy`)
      return database
    },
    async drop(database) {
      // Not awaited: the server waits 100 ms for connections that have just been closed.
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
