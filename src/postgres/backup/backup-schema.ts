import { escapeIdentifier } from 'pg'
import type { Connection } from '../database.ts'
import { applyMigrations, type Migration } from '../migrate.ts'
import { listSequences, listTables, TRANSIENT } from './backup-tables.ts'

export async function schemaVersion(client: Connection): Promise<number> {
  const { rows } = await client.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM schema_migrations',
  )
  return rows[0]?.version ?? 0
}

/** Drops all tables and sequences and rebuilds the schema with these migrations. */
export async function rebuildSchema(client: Connection, migrations: Migration[]): Promise<void> {
  const tables = [...(await listTables(client)).map(({ name }) => name), ...TRANSIENT]
  for (const name of tables) await client.query(`DROP TABLE IF EXISTS ${escapeIdentifier(name)} CASCADE`)
  // Sequences of identity columns were dropped with their tables.
  for (const { name } of await listSequences(client)) {
    await client.query(`DROP SEQUENCE ${escapeIdentifier(name)}`)
  }
  await client.query('DELETE FROM schema_migrations')
  await applyMigrations(client, migrations)
}
