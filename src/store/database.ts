import type { EventEmitter } from 'node:events'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { preparing } from './built-statements.ts'
import type { Tables } from './tables.ts'

const MAX_CONNECTIONS = 20
const MAX_PIPELINED = 4
const CONNECT_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 30_000
const IDLE_TIMEOUT_MS = 60_000
/** A process that is paused in the middle of a transaction must not keep others from what it has locked. */
const PAUSED_TIMEOUT_MS = 3_000

/** One connection inside a transaction, for named statements. */
export type Connection = pg.PoolClient

export type Query = Kysely<Tables> | Transaction<Tables>

/** The query builder for most work, and the pool below it for the hot paths' named statements. */
export type Database = {
  query: Kysely<Tables>
  pool: pg.Pool
  /** For transactions of several statements: those sent together share a round trip. No COPY here. */
  pipelined: pg.Pool
  readonly connection: pg.ClientConfig
  /** The server has moved (a new socket after a restart): new connections go there. */
  moveTo(connection: pg.ClientConfig): void
  close(): Promise<void>
}

/** Ids and counts are below 2^53; 64-bit integers come as numbers. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

const PIPELINED: pg.PoolConfig = {
  max: MAX_PIPELINED,
  pipeline: true,
  idle_in_transaction_session_timeout: PAUSED_TIMEOUT_MS,
}

/**
 * `onError` hears of connections that die while idle; the pool replaces them by itself. `onRefusal` hears the
 * SQLSTATE of every error that the server answers, whoever asked.
 */
export function openDatabase(
  connection: pg.ClientConfig,
  onError: (error: Error) => void,
  onRefusal: (sqlState: string) => void = () => {},
): Database {
  const pool = openPool(connection, { max: MAX_CONNECTIONS }, onError, onRefusal)
  const pipelined = openPool(connection, PIPELINED, onError, onRefusal)
  const query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(pool) }) })
  return {
    query,
    pool,
    pipelined,
    connection,
    moveTo(elsewhere) {
      Object.assign(connection, elsewhere)
      Object.assign(pool.options, elsewhere)
      Object.assign(pipelined.options, elsewhere)
    },
    async close() {
      await query.destroy()
      // A query builder that was never used leaves the pool to us.
      if (!pool.ending) await pool.end()
      await pipelined.end()
    },
  }
}

function openPool(
  connection: pg.ClientConfig,
  options: pg.PoolConfig,
  onError: (error: Error) => void,
  onRefusal: (sqlState: string) => void,
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    ...options,
    types,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'upbeat',
  })
  pool.on('error', onError)
  // A checked-out client whose server dies emits as well; without a listener that ends the process.
  pool.on('connect', (client) => {
    client.on('error', onError)
    const { connection: wire } = client as unknown as { connection?: EventEmitter }
    wire?.on('errorMessage', ({ code }: { code?: string }) => onRefusal(code ?? ''))
  })
  return pool
}

/** Runs `work` in one transaction on one connection of the pool, with plain statements. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: Connection) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    // A connection that cannot even roll back is not given to anyone else.
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** Whether the database answers in time. */
export async function reachable(db: Database, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  const answer = db.pool.query('SELECT 1').then(
    () => true,
    () => false,
  )
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

export async function readVersions(db: Database): Promise<{ server: string; schema: number }> {
  const { rows } = await db.pool.query<{ server: string; schema: number }>(
    `SELECT current_setting('server_version') AS server, (SELECT max(version) FROM schema_migrations) AS schema`,
  )
  return rows[0] as { server: string; schema: number }
}
