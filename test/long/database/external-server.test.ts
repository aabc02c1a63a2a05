// npm test leaves this out: it starts PostgreSQL servers with TLS, and restarts them (seconds each).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { before, describe, it } from 'node:test'
import {
  type Database,
  inTransaction,
  openDatabase,
  readServerState,
} from '../../../src/postgres/database.ts'
import { clientConfig, type Host, readDatabaseUrl } from '../../../src/postgres/database-url.ts'
import { listen } from '../../../src/postgres/listen.ts'
import { migrate } from '../../../src/postgres/migrate.ts'
import { checkServer, refusalOf, type ServerFacts } from '../../../src/postgres/server-check.ts'
import { clientsOf } from '../../../src/postgres/server-client.ts'
import { createRoute } from '../../../src/postgres/server-route.ts'
import { freePort } from '../../support/free-port.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { type ExternalServer, startExternalServer } from '../../support/postgres/external-server.ts'
import { PATIENCE } from '../../support/postgres/patient-database.ts'
import { trySignal } from '../../support/processes.ts'
import { suiteScope } from '../../support/scope.ts'
import { until } from '../../support/until.ts'

/** After so long without an answer a server is asked whether it works. */
const SILENCE_MS = 100

describe('a server is refused in one line that says how to mend it', () => {
  const good: ServerFacts = {
    version: '15.0',
    versionNumber: 150_000,
    encoding: 'UTF8',
    database: 'd',
    user: 'u',
    standby: false,
    schema: 'public',
    mayCreate: true,
    otherOwner: null,
  }
  const table: [facts: Partial<ServerFacts>, refusal: RegExp | null][] = [
    [{}, null],
    [{ version: '14.22', versionNumber: 140_022 }, /^this is PostgreSQL 14\.22: Upbeat needs 15 or newer$/],
    [{ standby: true }, /read-only standby: name the primary/],
    [
      { encoding: 'LATIN1' },
      /^the database d has the encoding LATIN1: Upbeat needs UTF8, as in CREATE DATABASE/,
    ],
    [{ schema: null, mayCreate: null }, /^u has no schema in the database d: CREATE SCHEMA u/],
    [
      { mayCreate: false },
      /^u may not create tables .*: ALTER DATABASE d OWNER TO u, or GRANT CREATE ON SCHEMA public/,
    ],
    [{ otherOwner: 'other' }, /^the tables in the database d belong to other: connect as that user/],
  ]
  for (const [facts, refusal] of table) {
    it(Object.keys(facts).join() || 'not', () => {
      const said = refusalOf({ ...good, ...facts })
      if (refusal === null) assert.equal(said, null)
      else assert.match(said ?? '', refusal)
    })
  }
})

describe('an external server', () => {
  const scope = suiteScope()
  let server: ExternalServer

  before(async () => {
    server = await startExternalServer(scope)
    await server.createDatabase('main')
  })

  const url = (database: string, query = '') =>
    server.url(database, query ? `${PATIENCE}&${query}` : PATIENCE)
  const check = (url: string) => checkServer(readDatabaseUrl(url))
  const withPort = (url: string, port: number) => url.replace(/:\d+\/main/, `:${port}/main`)

  function open(url: string): Database {
    const db = openDatabase(readDatabaseUrl(url), () => {})
    scope.after(() => db.close())
    return db
  }

  it('lets in by password, over TLS as the address asks for', async () => {
    const table: [query: string, encrypted: boolean][] = [
      ['', true],
      ['sslmode=disable', false],
      ['sslmode=require&channel_binding=prefer', true],
      [`sslmode=verify-ca&sslrootcert=${server.rootCert}`, true],
      [`sslmode=verify-full&sslrootcert=${server.rootCert}`, true],
    ]
    for (const [query, encrypted] of table) {
      const address = await check(url('main', query))
      const db = openDatabase(address, () => {})
      await migrate(db.pool)
      assert.equal((await readServerState(db)).encrypted, encrypted, query)
      await db.close()
    }
  })

  it('is refused in one line', async () => {
    await server.createDatabase('latin', `ENCODING 'LATIN1' LOCALE 'C'`)
    await server.admin('CREATE DATABASE guarded')
    await server.admin('CREATE DATABASE strange TEMPLATE upbeat')
    await server.admin('GRANT CREATE ON SCHEMA public TO app', 'strange')
    const main = url('main')
    const table: [url: string, refusal: RegExp][] = [
      [
        withPort(main, await freePort()),
        /^cannot use PostgreSQL at localhost:\d+ as app: connection refused/,
      ],
      [main.replace(/:[^:@]+@/, ':wrong@'), /: the password of app is wrong$/],
      [url('nowhere'), /: there is no database nowhere: CREATE DATABASE /],
      [url('latin'), /the database latin has the encoding LATIN1: Upbeat needs UTF8/],
      [url('guarded'), /app may not create tables in the schema public of the database guarded/],
      [url('strange'), /the tables in the database strange belong to upbeat/],
      [url('main', 'sslmode=verify-full'), /its certificate is from an unknown authority/],
      [
        url('main', `sslmode=verify-full&sslrootcert=${server.rootCert}`).replace('localhost', '127.0.0.1'),
        /its certificate is for another host name/,
      ],
      [
        url('main', 'options=-c%20default_transaction_read_only%3Don'),
        /default_transaction_read_only is on: it takes no writes/,
      ],
    ]
    for (const [url, refusal] of table) {
      await assert.rejects(check(url), (error: Error) => {
        assert.match(error.message, refusal)
        assert.doesNotMatch(error.message, /\n|p@ss|p%40ss/)
        return true
      })
    }
  })

  it('without TLS is used without where TLS is preferred, and refused where it is required', async () => {
    await server.admin('ALTER SYSTEM SET ssl = off')
    await server.admin('SELECT pg_reload_conf()')
    await until('TLS to be off', async () => (await check(url('main'))).tls === undefined)
    await assert.rejects(check(url('main', 'sslmode=require')), /it has no TLS, which sslmode asks for/)
    await server.admin('ALTER SYSTEM SET ssl = on')
    await server.admin('SELECT pg_reload_conf()')
    await until('TLS to be on', async () => (await check(url('main'))).tls !== undefined)
  })

  it('that restarts is found again by pools and by who listens', async () => {
    const db = open(url('main'))
    let woken = 0
    const listening = listen(db, { there: () => void woken++ })
    scope.after(() => listening.close())
    await until('it listens', () => woken === 1)
    const broken = inTransaction(db.pool, (client) =>
      client.query('SET LOCAL statement_timeout = 0; SELECT pg_sleep(3600)'),
    )
    const failed = assert.rejects(broken)
    await until('it works', async () => {
      const busy = await server.admin(`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)
      return busy.length > 0
    })
    await server.stop('SIGINT')
    await failed
    await assert.rejects(db.pool.query('SELECT 1'))
    await server.start()
    assert.equal((await db.pool.query('SELECT 1 AS one')).rows[0].one, 1)
    await until('who listens is woken', () => woken === 2)
    await db.pool.query('NOTIFY there')
    await until('a notification', () => woken === 3)
  })

  it('that stops answering is given up, one that works on a long statement is not', async () => {
    const address = await check(url('main'))
    // While it runs it has all the time to answer; once it has stopped, it does not answer in any.
    const [patient, hasty] = [createRoute(address, HANG_GUARD_MS), createRoute(address, SILENCE_MS)]
    let hasStopped = false
    let [asked, answered] = [0, 0]
    const answers = async (host: Host) => {
      asked++
      const does = await (hasStopped ? hasty : patient).answers(host)
      if (does) answered++
      return does
    }
    const Client = clientsOf({ ...patient, answers }, SILENCE_MS)
    const client = new Client(clientConfig(address))
    const lost = once(client, 'error')
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
    const { pid } = rows[0]
    const long = client.query('SELECT pg_sleep(3600)')
    await until('it was asked twice whether it works', () => answered >= 2)
    const cancelled = assert.rejects(long, /canceling statement/)
    await server.admin(`SELECT pg_cancel_backend(${pid})`)
    await cancelled
    await until('nobody asks any more', () => asked === answered)
    hasStopped = true
    const stopped = [server.pid, pid]
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    try {
      await assert.rejects(client.query('SELECT 1'), /the database has stopped answering/)
      await lost
    } finally {
      for (const pid of stopped) trySignal(pid, 'SIGCONT')
    }
  })

  it('is left for the one that takes writes, and only that one is used', async () => {
    const standby = await server.addStandby()
    const both = url('main').replace(/localhost:\d+/, `localhost:${standby.port},localhost:${server.port}`)
    await assert.rejects(check(withPort(url('main'), standby.port)), /it is a read-only standby/)
    await check(both)
    const db = open(both)
    const portOf = async () => (await db.pool.query('SELECT inet_server_port() AS port')).rows[0].port
    assert.equal(await portOf(), server.port)
    await server.stop('SIGKILL')
    await until('the pool knows that the server is gone', async () => {
      const asked = await db.pool.query('SELECT 1').catch((error) => error)
      return asked instanceof Error && /no PostgreSQL server takes writes/.test(asked.message)
    })
    await standby.admin('SELECT pg_promote()')
    await until('writes go to the other server', () =>
      db.pool.query('CREATE TABLE IF NOT EXISTS written (at int)').then(
        () => true,
        () => false,
      ),
    )
    assert.equal(await portOf(), standby.port)
  })
})
