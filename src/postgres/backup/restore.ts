import { pipeline } from 'node:stream/promises'
import { escapeIdentifier } from 'pg'
import { from } from 'pg-copy-streams'
import { type Connection, type Database, inTransaction } from '../database.ts'
import { isInUse } from '../in-use.ts'
import { applyMigrations, type Migration, readMigrations } from '../migrate.ts'
import { type Manifest, readManifest, readRows } from './backup-file.ts'
import { rebuildSchema, schemaVersion } from './backup-schema.ts'
import {
  COPY_SETTINGS,
  copyTarget,
  createSavedPartition,
  listTables,
  switchTriggers,
  TRANSIENT,
} from './backup-tables.ts'

/** A lock held longer than this belongs to the service or another client. */
const LOCK_TIMEOUT_MS = 10_000
/** Missing tables that a message names. */
const MAX_NAMES = 5
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Replaces all data with a backup's, in one transaction: if anything fails, nothing has changed. The database must
 * have a schema; an older backup is migrated forward. Throws with the reason if the file is not a complete backup, if
 * newer code made it, or while the service runs. The service creates partitions for new rows when it starts.
 *
 * Deliveries that were pending in the backup are pending again, and are sent or given up once the service starts; one
 * that was sent after the backup may be sent twice. The scheduler's pulse is restored too, so that the time since
 * does not count against heartbeat jobs.
 */
export async function restoreBackup(
  db: Database,
  file: string,
  note: (progress: string) => void,
  migrations?: Migration[],
): Promise<{ rows: number }> {
  const known = migrations ?? (await readMigrations())
  note(`reading ${file}`)
  const manifest = await readManifest(file)
  refuseNewer(manifest, known)
  await inTransaction(db.copying, async (client) => {
    await client.query(COPY_SETTINGS)
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await keepServiceOut(db, client)
    await makeRoom(client, manifest, known)
    await switchTriggers(client, 'DISABLE')
    await loadRows(client, manifest, file, note)
    await switchTriggers(client, 'ENABLE')
    for (const { name, next } of manifest.sequences) {
      // setval would survive a rollback.
      await client.query(`ALTER SEQUENCE ${escapeIdentifier(name)} RESTART WITH ${BigInt(next)}`)
    }
    const later = known.filter(({ version }) => version > manifest.schema_version)
    await applyMigrations(client, later)
  }).catch(explainLock)
  return { rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0) }
}

function refuseNewer({ schema_version: found }: Manifest, known: Migration[]): void {
  const newest = Math.max(0, ...known.map(({ version }) => version))
  if (found <= newest) return
  throw new Error(
    `the backup has schema ${found}, newer than the ${newest} this version of Upbeat knows: restore it with the ` +
      'version that made it, or a later one',
  )
}

/** Keeps the service from starting: a process waits for its lease and for the migrations table. */
async function keepServiceOut(db: Database, client: Connection): Promise<void> {
  await client.query('LOCK TABLE leases, probers IN EXCLUSIVE MODE')
  if (await isInUse(db)) throw new Error('the service is running: stop all of its processes first')
  await client.query('LOCK TABLE schema_migrations IN ACCESS EXCLUSIVE MODE')
}

/** Prepares the empty schema that the backup was made with, including the partitions for its rows. */
async function makeRoom(client: Connection, manifest: Manifest, migrations: Migration[]): Promise<void> {
  if ((await schemaVersion(client)) === manifest.schema_version) {
    await refuseIncomplete(client, manifest)
    const names = [...(await listTables(client)).map(({ name }) => name), ...TRANSIENT]
    await client.query(`TRUNCATE ${names.map(escapeIdentifier).join(', ')}`)
  } else {
    const then = migrations.filter(({ version }) => version <= manifest.schema_version)
    await rebuildSchema(client, then)
    await refuseIncomplete(client, manifest)
  }
  const known = new Set((await listTables(client)).map(({ name }) => name))
  for (const { name, partitions } of manifest.tables) {
    if (!known.has(name))
      throw new Error(`the backup has a table that schema ${manifest.schema_version} lacks: ${name}`)
    for (const partition of partitions) await client.query(createSavedPartition(name, partition))
  }
}

/** A backup lists every table of its schema, also those without rows: what it leaves out would be lost. */
async function refuseIncomplete(client: Connection, { tables, schema_version }: Manifest): Promise<void> {
  const saved = new Set(tables.map(({ name }) => name))
  const missing = (await listTables(client)).map(({ name }) => name).filter((name) => !saved.has(name))
  if (missing.length === 0) return
  const others = missing.length > MAX_NAMES ? ` and ${missing.length - MAX_NAMES} more` : ''
  throw new Error(
    `the backup lacks tables of schema ${schema_version}: ${missing.slice(0, MAX_NAMES).join(', ')}${others}; nothing was changed`,
  )
}

async function loadRows(
  client: Connection,
  manifest: Manifest,
  file: string,
  note: (progress: string) => void,
): Promise<void> {
  const source = readRows(file)
  try {
    let next = await source.next()
    while (!next.done) {
      const { table } = next.value
      const rowsOfTable = async function* () {
        for (; !next.done && next.value.table === table; next = await source.next()) yield next.value.rows
      }
      const saved = manifest.tables.find(({ name }) => name === table)
      if (!saved) throw new Error(`${file} was changed while it was read`)
      // COPY accepts ids for GENERATED ALWAYS columns.
      const copy = client.query(from(`COPY ${copyTarget(table, saved.columns)} FROM STDIN`))
      await pipeline(rowsOfTable, copy)
      if (copy.rowCount !== saved.rows) throw new Error(`${file} was changed while it was read`)
      note(`${table}: ${saved.rows} rows`)
    }
  } finally {
    await source.return(undefined)
  }
}

function explainLock(error: Error & { code?: string }): never {
  if (error.code !== LOCK_NOT_AVAILABLE) throw error
  throw new Error('somebody is using the database: stop the service first', { cause: error })
}
