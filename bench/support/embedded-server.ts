import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedServer } from '../../src/postgres/embedded/server.ts'
import { SERVER_SETTINGS } from '../../src/postgres/embedded/supervisor.ts'
import { placeCluster } from '../../test/support/postgres/cluster-template.ts'
import type { Scope } from './scope.ts'

/** Settings of PostgreSQL, by name, that differ from those that the embedded server has. */
export type PostgresSettings = Record<string, string>

/**
 * Starts the embedded server with other settings, for services that then find it running; returns the environment that
 * leads them to it, which is empty where no setting differs and the service starts its own.
 */
export async function startEmbeddedServer(
  scope: Scope,
  settings: PostgresSettings,
): Promise<Record<string, string>> {
  if (Object.keys(settings).length === 0) return {}
  const dataDir = await mkdtemp(join(tmpdir(), 'upbeat-bench-'))
  scope.after(() => rm(dataDir, { recursive: true, force: true }))
  // As root the database runs as somebody else, who must be able to pass.
  await chmod(dataDir, 0o711)
  await placeCluster(dataDir)
  const usual = { ...SERVER_SETTINGS }
  Object.assign(SERVER_SETTINGS, settings)
  const server = await openEmbeddedServer({ dataDir, note: () => {} })
  for (const name of Object.keys(SERVER_SETTINGS)) delete SERVER_SETTINGS[name]
  Object.assign(SERVER_SETTINGS, usual)
  scope.after(() => server.close())
  return { DATA_DIR: dataDir, DATABASE_URL: '' }
}
