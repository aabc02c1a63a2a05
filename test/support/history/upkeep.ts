import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { DEFAULT_PLANS } from '../../../src/core/teams/plan.ts'
import { upkeepRound } from '../../../src/engine/history/upkeep.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { exitOf } from '../exit.ts'
import { openTestDatabase } from '../postgres/database.ts'
import type { Stops } from '../postgres/stops.ts'
import { processScope, type Scope } from '../scope.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const TEND_PROCESS = join(import.meta.dirname, 'upkeep-process.ts')
let bundled: string | undefined

/** A database whose checks, pings and samples of servers are only those that a test puts there: not even days of today. */
export async function openWithoutDays(scope: Scope): Promise<Database> {
  const { db, close } = await openTestDatabase()
  scope.after(close)
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits
     WHERE inhparent IN ('checks'::regclass, 'pings'::regclass, 'server_samples'::regclass)`,
  )
  await db.pool.query(`DROP TABLE ${rows.map(({ name }) => name).join()}`)
  return db
}

/** No domain of a test has records. */
export const noRecords = async () => []

/** One round of the work on history, step by step; nothing may fail. */
export function tending(db: Database, now: Date): AsyncGenerator<number> {
  const onTrouble = (error: unknown) => {
    throw error
  }
  return upkeepRound({
    db,
    plans: DEFAULT_PLANS,
    now: () => now,
    onTrouble,
    note: () => {},
    lookUpTxt: noRecords,
  })
}

export async function tend(db: Database, now: Date): Promise<void> {
  for await (const _step of tending(db, now));
}

/**
 * The same in a process of its own, which prints something after each step. As a bundle, once `bundleUpkeep` has made it: from
 * its sources it takes two and a half times as long to start.
 */
export function spawnTending(db: Database, now: Date): ChildProcessByStdio<null, Readable, null> {
  return spawnUpkeep(db, now.toISOString())
}

/** A process that helps with what others share out, until it is killed. */
export function spawnHelp(db: Database): ChildProcessByStdio<null, Readable, null> {
  return spawnUpkeep(db, 'help')
}

/** For a file that starts these processes by the dozen. */
export async function bundleUpkeep(): Promise<void> {
  const { build } = await import('rolldown')
  const file = join(temporaryFolder(processScope), 'upkeep.mjs')
  const output = { file, format: 'esm', codeSplitting: false } as const
  await build({ input: TEND_PROCESS, platform: 'node', output, logLevel: 'silent' })
  bundled = file
}

function spawnUpkeep(db: Database, what: string): ChildProcessByStdio<null, Readable, null> {
  const args = [bundled ?? TEND_PROCESS, JSON.stringify(db.connection), what]
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Kills such a process where it stops, after `meanwhile`; false if it ended without coming there. */
export async function killTending(
  db: Database,
  now: Date,
  stops: Stops,
  meanwhile: () => Promise<unknown>,
): Promise<boolean> {
  const tending = spawnTending(db, now)
  const ended = exitOf(tending, 'the upkeep').then(() => null)
  const stopped = await stops.reached(ended)
  if (stopped === null) return false
  await meanwhile()
  tending.kill('SIGKILL')
  await ended
  await stops.letOn()
  await stops.undone(stopped)
  return true
}
