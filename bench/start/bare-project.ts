import { chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries } from '../../src/postgres/embedded/binaries.ts'
import { findPlace } from '../../src/postgres/embedded/place.ts'
import type { Scope } from '../support/scope.ts'

/** A folder for `npm start`, and the variables that it needs. */
export type Project = { folder: string; env: Record<string, string> }

/** A project whose start is the least there could be: a bare server, and the database of `dataDir` by pg_ctl. */
export async function makeBareProject(scope: Scope, dataDir: string): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'upbeat-bench-'))
  scope.after(() => rm(folder, { recursive: true, force: true }))
  await cp(join(import.meta.dirname, 'bare-server.mjs'), join(folder, 'server.mjs'))
  await writeFile(join(folder, 'package.json'), '{ "scripts": { "start": "exec node server.mjs" } }')
  const { owner, cluster } = await findPlace(dataDir, () => {})
  // The socket is in there.
  await chown(folder, owner.uid, owner.gid)
  const command = join(await findBinaries(owner, dataDir), 'bin/pg_ctl')
  return { folder, env: { BARE_DATABASE: JSON.stringify({ command, cluster, folder, ...owner }) } }
}
