import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SERVER_USER } from './cluster.ts'
import { EmbeddedServerError, FILES_GONE } from './error.ts'
import { isSupervised } from './hold.ts'
import { SERVER_PORT } from './place.ts'

const POLL_MS = 5
const MAX_CONNECT_MS = 5_000
/** PostgreSQL replays as much as `max_wal_size` allows in this time, on a slow disk. */
const MAX_RECOVERY_MS = 600_000
const DATABASE = 'upbeat'

const DATABASE_MISSING = '3D000'
const CANNOT_CONNECT_NOW = '57P03'
/** Two processes created the database at the same time: duplicate_database, or unique_violation in the catalog. */
const DATABASE_EXISTS = ['42P04', '23505']
/** A database that repeatedly both exists and is missing has lost its files. */
const MAX_MISSES = 3

export type ServerAddress = { host: string; port: number; user: string; database: string }

/** The address of the server in that runtime directory, for the `pg` driver. */
export function addressOf(runtime: string, database = DATABASE): ServerAddress {
  return { host: runtime, port: SERVER_PORT, user: SERVER_USER, database }
}

/** `silent`: the server, or only its kernel, accepts connections but never answers, or the deadline has passed. */
export type Readiness = 'ready' | 'ended' | 'silent'

/**
 * Waits until the server answers a query. A server that reports that it is starting gets more time than the
 * deadline: stopping it would only restart its crash recovery.
 */
export async function becomesReady(runtime: string, deadline: number): Promise<Readiness> {
  const lastDeadline = deadline + MAX_RECOVERY_MS
  for (let misses = 0; ; await sleep(POLL_MS)) {
    const said = await ask(runtime)
    if (said === 'ready') return said
    if (said === 'missing' && ++misses > MAX_MISSES) throw new EmbeddedServerError(FILES_GONE)
    if (existsSync(join(runtime, 'closing')) || !isSupervised(runtime)) return 'ended'
    if (Date.now() > (said === 'starting' ? lastDeadline : deadline)) return 'silent'
  }
}

async function ask(runtime: string): Promise<'ready' | 'starting' | 'missing' | 'nothing'> {
  try {
    await query(addressOf(runtime), 'SELECT 1')
    return 'ready'
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (code === CANNOT_CONNECT_NOW && !/shutting down/.test(message)) return 'starting'
    if (code !== DATABASE_MISSING) return 'nothing'
    await makeDatabase(runtime)
    return 'missing'
  }
}

/** Any process may find the database missing, because the one that ran the first start may have been killed. */
async function makeDatabase(runtime: string): Promise<void> {
  try {
    await query(addressOf(runtime, 'postgres'), `CREATE DATABASE ${DATABASE}`)
  } catch (error) {
    const { code = '' } = error as { code?: string }
    // Its directory is missing, too; the next query reports that again.
    if (![...DATABASE_EXISTS, DATABASE_MISSING].includes(code)) throw error
  }
}

async function query(connection: ServerAddress, sql: string): Promise<void> {
  const client = new pg.Client({
    ...connection,
    ssl: false,
    connectionTimeoutMillis: MAX_CONNECT_MS,
    query_timeout: MAX_CONNECT_MS,
  })
  // If the server dies, the pending call fails; that is enough.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    // An unresponsive server would not close the connection either.
    void client.end().catch(() => {})
  }
}
