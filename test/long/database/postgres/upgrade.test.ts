// npm test leaves this out: it goes through every schema that there ever was (seconds of a core, and more with each migration).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openDatabase } from '../../../../src/postgres/database.ts'
import { readDatabaseUrl } from '../../../../src/postgres/database-url.ts'
import { type Migration, migrate, readMigrations } from '../../../../src/postgres/migrate.ts'
import { listDeliveries } from '../../../../src/store/alerting/delivery-log.ts'
import { newestChecks } from '../../../../src/store/history/history.ts'
import { readIncidentRows } from '../../../../src/store/incidents/incident-rows.ts'
import { findMonitor } from '../../../../src/store/monitors/monitors.ts'
import { createHeartbeatFinder } from '../../../../src/store/monitors/pings.ts'
import { Vault } from '../../../../src/store/sealing/vault.ts'
import { openStore, type Store } from '../../../../src/store/store.ts'
import { listMembers } from '../../../../src/store/teams/members.ts'
import { TEST_SECRET } from '../../../support/postgres/database.ts'
import { type ExternalServer, externalServer } from '../../../support/postgres/external-server.ts'
import { HEARTBEAT_TOKEN, writtenByFirst } from '../../../support/postgres/first-version.ts'
import { PATIENCE } from '../../../support/postgres/patient-database.ts'
import { suiteScope } from '../../../support/scope.ts'

const now = () => new Date()

describe('an upgrade', () => {
  const scope = suiteScope()
  const vault = new Vault(TEST_SECRET)
  let server: ExternalServer
  let migrations: Migration[]

  before(async () => {
    server = await externalServer()
    migrations = await readMigrations()
  })

  /** A database as an older version has left it, with the newest migration that it knew. */
  async function leftBehind(name: string, known: Migration[], sql: string) {
    await server.createDatabase(name)
    const db = openDatabase(readDatabaseUrl(server.url(name, PATIENCE)), () => {})
    await migrate(db.pool, known)
    await db.pool.query(sql)
    await db.close()
    return server.url(name, PATIENCE)
  }

  const notes: string[] = []

  async function open(databaseUrl: string): Promise<Store> {
    const secrets = { secretKey: TEST_SECRET, previousSecretKeys: [] }
    const store = await openStore({
      databaseUrl,
      dataDir: '/nowhere',
      ...secrets,
      now,
      note: (said) => notes.push(said),
      onTrouble: () => {},
    })
    scope.after(() => store.close())
    return store
  }

  it('from the first schema shows what was there, and of processes that start together one does it', async () => {
    const url = await leftBehind('from_first', migrations.slice(0, 1), writtenByFirst(vault))
    const stores = await Promise.all([open(url), open(url), open(url)])
    const applied = stores.map(({ migrated }) => migrated).filter(({ length }) => length > 0)
    assert.deepEqual(applied, [migrations.slice(1).map(({ name }) => name)])
    const [from, to] = [migrations[1]?.name, migrations.at(-1)?.name]
    const all = `database schema: applied ${migrations.length - 1} migrations, ${from} to ${to}`
    assert.deepEqual(notes.splice(0), [all], 'all are one line')

    const { db, vault: opened } = stores[0] as Store
    assert.equal(opened.bindsToRows, false, 'processes of the release before open what is written today')
    const members = await listMembers(db.query, 1)
    assert.deepEqual(
      members.map(({ email, role }) => [email, role]),
      [['ann@example.com', 'owner']],
    )
    const site = await findMonitor(db.query, vault, 1, 1)
    assert.ok(site)
    assert.deepEqual(
      [site.name, site.type, site.url, site.status, site.open_incident?.id, site.request_headers],
      ['Shop', 'http', 'https://example.com/', 'down', 1, { 'X-Key': 'secret' }],
    )
    assert.deepEqual(
      site.contacts.map(({ name }) => name),
      ['Ops'],
    )
    const checks = await newestChecks(db.query, 1, null, 10)
    assert.deepEqual(
      checks.map(({ checkedAt, status, responseTimeMs, errorMessage, phases }) => [
        checkedAt.toISOString(),
        status,
        responseTimeMs,
        errorMessage,
        phases?.firstByteMs ?? null,
      ]),
      [
        ['2026-09-01T10:01:00.000Z', 'down', null, 'HTTP 503 (expected 200)', null],
        ['2026-09-01T10:00:00.000Z', 'up', 120, null, 80],
      ],
    )
    const { rows: incidents } = await readIncidentRows(db.query, 1, {}, { limit: 10, offset: 0 })
    assert.deepEqual(
      incidents.map(({ cause, resolvedAt }) => [cause, resolvedAt]),
      [['HTTP 503 (expected 200)', null]],
    )
    const deliveries = await listDeliveries(db.query, 1, {} as never, { limit: 10, offset: 0 })
    assert.deepEqual(
      deliveries.map(({ event, state }) => [event, state]),
      [['monitor.down', 'sent']],
    )
    assert.deepEqual(await createHeartbeatFinder(db)(HEARTBEAT_TOKEN), {
      monitorId: 2,
      type: 'heartbeat',
      options: null,
    })
  })

  it('goes through each schema that there ever was, with what the first one held', async () => {
    const url = await leftBehind('from_each', migrations.slice(0, 1), writtenByFirst(vault))
    const db = openDatabase(readDatabaseUrl(url), () => {})
    scope.after(() => db.close())
    for (const [index, { name }] of migrations.entries()) {
      if (index === 0) continue
      assert.deepEqual(await migrate(db.pool, migrations.slice(0, index + 1)), [name])
    }
    assert.equal((await newestChecks(db.query, 1, null, 10)).length, 2)
  })

  it('cannot be taken back: what newer code has been at is refused in one line', async () => {
    const newest = Math.max(...migrations.map(({ version }) => version))
    const tomorrow = { version: newest + 1, name: 'tomorrow', sql: 'SELECT 1' }
    const url = await leftBehind('from_tomorrow', [...migrations, tomorrow], 'SELECT 1')
    await assert.rejects(open(url), (error: Error) => {
      assert.match(
        error.message,
        /^the database is at schema \d+, newer than the \d+ this version of Upbeat knows; [^\n]+$/,
      )
      return true
    })
  })
})
