import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SERVER_USER } from './cluster.ts'
import { EmbeddedServerError, FILES_GONE } from './error.ts'
import { isSupervised } from './holder.ts'
import { SERVER_PORT } from './place.ts'

const POLL_MS = 5
const MAX_CONNECT_MS = 5_000
/** Of what `max_wal_size` bounds, on a slow disk. */
const MAX_RECOVERY_MS = 600_000
const DATABASE = 'upbeat'

const DATABASE_MISSING = '3D000'
const CANNOT_CONNECT_NOW = '57P03'
/** Two processes made the database at the same time: duplicate_database, or unique_violation in the catalogue. */
const DATABASE_EXISTS = ['42P04', '23505']
/** What exists and is missing at the same time, again and again, has lost its files. */
const MAX_MISSES = 3

export type Connection = { host: string; port: number; user: string; database: string }

/** Where the server of that runtime directory listens, as the `pg` driver takes it. */
export function connectionOf(runtime: string, database = DATABASE): Connection {
  return { host: runtime, port: SERVER_PORT, user: SERVER_USER, database }
}

/** `silent`: it takes connections, or its kernel does, and says nothing; or the deadline has come. */
export type Readiness = 'ready' | 'ended' | 'silent'

/**
 * Waits until the server answers a query. One that says that it is starting gets more time than the deadline: what a
 * crash left must be replayed, and would have to be again.
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
    await query(connectionOf(runtime), 'SELECT 1')
    return 'ready'
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (code === CANNOT_CONNECT_NOW && !/shutting down/.test(message)) return 'starting'
    if (code !== DATABASE_MISSING) return 'nothing'
    await makeDatabase(runtime)
    return 'missing'
  }
}

/** Any process may find that it is missing: the one that began the first start can have been killed. */
async function makeDatabase(runtime: string): Promise<void> {
  try {
    await query(connectionOf(runtime, 'postgres'), `CREATE DATABASE ${DATABASE}`)
  } catch (error) {
    const { code = '' } = error as { code?: string }
    // Its own directory is missing, too: the next look says so again.
    if (![...DATABASE_EXISTS, DATABASE_MISSING].includes(code)) throw error
  }
}

async function query(connection: Connection, sql: string): Promise<void> {
  const client = new pg.Client({
    ...connection,
    ssl: false,
    connectionTimeoutMillis: MAX_CONNECT_MS,
    query_timeout: MAX_CONNECT_MS,
  })
  // The server may die at any moment; the pending call fails then, and that is enough.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    // A server that says nothing would not say goodbye either.
    void client.end().catch(() => {})
  }
}
