import pg from 'pg'
import { openDatabase } from '../../../src/postgres/database.ts'
import { clientConfig, type DatabaseAddress, readDatabaseUrl } from '../../../src/postgres/database-url.ts'
import { migrate } from '../../../src/postgres/migrate.ts'
import { settleTls } from '../../../src/postgres/server-check.ts'
import { ensurePartitions } from '../../../src/store/history/partitions.ts'
import { fingerprint } from './cluster-template.ts'

/** Any constant will do; processes that run tests at the same time make one template. */
const LOCK = 7_365_099
const TEMPLATE = 'upbeat_template_'
const MINE = `upbeat_test_${process.pid}_`

/** A server that whoever runs the tests has named: all databases of tests are made there, and dropped. */
export type GivenServer = {
  address: DatabaseAddress
  /** A copy of a database of this server; with the newest schema and today's partitions where none is named. */
  create(from?: string): Promise<string>
  drop(database: string): Promise<void>
  urlOf(database: string): string
}

let given: Promise<GivenServer> | undefined
let made = 0

/** The server of UPBEAT_TEST_DATABASE_URL, whose user may create databases; null where that is not set. */
export function givenServer(): Promise<GivenServer> | null {
  const url = process.env.UPBEAT_TEST_DATABASE_URL
  if (!url) return null
  given ??= prepare(url)
  return given
}

async function prepare(url: string): Promise<GivenServer> {
  const address = await settleTls(readDatabaseUrl(url))
  const urlOf = (database: string) =>
    url.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, (_whole, server) => `${server}/${database}`)
  const template = await makeTemplate(address)
  const run = (...statements: string[]) => withClient(address, (client) => runAll(client, statements))
  return {
    address,
    urlOf,
    async create(from = template) {
      const name = MINE + ++made
      await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `CREATE DATABASE ${name} TEMPLATE ${from}`)
      return name
    },
    drop: (name) => run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

async function makeTemplate(address: DatabaseAddress): Promise<string> {
  const name = TEMPLATE + (await fingerprint())
  await withClient(address, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    const { rows } = await client.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
      [TEMPLATE],
    )
    const others = rows.map((row) => row.name)
    if (others.includes(name)) return
    await runAll(
      client,
      [...others, `${name}_half`].map((other) => `DROP DATABASE IF EXISTS ${other}`),
    )
    await client.query(`CREATE DATABASE ${name}_half TEMPLATE template0`)
    const db = openDatabase({ ...address, database: `${name}_half` }, () => {})
    await migrate(db.pool)
    await ensurePartitions(db.query, new Date())
    await db.close()
    // A backend that has just been told to go may be there for a moment.
    await client.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [
      `${name}_half`,
    ])
    await client.query(`ALTER DATABASE ${name}_half RENAME TO ${name}`)
  })
  return name
}

async function withClient<T>(address: DatabaseAddress, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(clientConfig(address))
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

async function runAll(client: pg.Client, statements: string[]): Promise<void> {
  for (const statement of statements) await client.query(statement)
}
