import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type Store } from '../../src/store/store.ts'
import { insertTeam } from '../../src/store/teams/teams.ts'
import type { Scope } from './scope.ts'

export type BenchDatabase = { store: Store; dataDir: string; teamId: number }

/** A fresh embedded database with one team, opened in this process; gone with the scope. */
export async function openBenchDatabase(scope: Scope): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'upbeat-bench-'))
  scope.after(() => rm(dataDir, { recursive: true, force: true }))
  // As root the database runs as somebody else, who must be able to pass.
  await chmod(dataDir, 0o711)
  const store = await openStore({
    databaseUrl: null,
    dataDir,
    secretKey: null,
    previousSecretKeys: [],
    now: () => new Date(),
    note: () => {},
    onTrouble: reportTrouble,
  })
  scope.after(() => store.close())
  const team = { name: 'Benchmark', plan: 'business' as const, signingSecret: 'whsec_benchmark' }
  const teamId = await insertTeam(store.db.query, store.vault, team)
  return { store, dataDir, teamId }
}

/** Trouble spoils a measurement; it must not go unseen. */
export function reportTrouble(error: unknown): void {
  console.error(error)
  process.exitCode = 1
}
