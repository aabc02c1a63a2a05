import type pg from 'pg'
import { clientConfig, connectTimeoutMs, type DatabaseAddress } from './database-address.ts'
import { DatabaseRefused, unreachable } from './database-refusal.ts'
import { clientsOf } from './server-client.ts'
import { createRoute, findWriter } from './server-route.ts'

const OLDEST_VERSION = 15
const OLDEST_VERSION_NUMBER = OLDEST_VERSION * 10_000
/** A pooler may give two clients one connection to the server, or not, as the chances are. */
const POOLER_ROUNDS = 3

/** What a server says of itself, and of what we may do there. */
export type ServerFacts = {
  version: string
  versionNumber: number
  encoding: string
  database: string
  user: string
  standby: boolean
  /** Null when the search path names no schema that exists. */
  schema: string | null
  mayCreate: boolean | null
  /** Who else owns what earlier starts have made; null when that is ours, or nothing. */
  strangeOwner: string | null
}

/**
 * Looks at a server before anything is written there; throws DatabaseRefused with a sentence that says what is wrong
 * and how to mend it. Returns the address as it is to be used: `sslmode=prefer` has been decided.
 */
export async function checkServer(address: DatabaseAddress): Promise<DatabaseAddress> {
  const settled = await settleTls(address)
  const Client = clientsOf(createRoute(settled))
  const [first, second] = [1, 2].map(
    // What it is asked takes a moment where it answers at all.
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

/** Prefers TLS, and does without where no server has it. */
export async function settleTls(address: DatabaseAddress): Promise<DatabaseAddress> {
  if (address.tls?.mode !== 'prefer') return address
  const reasons: Error[] = await findWriter(address).then(
    () => [],
    ({ cause }) => cause,
  )
  // Asking again would only take as long again.
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
          AND NOT pg_has_role(c.relowner, 'USAGE')) AS "strangeOwner"`,
  )
  return rows[0] as ServerFacts
}

/** The first thing that is in the way; null when nothing is. */
export function refusalOf(facts: ServerFacts): string | null {
  const { version, versionNumber, encoding, database, user, standby, schema, mayCreate, strangeOwner } = facts
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
  if (strangeOwner !== null) {
    return (
      `the tables in the database ${database} belong to ${strangeOwner}: connect as that user, or ` +
      `REASSIGN OWNED BY ${strangeOwner} TO ${user}`
    )
  }
  return null
}

const TRANSACTION_POOLING =
  'the database is behind a pooler in transaction mode, which loses what processes tell each other (LISTEN): ' +
  'set pool_mode = session for it, or name PostgreSQL itself'

/**
 * Whether connections to the server are not ours alone. A server names the process of a connection as it begins; a
 * pooler names something else, and a shared connection shows when another client has one at the same time.
 */
async function isShared(first: pg.Client, second: pg.Client): Promise<boolean> {
  const begun = (first as unknown as { processID: number | null }).processID
  if ((await backendOf(first)) === begun) return false
  await second.connect()
  const own = await backendOf(first)
  for (let round = 0; round < POOLER_ROUNDS; round++) {
    // In statement mode this fails.
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
