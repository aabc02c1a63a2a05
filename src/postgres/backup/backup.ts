import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import pg from 'pg'
import { to } from 'pg-copy-streams'
import type { Database } from '../database.ts'
import { type AddRows, type BackupContent, type SavedTable, writeBackupFile } from './backup-file.ts'
import { COPY_SETTINGS, copySource, listSequences, listTables, type StoredTable } from './backup-tables.ts'

/**
 * Writes all data, as of one moment, to a new file while the service keeps running. Stored secrets stay encrypted;
 * the secret key is not included. Throws if the file exists. Returns the number of rows and the size in bytes.
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
 * Reads on a separate connection: closing it is the only way out of a COPY in progress, and the pool's
 * connections are for the service.
 */
export async function withSnapshot<T>(db: Database, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = db.newClient('backup')
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
 * Locks the tables, because a snapshot does not prevent one from being dropped. Partitions are locked and
 * read one by one, never through their parent: creating a new partition would wait for readers of the parent.
 */
async function keepTables(client: pg.Client, tables: StoredTable[]): Promise<void> {
  const names = tables.flatMap(
    ({ name, partitions }) => partitions?.map((partition) => partition.name) ?? name,
  )
  await client.query(
    `LOCK TABLE ONLY ${names.map((name) => pg.escapeIdentifier(name)).join(', ONLY ')} IN ACCESS SHARE MODE`,
  )
}

async function saveTable(client: pg.Client, table: StoredTable, addRows: AddRows): Promise<SavedTable> {
  const { name, columns } = table
  const saved: SavedTable = { name, columns, rows: 0, bytes: 0, partitions: [] }
  const save = async (from: string) => {
    const sum = await addRows(name, client.query(to(`COPY ${copySource(from, columns)} TO STDOUT`)))
    saved.rows += sum.rows
    saved.bytes += sum.bytes
    return sum.rows > 0
  }
  if (!table.partitions) await save(name)
  for (const partition of table.partitions ?? []) {
    if (await save(partition.name)) saved.partitions.push(partition)
  }
  return saved
}

/** Makes the new name survive a power failure, like the content. */
async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
