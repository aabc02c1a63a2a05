import type { EventEmitter } from 'node:events'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { builderOn, nameStatements, withPreparedStatements } from './built-statements.ts'
import { namingServer } from './database-refusal.ts'
import { clientConfig, connectTimeoutMs, type DatabaseAddress } from './database-url.ts'
import { type RunShared, shareConnections } from './gather.ts'
import { clientsOf, columnTypes } from './server-client.ts'
import { createRoute } from './server-route.ts'
import { faultOf } from './sql-states.ts'
import type { Tables } from './tables.ts'

const MAX_CONNECTIONS = 20
const MAX_PIPELINED = 4
const MAX_SHARED = 2
/** A backend that has worked keeps 2 to 7 MB: after a burst, such as a start, most of them are not needed any more. */
const IDLE_TIMEOUT_MS = 10_000

const STATEMENT_TIMEOUT_MS = 30_000
const MAX_SILENCE_MS = 60_000
/** A process that is suspended in a transaction must not keep its locks for longer. */
const IDLE_IN_TRANSACTION_MS = 3_000

/** Set by statements, because poolers refuse such settings as startup parameters. */
const SESSION = `SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`
const PIPELINED_SESSION = `${SESSION}; SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`

/** A connection inside a transaction, for named statements. */
export type Connection = pg.PoolClient

export type Query = Kysely<Tables> | Transaction<Tables>

/**
 * The query builder for most work, and the underlying pool for named statements on hot paths. Connections are pipelined:
 * statements of a transaction that are sent together share a round trip.
 */
export type Database = {
  query: Kysely<Tables>
  pool: pg.Pool
  /** Runs `work` in a transaction; statements that it starts together share a round trip. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** The same for short statements alone, whose connections others use at the same time; in no transaction. */
  shared: Kysely<Tables>
  runShared: RunShared
  /** A few connections of their own for what must not wait for requests; transactions left open end soon. */
  pipelined: pg.Pool
  /** One connection that is not pipelined, because COPY needs that. */
  copying: pg.Pool
  readonly connection: DatabaseAddress
  /** A separate, unconnected client without a statement timeout; the server lists it under `part`. */
  newClient(part: string): pg.Client
  /** Directs new connections to the server's new place, such as a new socket after a restart. */
  moveTo(connection: Partial<DatabaseAddress>): void
  close(): Promise<void>
}

/**
 * `onError` gets errors of idle connections that die; the pool replaces them. `onRefusal` gets the SQLSTATE
 * of every error response, for any client.
 */
export function openDatabase(
  connection: DatabaseAddress,
  onError: (error: Error) => void,
  onRefusal: (sqlState: string) => void = () => {},
  maxConnections = MAX_CONNECTIONS,
): Database {
  const Client = clientsOf(createRoute(connection))
  let closed = false
  const onTrouble = (error: Error & { client?: unknown }) => {
    // The pool attaches the client to the error, which would fill pages of a log.
    delete error.client
    // While closing, connections may report that the server is stopping.
    if (!closed) onError(error)
  }
  const open = (session: string, options: pg.PoolConfig) =>
    openPool(connection, Client, session, options, onTrouble, onRefusal)
  const pool = open(SESSION, { max: maxConnections, pipeline: true })
  const pipelined = open(PIPELINED_SESSION, { max: MAX_PIPELINED, pipeline: true })
  const copying = open(SESSION, { max: 1 })
  const statement = nameStatements()
  const query = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: withPreparedStatements(pool, statement) }),
  })
  const runShared = shareConnections(pool, MAX_SHARED)
  const builders = new WeakMap<Connection, Query>()
  const builderOf = (client: Connection) => {
    const known = builders.get(client) ?? builderOn(client, statement)
    builders.set(client, known)
    return known
  }
  return {
    query,
    pool,
    transaction: (work) => inTransaction(pool, (client) => work(builderOf(client))),
    shared: builderOn({ query: runShared }, statement),
    runShared,
    pipelined,
    copying,
    connection,
    newClient(part) {
      return new Client(clientConfig(connection, part))
    },
    moveTo(elsewhere) {
      Object.assign(connection, elsewhere)
    },
    async close() {
      closed = true
      await query.destroy()
      // Destroying a query builder that was never used does not end the pool.
      if (!pool.ending) await pool.end()
      await pipelined.end()
      await copying.end()
    },
  }
}

function openPool(
  connection: DatabaseAddress,
  Client: typeof pg.Client,
  session: string,
  options: pg.PoolConfig,
  onError: (error: Error) => void,
  onRefusal: (sqlState: string) => void,
): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(connection),
    ...options,
    types: columnTypes,
    Client: Client as unknown as new () => pg.Client,
    // Finding the writable server may take as long as connecting to it.
    connectionTimeoutMillis: connectTimeoutMs(connection) * (connection.others ? 2 : 1),
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    onConnect: (client) => client.query(session),
  })
  pool.on('error', onError)
  pool.on('connect', (client) => {
    client.on('error', onError)
    const { connection: wire } = client as unknown as { connection?: EventEmitter }
    wire?.on('errorMessage', ({ code }: { code?: string }) => onRefusal(code ?? ''))
  })
  return pool
}

/** Runs `work` in a transaction on one connection of the pool. */
export function inTransaction<T>(pool: pg.Pool, work: (client: Connection) => Promise<T>): Promise<T> {
  return onConnection(pool, async (client) => {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  })
}

/** The end of a pipelined transaction: `written` are statements that were sent, and whose answers are still to come. */
export type PipelinedEnd<T> = { result: T; written: Promise<unknown> }

/**
 * The same with two round trips fewer: BEGIN goes with the first statements, COMMIT with the last. `work` must await
 * `begun` before it writes, so that nothing is written outside a transaction. If one of `written` fails, the server
 * takes COMMIT for a rollback, and the transaction fails by the error of the statement.
 */
export function inPipelinedTransaction<T>(
  pool: pg.Pool,
  work: (client: Connection, begun: Promise<unknown>) => Promise<PipelinedEnd<T>>,
): Promise<T> {
  return onConnection(pool, async (client) => {
    const begun = client.query('BEGIN')
    // It is awaited by `work`, perhaps after a statement that fails with it.
    begun.catch(() => {})
    const { result, written } = await work(client, begun)
    await Promise.all([written, client.query('COMMIT')])
    return result
  })
}

async function onConnection<T>(pool: pg.Pool, work: (client: Connection) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    return await work(client)
  } catch (error) {
    // Destroy a connection that cannot roll back instead of reusing it.
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure
    })
    // A statement that was prepared before its table changed fails until the connection ends.
    if (faultOf(error) === 'session') broken ??= error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

export async function reachable(db: Database, timeoutMs: number): Promise<boolean> {
  return inTime(db.pool.query('SELECT 1'), timeoutMs, 'late').then(
    () => true,
    () => false,
  )
}

/** Rejects with `complaint` if the work takes longer than the timeout. */
async function inTime<T>(work: Promise<T>, timeoutMs: number, complaint: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(complaint)), timeoutMs)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/**
 * For startup, which fails if the database accepts connections but never answers, or is lost. On a working server, every
 * statement has its own timeout.
 */
export function unlessSilent<T>({ connection }: Database, work: Promise<T>): Promise<T> {
  const seconds = MAX_SILENCE_MS / 1_000
  const silent = `the database lets this process in, and has not answered it for ${seconds} s`
  return namingServer(connection, inTime(work, MAX_SILENCE_MS, silent))
}

export type ServerState = {
  version: string
  schema: number
  encrypted: boolean
  connections: number
  maxConnections: number
}

export async function readServerState(db: Database): Promise<ServerState> {
  const { rows } = await db.pool.query<ServerState>(
    `SELECT current_setting('server_version') AS version, (SELECT max(version) FROM schema_migrations) AS schema,
       coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted,
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
       current_setting('max_connections')::int AS "maxConnections"`,
  )
  return rows[0] as ServerState
}
