import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import pg from 'pg'
import { to } from 'pg-copy-streams'
import { type AddRows, type BackupContent, type SavedTable, writeBackupFile } from './backup-file.ts'
import { COPY_SETTINGS, copyTarget, listSequences, listTables, type StoredTable } from './backup-tables.ts'
import type { Database } from './database.ts'
import { dayOfPartition } from './partitions.ts'

/**
 * Writes all data, as it is at one moment, into a new file; the service may go on working. Stored secrets stay
 * sealed: the secret key is not in it. Throws when the file exists. Returns its rows and its size in bytes.
 */
export async function writeBackup(
  db: Database,
  file: string,
  note: (progress: string) => void,
): Promise<{ rows: number; bytes: number }> {
  const target = resolve(file)
  if (await exists(target)) throw new Error(`${file} exists already: choose another name, or remove it`)
  const half = `${target}.${randomBytes(4).toString('hex')}.part`
  let rows = 0
  try {
    await withSnapshot(db, (client) =>
      writeBackupFile(half, async (addRows) => {
        const content = await saveAll(client, addRows, note)
        rows = content.tables.reduce((sum, table) => sum + table.rows, 0)
        return content
      }),
    )
    const { size } = await stat(half)
    await rename(half, target)
    await flushDirectory(dirname(target))
    return { rows, bytes: size }
  } catch (error) {
    await rm(half, { force: true })
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}

/**
 * Reads on a connection of its own: closing it is the one way out of a COPY that has begun, and the pool's
 * connections are for the service.
 */
async function withSnapshot<T>(db: Database, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...db.connection, application_name: 'upbeat backup' })
  // The call that is under way fails as well, and says it.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(COPY_SETTINGS)
    return await work(client)
  } finally {
    await client.end()
  }
}

async function saveAll(
  client: pg.Client,
  addRows: AddRows,
  note: (progress: string) => void,
): Promise<BackupContent> {
  const { rows } = await client.query<{ version: number; now: Date }>(
    'SELECT max(version) AS version, now() FROM schema_migrations',
  )
  const tables = await listTables(client)
  await keepTables(client, tables)
  const saved: SavedTable[] = []
  for (const table of tables) {
    const sum = await saveTable(client, table, addRows)
    if (sum.rows > 0) note(`${table.name}: ${sum.rows} rows`)
    saved.push(sum)
  }
  return {
    schema_version: rows[0]?.version ?? 0,
    created_at: rows[0]?.now.toISOString() ?? '',
    tables: saved,
    sequences: await listSequences(client),
  }
}

/**
 * A snapshot does not keep a table from being dropped; a lock does. Partitions are locked and read one by one,
 * never by way of their parent: new partitions can be made meanwhile, which waits for whoever reads the parent.
 */
async function keepTables(client: pg.Client, tables: StoredTable[]): Promise<void> {
  const names = tables.flatMap(({ parts }) => parts).map((name) => pg.escapeIdentifier(name))
  await client.query(`LOCK TABLE ONLY ${names.join(', ONLY ')} IN ACCESS SHARE MODE`)
}

async function saveTable(client: pg.Client, table: StoredTable, addRows: AddRows): Promise<SavedTable> {
  const saved: SavedTable = { name: table.name, columns: table.columns, rows: 0, bytes: 0, days: [] }
  for (const part of table.parts) {
    const copy = client.query(to(`COPY ${copyTarget(part, table.columns)} TO STDOUT`))
    const { rows, bytes } = await addRows(table.name, copy)
    saved.rows += rows
    saved.bytes += bytes
    const day = table.partitioned ? dayOfPartition(part) : null
    if (rows > 0 && day) saved.days.push(day)
  }
  return saved
}

/** So that the name outlives a power cut as well as the content does. */
async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
