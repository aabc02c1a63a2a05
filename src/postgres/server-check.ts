import type pg from 'pg'
import { DatabaseRefused, unreachable } from './database-refusal.ts'
import { clientConfig, connectTimeoutMs, type DatabaseAddress } from './database-url.ts'
import { clientsOf } from './server-client.ts'
import { createRoute, findWriter } from './server-route.ts'

const OLDEST_VERSION = 15
const OLDEST_VERSION_NUMBER = OLDEST_VERSION * 10_000
/** A pooler may or may not give two clients the same server connection, so try several times. */
const POOLER_ROUNDS = 3

/** The server's properties and our permissions. */
export type ServerFacts = {
  version: string
  versionNumber: number
  encoding: string
  database: string
  user: string
  standby: boolean
  /** Null if no schema on the search path exists. */
  schema: string | null
  mayCreate: boolean | null
  /** The owner of tables from earlier starts if we are not a member of it; otherwise null. */
  otherOwner: string | null
}

/**
 * Inspects a server before anything is written to it. Throws DatabaseRefused, with a sentence on the problem
 * and its remedy. Returns the address to use, with `sslmode=prefer` resolved.
 */
export async function checkServer(address: DatabaseAddress): Promise<DatabaseAddress> {
  const settled = await settleTls(address)
  const Client = clientsOf(createRoute(settled))
  const [first, second] = [1, 2].map(
    // These queries are fast if the server answers at all.
    () => new Client({ ...clientConfig(settled, 'check'), query_timeout: connectTimeoutMs(settled) }),
  ) as [pg.Client, pg.Client]
  for (const client of [first, second]) client.on('error', () => {})
  try {
    await first.connect()
    const refusal = refusalOf(await readFacts(first))
    if (refusal) throw new DatabaseRefused(refusal)
    if (await isShared(first, second)) throw new DatabaseRefused(TRANSACTION_POOLING)
    return settled
  } catch (error) {
    throw unreachable(error, settled)
  } finally {
    for (const client of [first, second]) void client.end().catch(() => {})
  }
}

/** Resolves `sslmode=prefer`: TLS, or plain if no server supports it. */
export async function settleTls(address: DatabaseAddress): Promise<DatabaseAddress> {
  if (address.tls?.mode !== 'prefer') return address
  const reasons: Error[] = await findWriter(address).then(
    () => [],
    ({ cause }) => cause,
  )
  // Trying again would time out again.
  if (reasons.length > 0 && reasons.every(({ message }) => /timeout/.test(message))) {
    throw unreachable(reasons[0], address)
  }
  const { tls, ...plain } = address
  return reasons.some(({ message }) => /does not support SSL/.test(message)) ? plain : address
}

async function readFacts(client: pg.Client): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS "versionNumber",
       current_setting('server_encoding') AS encoding, current_database() AS database, current_user AS user,
       pg_is_in_recovery() AS standby, current_schema() AS schema,
       has_schema_privilege(current_schema(), 'CREATE') AS "mayCreate",
       (SELECT pg_get_userbyid(c.relowner) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relname = 'schema_migrations'
          AND NOT pg_has_role(c.relowner, 'USAGE')) AS "otherOwner"`,
  )
  return rows[0] as ServerFacts
}

/** The first obstacle, or null if there is none. */
export function refusalOf(facts: ServerFacts): string | null {
  const { version, versionNumber, encoding, database, user, standby, schema, mayCreate, otherOwner } = facts
  if (versionNumber < OLDEST_VERSION_NUMBER) {
    return `this is PostgreSQL ${version}: Upbeat needs ${OLDEST_VERSION} or newer`
  }
  if (standby) return 'this is a read-only standby: name the primary in DATABASE_URL'
  if (encoding !== 'UTF8') {
    return (
      `the database ${database} has the encoding ${encoding}: Upbeat needs UTF8, as in ` +
      `CREATE DATABASE upbeat ENCODING 'UTF8' TEMPLATE template0`
    )
  }
  if (schema === null) {
    return `${user} has no schema in the database ${database}: CREATE SCHEMA ${user} AUTHORIZATION ${user}`
  }
  if (!mayCreate) {
    return (
      `${user} may not create tables in the schema ${schema} of the database ${database}: ` +
      `ALTER DATABASE ${database} OWNER TO ${user}, or GRANT CREATE ON SCHEMA ${schema} TO ${user}`
    )
  }
  if (otherOwner !== null) {
    return (
      `the tables in the database ${database} belong to ${otherOwner}: connect as that user, or ` +
      `REASSIGN OWNED BY ${otherOwner} TO ${user}`
    )
  }
  return null
}

const TRANSACTION_POOLING =
  'the database is behind a pooler in transaction mode, which loses what processes tell each other (LISTEN): ' +
  'set pool_mode = session for it, or name PostgreSQL itself'

/**
 * Whether a transaction pooler shares our connections. A server reports its process id when a connection
 * starts; a pooler reports another one, and sharing shows when a second client is active.
 */
async function isShared(first: pg.Client, second: pg.Client): Promise<boolean> {
  const begun = (first as unknown as { processID: number | null }).processID
  if ((await backendOf(first)) === begun) return false
  await second.connect()
  const own = await backendOf(first)
  for (let round = 0; round < POOLER_ROUNDS; round++) {
    // Fails in statement mode.
    const began = await second.query('BEGIN').then(
      () => true,
      () => false,
    )
    if (!began) return true
    const other = await backendOf(second)
    const still = await backendOf(first)
    await second.query('COMMIT')
    if (other === own || still !== own) return true
  }
  return false
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid ?? 0
}
