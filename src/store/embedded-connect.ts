import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SERVER_USER } from './embedded-cluster.ts'
import { isSupervised } from './embedded-holder.ts'
import { SERVER_PORT } from './embedded-place.ts'

const POLL_MS = 5
const LONGEST_CONNECT_MS = 5_000
const DATABASE = 'upbeat'

const DATABASE_MISSING = '3D000'
/** Two processes made the database at the same time: duplicate_database, or unique_violation in the catalogue. */
const DATABASE_EXISTS = ['42P04', '23505']

export type Connection = { host: string; port: number; user: string; database: string }

/** Where the server of that runtime directory listens, as the `pg` driver takes it. */
export function connectionOf(runtime: string, database = DATABASE): Connection {
  return { host: runtime, port: SERVER_PORT, user: SERVER_USER, database }
}

/** Waits until the server answers a query; false when it ends first, or at the deadline. */
export async function becomesReady(runtime: string, deadline: number): Promise<boolean> {
  while (!(await answers(runtime))) {
    if (existsSync(join(runtime, 'closing')) || !isSupervised(runtime) || Date.now() > deadline) return false
    await sleep(POLL_MS)
  }
  return true
}

async function answers(runtime: string): Promise<boolean> {
  try {
    await query(connectionOf(runtime), 'SELECT 1')
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== DATABASE_MISSING) return false
    await makeDatabase(runtime)
    return false
  }
}

/** Any process may find that it is missing: the one that began the first start can have been killed. */
async function makeDatabase(runtime: string): Promise<void> {
  try {
    await query(connectionOf(runtime, 'postgres'), `CREATE DATABASE ${DATABASE}`)
  } catch (error) {
    if (!DATABASE_EXISTS.includes((error as { code?: string }).code ?? '')) throw error
  }
}

async function query(connection: Connection, sql: string): Promise<void> {
  const client = new pg.Client({ ...connection, ssl: false, connectionTimeoutMillis: LONGEST_CONNECT_MS })
  // The server may die at any moment; the pending call fails then, and that is enough.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end().catch(() => {})
  }
}
