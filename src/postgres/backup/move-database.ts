import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { escapeIdentifier } from 'pg'
import { from, to } from 'pg-copy-streams'
import { type Connection, type Database, inTransaction, openDatabase } from '../database.ts'
import { describeHost, hidePassword, InvalidDatabaseUrl, readDatabaseUrl } from '../database-url.ts'
import { isInUse } from '../in-use.ts'
import { bringForward, lockMigrations, readMigrations } from '../migrate.ts'
import { checkServer } from '../server-check.ts'
import { withSnapshot } from './backup.ts'
import {
  COPY_SETTINGS,
  copySource,
  copyTarget,
  createSavedPartition,
  listSequences,
  listTables,
  type StoredTable,
  switchTriggers,
  TRANSIENT,
} from './backup-tables.ts'

const LOCK_TIMEOUT_MS = 10_000
const TELL_EVERY_MS = 2_000
const MAX_NAMES = 5

export type Moved = { rows: number; tables: number; place: string }

/**
 * Copies everything from one database into an empty one elsewhere, in one transaction there: if anything
 * fails, nothing has been written. The source is unchanged. Throws with the reason while the service runs, if
 * the target server cannot be used, or if it is not empty.
 */
export async function moveDatabase(
  source: Database,
  url: string,
  note: (progress: string) => void,
): Promise<Moved> {
  const address = await checkServer(readTarget(url))
  const target = openDatabase(address, () => {})
  try {
    const sum = await withoutService(source, () =>
      inTransaction(target.copying, (client) => copyAll(source, client, note)),
    )
    // Query plans are poor until the new tables are analyzed.
    await target.pool.query('SET statement_timeout = 0; ANALYZE')
    return { ...sum, place: `${describeHost(address)}/${address.database}` }
  } finally {
    await target.close()
  }
}

function readTarget(url: string) {
  try {
    return readDatabaseUrl(url)
  } catch (error) {
    if (!(error instanceof InvalidDatabaseUrl)) throw error
    throw new Error(`the address is ${JSON.stringify(hidePassword(url))}: it takes ${error.message}`)
  }
}

/**
 * Runs the work while no service process runs. One that starts meanwhile waits, because it reads the
 * migrations first.
 */
async function withoutService<T>(source: Database, work: () => Promise<T>): Promise<T> {
  return inTransaction(source.pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await client.query('LOCK TABLE schema_migrations IN ACCESS EXCLUSIVE MODE')
    if (await isInUse(source)) {
      throw new Error('the service is running: stop all of its processes first')
    }
    return await work()
  })
}

async function copyAll(source: Database, client: Connection, note: (progress: string) => void) {
  await client.query(COPY_SETTINGS)
  await lockMigrations(client)
  await refuseUnlessEmpty(client)
  await bringForward(client, await readMigrations())
  return withSnapshot(source, async (reader) => {
    const tables = await listTables(reader)
    // The rows that migrations insert are copied with the rest.
    const names = [...tables.map(({ name }) => name), ...TRANSIENT]
    await client.query(`TRUNCATE ${names.map(escapeIdentifier).join(', ')}`)
    let rows = 0
    await switchTriggers(client, 'DISABLE')
    for (const table of tables) {
      const copied = await copyTable(reader, client, table, note)
      await assertCounted(client, table, copied)
      if (copied > 0) note(`${table.name}: ${copied} rows`)
      rows += copied
    }
    await switchTriggers(client, 'ENABLE')
    for (const { name, next } of await listSequences(reader)) {
      await client.query(`ALTER SEQUENCE ${escapeIdentifier(name)} RESTART WITH ${BigInt(next)}`)
    }
    return { rows, tables: tables.length }
  })
}

async function refuseUnlessEmpty(client: Connection): Promise<void> {
  const { rows } = await client.query<{ name: string; database: string }>(
    `SELECT c.relname AS name, current_database() AS database FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
       AND NOT EXISTS (SELECT FROM pg_depend d
                       WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i', 'e'))
       AND NOT c.relispartition
     ORDER BY c.relname`,
  )
  const [first] = rows
  if (!first) return
  const named = rows.slice(0, MAX_NAMES).map(({ name }) => name)
  const others = rows.length > named.length ? ` and ${rows.length - named.length} more` : ''
  throw new Error(
    `the database ${first.database} is not empty: it has ${named.join(', ')}${others}. Nothing was changed; name an ` +
      "empty one, made with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
  )
}

/** Reads partitions one by one, as a backup does. */
async function copyTable(
  reader: pg.Client,
  client: Connection,
  { name, columns, partitions }: StoredTable,
  note: (progress: string) => void,
): Promise<number> {
  let copied = 0
  for (const partition of partitions ?? [null]) {
    if (partition) await client.query(createSavedPartition(name, partition))
    const rows = reader.query(to(`COPY ${copySource(partition?.name ?? name, columns)} TO STDOUT`))
    const written = client.query(from(`COPY ${copyTarget(name, columns)} FROM STDIN`))
    const telling = setInterval(
      () => note(`${name}: ${copied + (rows.rowCount ?? 0)} rows so far`),
      TELL_EVERY_MS,
    )
    try {
      await pipeline(rows, written)
    } finally {
      clearInterval(telling)
    }
    copied += written.rowCount ?? 0
  }
  return copied
}

async function assertCounted(client: Connection, { name }: StoredTable, copied: number): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${escapeIdentifier(name)}`,
  )
  if (rows[0]?.count !== copied) {
    throw new Error(`${name} has ${rows[0]?.count} rows there and ${copied} here: nothing was moved`)
  }
}
