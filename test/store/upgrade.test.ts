import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openDatabase } from '../../src/store/database.ts'
import { readDatabaseUrl } from '../../src/store/database-address.ts'
import { listDeliveries } from '../../src/store/delivery-log.ts'
import { newestChecks } from '../../src/store/history.ts'
import { listIncidents } from '../../src/store/incidents.ts'
import { listMembers } from '../../src/store/members.ts'
import { type Migration, migrate, readMigrations } from '../../src/store/migrate.ts'
import { hashHeartbeatToken } from '../../src/store/monitor-changes.ts'
import { findMonitor } from '../../src/store/monitors.ts'
import { createHeartbeatFinder } from '../../src/store/pings.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { Vault } from '../../src/store/vault.ts'
import { TEST_SECRET } from '../support/database.ts'
import { type ExternalServer, externalServer } from '../support/external-server.ts'
import { suiteScope } from '../support/scope.ts'

const HEARTBEAT_TOKEN = 'c'.repeat(32)
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
    const db = openDatabase(readDatabaseUrl(server.url(name)), () => {})
    await migrate(db.pool, known)
    await db.pool.query(sql)
    await db.close()
    return server.url(name)
  }

  async function open(databaseUrl: string): Promise<Store> {
    const secrets = { secretKey: TEST_SECRET, previousSecretKeys: [] }
    const store = await openStore({
      databaseUrl,
      dataDir: '/nowhere',
      ...secrets,
      now,
      note: () => {},
      onTrouble: () => {},
    })
    scope.after(() => store.close())
    return store
  }

  it('from the first schema shows what was there, and of processes that start together one does it', async () => {
    const url = await leftBehind('from_first', migrations.slice(0, 1), written(vault))
    const stores = await Promise.all([open(url), open(url), open(url)])
    const applied = stores.map(({ migrated }) => migrated).filter(({ length }) => length > 0)
    assert.deepEqual(applied, [migrations.slice(1).map(({ name }) => name)])

    const { db } = stores[0] as Store
    const members = await listMembers(db.query, 1)
    assert.deepEqual(
      members.map(({ email, role }) => [email, role]),
      [['ann@example.com', 'owner']],
    )
    const site = await findMonitor(db.query, vault, 1, 1)
    assert.ok(site)
    assert.deepEqual(
      [site.name, site.type, site.url, site.status, site.openIncident?.id, site.requestHeaders],
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
    const incidents = await listIncidents(db.query, 1, {} as never, { limit: 10, offset: 0 })
    assert.deepEqual(
      incidents.map(({ cause, resolvedAt }) => [cause, resolvedAt]),
      [['HTTP 503 (expected 200)', null]],
    )
    const deliveries = await listDeliveries(db.query, 1, {} as never, { limit: 10, offset: 0 })
    assert.deepEqual(
      deliveries.map(({ event, state }) => [event, state]),
      [['monitor.down', 'sent']],
    )
    assert.deepEqual(await createHeartbeatFinder(db)(HEARTBEAT_TOKEN), { monitorId: 2 })
  })

  it('goes through each schema that there ever was, with what the first one held', async () => {
    for (const { version } of migrations.slice(0, -1)) {
      const url = await leftBehind(`from_${version}`, migrations.slice(0, 1), written(vault))
      const db = openDatabase(readDatabaseUrl(url), () => {})
      const until = migrations.slice(0, version)
      assert.deepEqual(
        await migrate(db.pool, until),
        until.slice(1).map(({ name }) => name),
      )
      assert.equal((await migrate(db.pool)).length, migrations.length - version)
      assert.equal((await newestChecks(db.query, 1, null, 10)).length, 2, `from ${version}`)
      await db.close()
    }
  })

  it('cannot be taken back: what newer code has been at is refused in one line', async () => {
    const newest = migrations.length
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

/** What the first version wrote: an account, a monitor that is down, and a job. */
function written(vault: Vault): string {
  const sealed = (purpose: string, text: string) => `'${vault.seal(text, purpose)}'`
  const hash = hashHeartbeatToken(HEARTBEAT_TOKEN).toString('hex')
  return `
    INSERT INTO users (email, name) VALUES ('ann@example.com', 'Ann');
    INSERT INTO teams (name, plan, signing_secret)
      VALUES ('Acme', 'pro', ${sealed('teams.signing_secret', 'whsec_x')});
    INSERT INTO members VALUES (1, 1, 'owner');
    INSERT INTO contacts (team_id, name, type, config)
      VALUES (1, 'Ops', 'email', ${sealed('contacts.config', '{"email":"ops@example.com"}')});
    INSERT INTO monitors (team_id, name, type, url, is_active, check_interval_minutes, http_method,
        expected_status_codes, request_timeout_seconds, ssl_expiry_warning_days, slot, request_headers,
        heartbeat_token, heartbeat_token_hash)
      VALUES (1, 'Shop', 'http', 'https://example.com/', true, 1, 'GET', '{200}', 30, 14, 7,
              ${sealed('monitors.request_headers', '{"X-Key":"secret"}')}, NULL, NULL),
             (1, 'Nightly', 'heartbeat', NULL, true, 5, 'GET', '{200}', 30, 14, 8, NULL,
              ${sealed('monitors.heartbeat_token', HEARTBEAT_TOKEN)}, '\\x${hash}');
    INSERT INTO monitor_contacts VALUES (1, 1);
    INSERT INTO incidents (team_id, monitor_id, started_at, cause)
      VALUES (1, 1, '2026-09-01T10:01:00Z', 'HTTP 503 (expected 200)');
    INSERT INTO monitor_state (monitor_id, revision, status, last_checked_at, open_incident_id)
      VALUES (1, 1, 'down', '2026-09-01T10:01:00Z', 1), (2, 2, 'pending', NULL, NULL);
    CREATE TABLE checks_20260901 PARTITION OF checks
      FOR VALUES FROM ('2026-09-01T00:00:00Z') TO ('2026-09-02T00:00:00Z');
    INSERT INTO checks (checked_at, monitor_id, status, response_time_ms, http_status_code, first_byte_ms, error_message)
      VALUES ('2026-09-01T10:00:00Z', 1, 'up', 120, 200, 80, NULL),
             ('2026-09-01T10:01:00Z', 1, 'down', NULL, 503, NULL, 'HTTP 503 (expected 200)');
    INSERT INTO deliveries (team_id, contact_id, contact_name, contact_type, monitor_id, incident_id, event, alert,
        state, attempts, finished_at)
      VALUES (1, 1, 'Ops', 'email', 1, 1, 'monitor.down', '{}', 'sent', 1, '2026-09-01T10:01:01Z');
    INSERT INTO delivery_attempts VALUES (1, 1, '2026-09-01T10:01:01Z', 12, 'sent', NULL, '250 OK')`
}
