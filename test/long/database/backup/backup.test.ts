// npm test leaves this out: it fills, writes and restores whole databases, and makes one of the first schema (seconds of a core).
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { writeBackup } from '../../../../src/postgres/backup/backup.ts'
import { type BackupContent, writeBackupFile } from '../../../../src/postgres/backup/backup-file.ts'
import { listTables } from '../../../../src/postgres/backup/backup-tables.ts'
import { restoreBackup } from '../../../../src/postgres/backup/restore.ts'
import { type Database, inTransaction } from '../../../../src/postgres/database.ts'
import { holdLease, releaseLease } from '../../../../src/postgres/leases.ts'
import { type Migration, migrate, readMigrations } from '../../../../src/postgres/migrate.ts'
import {
  createPartition,
  dropPartitionsBefore,
  ensurePartitions,
} from '../../../../src/store/history/partitions.ts'
import { openEmptyDatabase, openTestDatabase, someoneWaits } from '../../../support/postgres/database.ts'
import { addMonitor } from '../../../support/records/monitors.ts'
import { addServer } from '../../../support/records/servers.ts'
import { startListener, whileTimePasses } from '../../../support/servers/listener.ts'
import { until } from '../../../support/until.ts'

const HOLDER = '6f4f0c52-55f8-4f5c-9a3f-2f2a1f0e9d11'
const silent = () => {}

test('a restore gives back every row of every table, and new ids follow the old ones', async (t) => {
  const [from, to, file] = [await openDatabase(t), await openDatabase(t), await newFile(t)]
  await fill(from)
  await to.pool.query(
    `INSERT INTO users (email, name) SELECT i || '@example.com', 'Gone' FROM generate_series(1, 9) i`,
  )
  const notes: string[] = []
  const written = await writeBackup(from, file, (progress) => notes.push(progress))
  assert.ok(notes.includes('checks: 3 rows'))
  assert.deepEqual(await restoreBackup(to, file, silent), { rows: written.rows })

  const restored = await contentOf(to)
  assert.deepEqual(restored, await contentOf(from))
  const empty = Object.keys(restored).filter((table) => restored[table]?.length === 0)
  assert.deepEqual(empty, [], 'every table takes part')
  assert.equal(written.rows, Object.values(restored).flat().length)
  assert.deepEqual(await nextIds(to), await nextIds(from))
})

test('the file is whole or not there, and only its owner can read it', async (t) => {
  const [db, file] = [await openDatabase(t), await newFile(t)]
  const { bytes } = await writeBackup(db, file, silent)
  const { mode, size } = await stat(file)
  assert.equal(mode & 0o777, 0o600)
  assert.equal(size, bytes)

  await assert.rejects(writeBackup(db, file, silent), /exists already: choose another name/)
  const fails = () => assert.fail('no more room')
  await fill(db)
  await assert.rejects(writeBackup(db, `${file}.second`, fails), /no more room/)
  assert.deepEqual(await readdir(join(file, '..')), ['backup.tar.gz'])
  assert.equal((await stat(file)).size, bytes)
})

test('a transaction during a backup is in it entirely or not at all', async (t) => {
  const [from, to, file] = [await openDatabase(t), await openDatabase(t), await newFile(t)]
  await fill(from)
  const before = await contentOf(from)
  const backup = await inTransaction(from.pool, async (client) => {
    await client.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE')
    const writing = writeBackup(from, file, silent)
    await until('the backup has its snapshot and waits for a table', () => someoneWaits(from))
    await client.query(ANOTHER_INCIDENT)
    return { writing }
  })
  await backup.writing
  await restoreBackup(to, file, silent)
  assert.deepEqual(await contentOf(to), before)
  assert.notDeepEqual(await contentOf(from), before)
})

test('a backup holds up neither those who write nor those who make partitions', async (t) => {
  const [db, file] = [await openDatabase(t), await newFile(t)]
  await fill(db)
  const backup = await inTransaction(db.pool, async (client) => {
    await client.query('ALTER SEQUENCE monitor_revisions RENAME TO held')
    const writing = writeBackup(db, file, silent)
    await until('the backup has read the tables and waits for a sequence', () => someoneWaits(db))
    await db.pool.query(`${createPartition('checks', new Date('2031-05-01'))}; ${ANOTHER_INCIDENT};
      INSERT INTO checks (checked_at, monitor_id, status) VALUES ('2031-05-01T10:00Z', 1, 'up')`)
    assert.deepEqual(
      await dropPartitionsBefore(db.query, new Date('2025-01-01')),
      [],
      'it is still being read',
    )
    await client.query('ALTER SEQUENCE held RENAME TO monitor_revisions')
    return { writing }
  })
  await backup.writing
  assert.deepEqual(await dropPartitionsBefore(db.query, new Date('2025-01-01')), [
    'checks_20240229',
    'pings_20240301',
  ])
})

test('a file that is no whole backup is refused, and nothing changes', async (t) => {
  const [db, file] = [await openDatabase(t), await newFile(t)]
  await fill(db)
  await writeBackup(db, file, silent)
  const whole = await readFile(file)
  const before = await contentOf(db)
  const flipped = Buffer.from(whole)
  flipped.writeUInt8(flipped.readUInt8(whole.length - 6) ^ 1, whole.length - 6)
  const cases: [string, Buffer, RegExp][] = [
    ['cut in the middle', whole.subarray(0, whole.length >> 1), /unexpected end of file/],
    ['cut by one byte', whole.subarray(0, -1), /unexpected end of file/],
    ['empty', Buffer.alloc(0), /unexpected end of file/],
    ['a text', Buffer.from('Dear diary'), /incorrect header check/],
    ['with a changed byte', flipped, /incorrect data check/],
    ['a gzip of something else', gzipSync('x'.repeat(2_000)), /[Hh]eader/],
    ['an archive of nothing', gzipSync(Buffer.alloc(1_024)), /its manifest is missing/],
  ]
  for (const [what, content, reason] of cases) {
    const bad = `${file}.bad`
    await writeFile(bad, content)
    await assert.rejects(restoreBackup(db, bad, silent), reason, what)
    await assert.rejects(
      restoreBackup(db, bad, silent),
      /is not a whole backup of Upbeat .* nothing was changed/,
      what,
    )
    assert.deepEqual(await contentOf(db), before, what)
  }
  await assert.rejects(restoreBackup(db, `${file}.none`, silent), /cannot read .*ENOENT/)
})

test('what is no file, and a backup without its tables, are refused before anything is touched', async (t) => {
  const [db, file] = [await openDatabase(t), await newFile(t)]
  await fill(db)
  const before = await contentOf(db)
  const folder = dirname(file)
  const notHere = ({ name }: { name: string }) => name !== 'monitors' && name !== 'teams'
  await craft(db, join(folder, 'no-tables'), {}, ({ tables }) => void tables.splice(0))
  await craft(db, join(folder, 'some-tables'), {}, (content) => {
    content.tables = content.tables.filter(notHere)
  })
  await craft(db, join(folder, 'old-without'), {}, (content) => {
    content.schema_version = 1
    content.tables = content.tables.filter(({ name }) => name === 'users')
  })
  await craft(
    db,
    join(folder, 'no-schema'),
    {},
    (content) => void Object.assign(content, { schema_version: null }),
  )
  await writeFile(join(folder, 'dump.sql'), '-- PostgreSQL database dump\nCREATE TABLE users ();\n')
  await writeFile(join(folder, 'dump.custom'), Buffer.from('PGDMP\x01\x0e\x00', 'latin1'))
  await writeFile(join(folder, 'dump.sql.gz'), gzipSync('-- PostgreSQL database dump\n'.repeat(100)))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const cases: [name: string, reason: RegExp][] = [
    ['no-tables', /is not a whole backup of Upbeat \(it has no tables\); nothing was changed/],
    ['some-tables', /lacks tables of schema \d+: teams, monitors; nothing was changed/],
    ['old-without', /lacks tables of schema 1: .*; nothing was changed/],
    ['no-schema', /neither its schema nor its sequences\); nothing was changed/],
    ['dump.sql', /is not a whole backup of Upbeat \(incorrect header check\); nothing was changed/],
    ['dump.custom', /is not a whole backup of Upbeat \(incorrect header check\); nothing was changed/],
    ['dump.sql.gz', /is not a whole backup of Upbeat \(.*[Hh]eader.*\); nothing was changed/],
    ['pipe', /pipe is a pipe: it takes the path of a file that backup wrote; nothing was changed/],
    ['.', /is a directory: it takes the path of a file that backup wrote; nothing was changed/],
  ]
  for (const [name, reason] of cases) {
    await assert.rejects(restoreBackup(db, join(folder, name), silent), reason, name)
    assert.deepEqual(await contentOf(db), before, name)
  }
  assert.equal((await nextIds(db)).users_id_seq, 8)
})

test('a backup whose rows are not those of its manifest is refused', async (t) => {
  const [db, file] = [await openDatabase(t), await newFile(t)]
  await craft(db, file, { users: USER }, (content) => {
    for (const table of content.tables) table.rows++
  })
  await assert.rejects(restoreBackup(db, file, silent), /rows of \w+ are missing or too many/)
})

test('a restore that fails on the way changes nothing, the ids to come included', async (t) => {
  const [db, file] = [await openDatabase(t), await newFile(t)]
  await fill(db)
  const before = await contentOf(db)
  await craft(db, file, { users: USER, members: '77\t1\towner\t2026-01-01 00:00:00+00\n' })
  await assert.rejects(restoreBackup(db, file, silent), /members_team_id_fkey/)
  await craft(db, `${file}.2`, { users: USER }, (content) => {
    content.sequences.push({ name: 'users_id_seq', next: 1 }, { name: 'nothing_id_seq', next: 1 })
  })
  await assert.rejects(restoreBackup(db, `${file}.2`, silent), /nothing_id_seq/)
  assert.deepEqual(await contentOf(db), before)
  assert.equal((await nextIds(db)).users_id_seq, 8)
})

test('while the service runs a restore is refused', async (t) => {
  const [db, file] = [await openDatabase(t), await newFile(t)]
  await fill(db)
  await writeBackup(db, file, silent)
  await db.pool.query('DELETE FROM delivery_attempts')
  const before = await contentOf(db)
  await holdLease(db, 'scheduler', HOLDER, 600)
  await assert.rejects(
    restoreBackup(db, file, silent),
    /the service is running: stop all of its processes first/,
  )
  assert.deepEqual(await contentOf(db), before)
  await releaseLease(db, 'scheduler', HOLDER)

  // This is all there is of a process that neither schedules nor probes.
  const listening = await startListener(db)
  await whileTimePasses(t, () =>
    assert.rejects(
      restoreBackup(db, file, silent),
      /the service is running: stop all of its processes first/,
    ),
  )
  assert.deepEqual(await contentOf(db), before)
  await listening.close()
  await restoreBackup(db, file, silent)
  assert.notDeepEqual(await contentOf(db), before)
})

test('a backup of an older schema is brought forward, one of a newer schema is refused', async (t) => {
  const [from, to, file] = [await openDatabase(t), await openDatabase(t), await newFile(t)]
  await fill(from)
  await writeBackup(from, file, silent)
  const today = await readMigrations()
  const version = newest(today) + 1
  const next = `ALTER TABLE teams ADD COLUMN motto text NOT NULL DEFAULT 'onward'; UPDATE teams SET name = upper(name);
    CREATE TABLE mottos (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, team_id int NOT NULL REFERENCES teams)`
  const tomorrow = [...today, { version, name: 'mottos', sql: next }]
  await migrate(to.pool, tomorrow)
  await restoreBackup(to, file, silent, tomorrow)
  assert.deepEqual((await to.pool.query('SELECT id, name, motto FROM teams')).rows, [
    { id: 3, name: 'OPS', motto: 'onward' },
  ])
  assert.deepEqual(await migrate(to.pool, tomorrow), [], 'the schema is the newest')
  const { teams: _, mottos: __, ...others } = await contentOf(to)
  const { teams: ___, ...expected } = await contentOf(from)
  assert.deepEqual(others, expected)

  await rm(file)
  await writeBackup(to, file, silent)
  await restoreBackup(to, file, silent, tomorrow)
  await assert.rejects(
    restoreBackup(from, file, silent),
    /the backup has schema \d+, newer than the \d+ this version/,
  )
})

test('a backup of the very first schema still comes back', async (t) => {
  const [to, file] = [await openDatabase(t), await newFile(t)]
  const { db: from, close } = await openEmptyDatabase()
  t.after(close)
  await migrate(from.pool, (await readMigrations()).slice(0, 1))
  await from.pool.query(`${createPartition('checks', new Date('2024-02-29'))};
    INSERT INTO checks (checked_at, monitor_id, status, dns_ms) VALUES ('2024-02-29T12:00Z', 5, 'up', 3)`)
  assert.deepEqual(await writeBackup(from, file, silent), { rows: 1, bytes: (await stat(file)).size })
  await restoreBackup(to, file, silent)
  const { rows } = await to.pool.query('SELECT checked_at, monitor_id, status FROM checks')
  assert.deepEqual(rows, [{ checked_at: new Date('2024-02-29T12:00Z'), monitor_id: 5, status: 'up' }])
  await ensurePartitions(to.query, new Date())
  await fill(to)
})

test('leases and rate limits are no part of a backup', async (t) => {
  const [from, to, file] = [await openDatabase(t), await openDatabase(t), await newFile(t)]
  await holdLease(from, 'scheduler', HOLDER, 600)
  await from.pool.query(`INSERT INTO rate_limits (key) VALUES ('user:1')`)
  assert.equal((await writeBackup(from, file, silent)).rows, 0)
  await restoreBackup(to, file, silent)
  assert.deepEqual(
    (await to.pool.query('SELECT key AS name FROM rate_limits UNION SELECT name FROM leases')).rows,
    [],
  )
})

function newest(migrations: Migration[]): number {
  return Math.max(...migrations.map(({ version }) => version))
}

async function openDatabase(t: TestContext): Promise<Database> {
  const { db, close } = await openTestDatabase()
  t.after(close)
  return db
}

/** A name for a backup in a directory of its own. */
async function newFile(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
  t.after(() => rm(directory, { recursive: true }))
  return join(directory, 'backup.tar.gz')
}

const USER = '1\ta@example.com\tAda\t\\N\t2026-01-01 00:00:00+00\n'

/** A backup of today's schema with all tables and these rows, which nobody has looked at. */
async function craft(
  db: Database,
  file: string,
  rows: Record<string, string>,
  change: (content: BackupContent) => void = silent,
): Promise<void> {
  const columns: Record<string, string[]> = {
    users: ['id', 'email', 'name', 'password_hash', 'created_at'],
    members: ['team_id', 'user_id', 'role', 'created_at'],
  }
  const version = newest(await readMigrations())
  const tables = await inTransaction(db.pool, async (client) =>
    (await listTables(client)).map(({ name }) => name),
  )
  await writeBackupFile(file, async (addRows) => {
    const content: BackupContent = { schema_version: version, created_at: '', tables: [], sequences: [] }
    for (const name of new Set([...tables, ...Object.keys(rows)])) {
      const text = rows[name] ?? ''
      const sum = await addRows(name, Readable.from(text === '' ? [] : [Buffer.from(text)]))
      content.tables.push({ name, columns: columns[name] ?? [], ...sum, partitions: [] })
    }
    change(content)
    return content
  })
}

const ANOTHER_INCIDENT = `
  WITH monitor AS (SELECT id, team_id FROM monitors LIMIT 1),
       incident AS (INSERT INTO team_incidents (kind, team_id, subject_id, started_at, resolved_at)
                    SELECT 'monitor', team_id, id, now(), now() FROM monitor RETURNING *)
  INSERT INTO deliveries (team_id, contact_name, contact_type, kind, subject_id, team_incident_id, event, alert)
  SELECT team_id, 'Ops', 'email', kind, subject_id, id, 'monitor.down', '{}' FROM incident`

const TEAM = 3

/** Rows in every table, with what text, bytes, arrays, documents and times can do to a format. */
async function fill(db: Database): Promise<void> {
  await db.pool.query(`
    ${createPartition('checks', new Date('2024-02-29'))};
    ${createPartition('check_chunks', new Date('2024-02-28'))};
    ${createPartition('pings', new Date('2024-03-01'))};
    SELECT setval('users_id_seq', 7, false), setval('teams_id_seq', ${TEAM}, false), setval('team_incidents_id_seq', 9000000000);
    INSERT INTO users (email, name) VALUES ('a@example.com', E'Ada\\t\\\\N\\r\\n"L," \\\\. é🔐');
    INSERT INTO password_links SELECT '\\x000aff5c', id, 'infinity' FROM users;
    INSERT INTO email_links SELECT '\\x0a', id, email, 'infinity' FROM users;
    INSERT INTO authenticators (user_id, secret, last_step) SELECT id, 'sealed', 59000000 FROM users;
    INSERT INTO account_events (user_id, at, kind, detail, address, user_agent)
      SELECT id, now(), 'passkey_added', E'a\\tb', '::1', '' FROM users;
    INSERT INTO recovery_codes SELECT id, '\\x5c' FROM users;
    INSERT INTO passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
      SELECT id, 'Laptop', 'YQ', '\\xa50102', 0, '{internal,hybrid}', now() FROM users;
    INSERT INTO passkey_challenges SELECT '\\x01', id, 'infinity' FROM users;
    INSERT INTO letters (content, expires_at) VALUES ('sealed', 'infinity');
    INSERT INTO mailboxes VALUES ('\\x00', now(), 1, NULL);
    INSERT INTO sign_ups VALUES ('\\x00', 'b@example.com', 'Bob', '$argon2id$', 'infinity');
    INSERT INTO identities SELECT 'https://sso.example', E'a\\tb', id, now() FROM users;
    INSERT INTO setup_links VALUES ('\\x00', 'infinity');
    INSERT INTO teams (name, plan, signing_secret, confirmations, recovery_checks)
      VALUES ('Ops', 'business', '', 2, 3);
    INSERT INTO agreements SELECT id, '\\x00', '\\x00', now(), 'infinity', NULL FROM teams;
    INSERT INTO members SELECT t.id, u.id, 'owner' FROM teams t, users u;
    INSERT INTO sessions (user_id, team_id, token_hash, address, user_agent, created_at, last_used_at, expires_at)
      SELECT u.id, t.id, '\\x0d', '::1', E'Mozilla\\t5.0', now(), now(), 'infinity' FROM users u, teams t;
    INSERT INTO invitations (team_id, email, role, link_hash, letter_hash, invited_by, created_at, expires_at)
      SELECT t.id, 'b@example.com', 'viewer', '\\x0b', '\\x0c', u.id, now(), 'infinity' FROM teams t, users u;
    INSERT INTO audit_entries (team_id, at, user_id, actor_name, door, action, subject, subject_id, fields)
      SELECT t.id, now(), u.id, u.name, 'api', 'updateTeam', t.name, t.id, '{name}' FROM teams t, users u;
    INSERT INTO tokens (team_id, user_id, name, token_hash, ending)
      SELECT NULL, id, E'\\\\N', '\\x5c4e', 'abcd' FROM users;
    INSERT INTO probe_tokens (region, name, token_hash, ending) VALUES ('nyc', E'a\\tb', '\\x5c', 'abcd');
    INSERT INTO reserved_regions VALUES ('nyc', '{3,5}');
    INSERT INTO oauth_clients VALUES ('https://x.example/c', E'a\\tb', '{"http://127.0.0.1/,\\\\\\""}', now());
    INSERT INTO oauth_codes SELECT '\\x0e', c.id, u.id, t.id, 'http://127.0.0.1/', 'x', 'mcp', 'read', 'infinity', k.id
      FROM oauth_clients c, users u, teams t, tokens k;
    INSERT INTO oauth_refresh_tokens SELECT '\\x0f', id, 'infinity' FROM tokens;
    INSERT INTO push_keys (public_key, private_key) VALUES ('BAAA', 'sealed');
    INSERT INTO service_settings (id, site_url, smtp_url) VALUES (1, 'https://up.example.com', 'sealed');
    INSERT INTO contacts (team_id, user_id, name, type, config)
      SELECT t.id, u.id, 'Ops', 'webpush', 'sealed' FROM teams t, users u`)
  await addMonitor(db, {
    team_id: TEAM,
    name: 'Nightly',
    type: 'heartbeat',
    url: null,
    expected_status_codes: [200, 204],
    heartbeat_token_hash: Buffer.from('deadbeef', 'hex'),
    slot: 255,
    state: { passing: 1 },
  })
  await db.pool.query(`
    UPDATE monitor_state SET heartbeat_due_at = '2026-03-29T02:30:00.123456+02';
    INSERT INTO subject_contacts SELECT 'monitor', m.id, c.id FROM monitors m, contacts c;
    INSERT INTO monitor_pauses SELECT id, '2026-03-29T01:59:59.999999Z', 'infinity' FROM monitors;
    INSERT INTO group_requests (group_id) SELECT id FROM monitors;
    INSERT INTO monitor_notes SELECT id, 'https://wiki.example/', E'two\\nlines' FROM monitors;
    INSERT INTO failing_answers (monitor_id, checked_at, skeleton, answer)
      SELECT id, now(), '\\x0d0a', '{"headers": []}' FROM monitors;
    INSERT INTO checks (checked_at, monitor_id, status, error_message)
      SELECT at, m.id, 'down', E'two\\nlines' FROM monitors m,
        unnest('{2024-02-29T00:00:00Z,2024-02-29T23:59:59.999999Z}'::timestamptz[] || now()) AS at;
    INSERT INTO check_hours (monitor_id, hour, up) SELECT id, now(), 60 FROM monitors;
    INSERT INTO check_days (monitor_id, day, up) SELECT id, '2024-02-28', 1440 FROM monitors;
    INSERT INTO check_chunks SELECT '2024-02-28', id, 0, 0, 1440, '\\x0d0a' FROM monitors;
    INSERT INTO compacted_days VALUES ('2024-02-28', 1);
    INSERT INTO history_progress (hours_until) VALUES (now());
    INSERT INTO pings SELECT '2024-03-01T12:00Z', id, 'fail', 255, gen_random_uuid(), '\\x00010a0d5c' FROM monitors;
    ${ANOTHER_INCIDENT};
    UPDATE deliveries SET alert = '{"name": "a\\\\nb \\\\u00e9 \\\\\\"quoted\\\\\\""}';
    INSERT INTO delivery_attempts SELECT id, 1, now(), 12, 'retry', 503, 'HTTP 503' FROM deliveries;
    UPDATE teams SET maintenance_revision = 3, calendar_token = 'sealed', calendar_token_hash = '\\x0d';
    INSERT INTO maintenance_windows
        (team_id, kind, name, note, all_subjects, local_start, time_zone, duration_minutes, rule, exceptions, since)
      SELECT id, 'recurring', 'Reboot', E'two\\nlines', false, '2026-03-29T02:30', 'Europe/Berlin', 60, 'FREQ=DAILY',
        '{2026-04-01,2026-04-02}', now() FROM teams;
    INSERT INTO maintenance_windows
        (team_id, kind, name, note, all_subjects, max_minutes, ends_when_passing, token, token_hash, since)
      SELECT id, 'switch', 'Deploy', '', true, 60, true, 'sealed', '\\x5c', now() FROM teams;
    INSERT INTO maintenance_window_subjects SELECT w.id, 'monitor', m.id FROM maintenance_windows w, monitors m;
    INSERT INTO maintenance_occurrences
      SELECT id, team_id, now(), 'infinity', 'address', false, '{1,2}' FROM maintenance_windows;
    INSERT INTO status_pages (team_id, slug, name, description, visibility, networks, language, theme, days, posts,
        allows_subscribers, password_hash, feed_token, feed_token_hash, logo, logo_type)
      SELECT id, 'shop', 'Shop', E'two\\nlines', 'networks', '{10.0.0.0/8,2001:db8::/32}', 'auto', 'auto', 90, 'draft',
        true, '$argon2id$', 'sealed', '\\x0d', '\\x89504e47', 'image/png' FROM teams;
    INSERT INTO status_domains SELECT 'status.example.com', id, team_id, 'x', now(), 'infinity' FROM status_pages;
    INSERT INTO status_groups (page_id, name, is_open, position) SELECT id, 'Group', false, 1 FROM status_pages;
    INSERT INTO status_components (page_id, group_id, position, kind, subject_id, name, description, shows_uptime,
        shows_chart, state)
      SELECT g.page_id, g.id, 0, 'monitor', m.id, 'Shop', '', true, false, 'operational' FROM status_groups g, monitors m;
    INSERT INTO status_posts (page_id, team_id, kind, title, phase, started_at, incident_id)
      SELECT p.id, p.team_id, 'incident', 'Trouble', 'identified', now(), i.id FROM status_pages p, team_incidents i
        WHERE i.kind = 'monitor' LIMIT 1;
    INSERT INTO incident_posts (page_id, kind, team_incident_id, post_id)
      SELECT p.page_id, i.kind, i.id, p.id FROM status_posts p, team_incidents i LIMIT 1;
    INSERT INTO status_updates (post_id, phase, body, impacts, at)
      SELECT id, phase, E'a\\n*b*', '[{"component_id": 1, "state": "degraded"}]', now() FROM status_posts;
    INSERT INTO status_templates (team_id, name, title, phase, body)
      SELECT id, 'T', 'Trouble', 'resolved', 'Over' FROM teams;
    INSERT INTO status_subscribers (page_id, team_id, type, address, address_hash, token, token_hash, component_ids)
      SELECT id, team_id, 'email', 'sealed', '\\x00', 'sealed', '\\x01', '{1,2}' FROM status_pages;
    INSERT INTO status_notices (update_id, subscriber_id) SELECT u.id, s.id FROM status_updates u, status_subscribers s;
    INSERT INTO scheduler_pulse (alive_at) VALUES (now())`)
  await fillServers(db)
  await fillSites(db)
  await fillReports(db)
  await fillSchedules(db)
  await fillEscalations(db)
}

async function fillEscalations(db: Database): Promise<void> {
  await db.pool.query(`
    INSERT INTO escalation_policies (team_id, name, steps, repeat_every_minutes, tags)
      SELECT id, 'Primary', '[{"after_minutes": 10}]', 60, '{env:prod}' FROM teams;
    INSERT INTO subject_policies SELECT 'monitor', m.id, p.id FROM monitors m JOIN escalation_policies p USING (team_id);
    INSERT INTO subject_policies SELECT 'server', s.id, p.id FROM servers s JOIN escalation_policies p USING (team_id);
    INSERT INTO subject_policies SELECT 'site', s.id, p.id FROM sites s JOIN escalation_policies p USING (team_id);
    INSERT INTO team_incidents (kind, team_id, policy_id, started_at, resolved_at)
      SELECT 'drill', team_id, id, '2026-03-29T02:30:00.123456+02', 'infinity' FROM escalation_policies;
    INSERT INTO escalations (team_id, kind, team_incident_id, policy_name, steps, repeats, repeat_every_minutes, alert, runs_from)
      SELECT team_id, kind, id, 'Primary', '[]', 0, 60, '{"event": "test"}', started_at FROM team_incidents WHERE kind = 'drill';
    INSERT INTO escalation_steps (escalation_id, kind, number, round, due_at, look_at)
      SELECT id, 'step', 1, 0, runs_from, 'infinity' FROM escalations;
    INSERT INTO acknowledgements (team_id, kind, team_incident_id, via, note, acknowledged_at)
      SELECT team_id, kind, id, 'link', 'on it', started_at FROM team_incidents;
    INSERT INTO incident_notes (team_id, kind, team_incident_id, text, written_at)
      SELECT team_id, kind, id, 'The disk was full.', started_at FROM team_incidents WHERE kind <> 'drill'`)
}

async function fillSchedules(db: Database): Promise<void> {
  await db.pool.query(`
    INSERT INTO schedules (team_id, name, time_zone, layers, token, token_hash)
      SELECT id, 'Night', 'Europe/Berlin', '[{"rotation": [2, 1]}]', 'sealed', '\\x0d' FROM teams;
    INSERT INTO schedule_participants
      SELECT s.id, 2, s.team_id, 0, 'Ada', m.user_id FROM schedules s JOIN members m USING (team_id);
    INSERT INTO schedule_participant_contacts SELECT s.id, 2, c.id, 0 FROM schedules s, contacts c;
    INSERT INTO schedule_overrides (schedule_id, team_id, participant, starts_at, ends_at)
      SELECT id, team_id, 2, '2026-03-29T02:30:00.123456+02', 'infinity' FROM schedules`)
}

async function fillReports(db: Database): Promise<void> {
  await db.pool.query(`
    INSERT INTO reports (team_id, name, time_zone, all_subjects, monitor_ids, server_ids, site_ids, next_mail_at)
      SELECT id, 'Month', 'Europe/Berlin', false, '{1,2}', '{}', '{}', now() FROM teams;
    INSERT INTO report_recipients (report_id, team_id, address, address_hash, token, token_hash, confirmed_at)
      SELECT id, team_id, 'sealed', '\\x00', 'sealed', int4send(id), now() FROM reports;
    INSERT INTO report_editions (report_id, month, content) SELECT id, '2024-02', '{"lines": []}' FROM reports;
    INSERT INTO report_mails (report_id, month, recipient_id)
      SELECT r.report_id, '2024-02', r.id FROM report_recipients r`)
}

async function fillServers(db: Database): Promise<void> {
  await addServer(db, { team_id: TEAM, thresholds: '{"cpu": {"is_on": true}}', state: { status: 'down' } })
  await db.pool.query(`
    ${createPartition('server_samples', new Date('2024-03-01'))};
    ${createPartition('server_chunks', new Date('2024-02-29'))};
    ${createPartition('server_hours', new Date('2024-02-29'))};
    INSERT INTO subject_contacts SELECT 'server', s.id, c.id FROM servers s, contacts c;
    INSERT INTO subject_status_changes SELECT 'server', id, '2024-03-01T12:00Z', 'down' FROM servers;
    INSERT INTO team_incidents (kind, team_id, subject_id, about, warns_only, started_at, cause, processes)
      SELECT 'server', team_id, id, 'disk_space:/srv', false, now(), E'a\\tb', '[{"name": "cc1"}]' FROM servers;
    INSERT INTO diagnoses (team_id, monitor_id, team_incident_id, asked_at, expires_at, ended_at, found)
      SELECT team_id, subject_id, id, now(), now(), now(), '{}' FROM team_incidents WHERE kind = 'monitor';
    INSERT INTO baselines (monitor_id, team_id, revision, seen_at, region, server)
      SELECT id, team_id, revision, now(), 'lon', E'a\\tb' FROM monitors;
    INSERT INTO flaps (kind, subject_id, about, team_id, since, changes, team_incident_id, alert, look_at)
      SELECT kind, subject_id, about, team_id, started_at, 5, id, '{"event": "server.down"}', 'infinity'
      FROM team_incidents WHERE kind = 'server';
    INSERT INTO server_samples SELECT '2024-03-01T12:00Z', id, '\\x00010a0d5c' FROM servers;
    INSERT INTO server_chunks SELECT '2024-02-29', id, 0, 1, '\\x0d0a' FROM servers;
    INSERT INTO compacted_server_days VALUES ('2024-02-29', 1);
    INSERT INTO server_hours SELECT '2024-02-29T12:00Z', id, '\\x5c4e', 3600000, 0, 0, 0 FROM servers;
    INSERT INTO maintenance_window_subjects SELECT w.id, 'server', s.id FROM maintenance_windows w, servers s`)
}

async function fillSites(db: Database): Promise<void> {
  await db.pool.query(`
    INSERT INTO sites (team_id, name, url, slot, home_interval_seconds, max_pages, checks_foreign_links, ignored_patterns,
        domain_expires_on, areas_off)
      SELECT id, 'Shop', 'https://example.com/', 7, 60, 100, true, '{*/cart*}', '2027-02-03', '{dns}' FROM teams;
    INSERT INTO subject_contacts SELECT 'site', s.id, c.id FROM sites s, contacts c;
    INSERT INTO site_areas (site_id, area, status, memory) SELECT id, 'domain', 'up', '{"warned": 7}' FROM sites;
    INSERT INTO team_incidents (kind, team_id, subject_id, about, started_at, cause)
      SELECT 'site', team_id, id, 'home_page', now(), 'answered 500' FROM sites;
    INSERT INTO subject_status_changes SELECT 'site', id, '2024-03-01T12:00Z', 'down' FROM sites;
    INSERT INTO site_days SELECT '2024-02-29', id, 86400000, 0, 0, 0 FROM sites;
    INSERT INTO site_crawls (site_id, started_at, by_hand) SELECT id, now(), true FROM sites;
    INSERT INTO site_crawl_addresses SELECT id, '\\x0d0a', 'https://example.com/', 'example.com', true, 0, '{"verdict": "fine"}'
      FROM site_crawls;
    INSERT INTO site_crawl_links SELECT id, '\\x0d0a', '\\x0d0b', E'a\\tb' FROM site_crawls;
    INSERT INTO site_findings (site_id, area, key_hash, kind, address, detail, sources, first_seen_at, last_seen_at)
      SELECT id, 'links', '\\x00', 'broken_link', 'https://example.com/a', 'answered 404', '[]', now(), now() FROM sites;
    INSERT INTO site_dns_sets SELECT id, 'mx', '\\x01', '{a,b}', now(), now() FROM sites;
    INSERT INTO site_crawl_faults SELECT id, '\\x02', '\\x0d0a', 'mixed_active', 'http://example.com/a.js', '', '<script src>' FROM site_crawls;
    INSERT INTO registry_services (content, asked_at) VALUES ('{}', now());
    INSERT INTO maintenance_window_subjects SELECT w.id, 'site', s.id FROM maintenance_windows w, sites s`)
}

/** The rows of every table that a backup holds, as the server writes them. */
async function contentOf(db: Database): Promise<Record<string, string[]>> {
  const { rows: tables } = await db.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname NOT IN ('confirmations', 'deleted_records', 'history_stretches', 'leases', 'mail_tests', 'overruns', 'probe_holdings', 'probe_sessions',
         'probers', 'rate_limits', 'schema_migrations', 'sealing', 'site_host_seats', 'slots', 'trial_checks', 'turns')`,
  )
  const parts = tables.map(
    ({ name }) => `SELECT '${name}' AS name, ARRAY(SELECT t::text FROM ${name} t ORDER BY 1) AS rows`,
  )
  const { rows } = await db.pool.query<{ name: string; rows: string[] }>(parts.join(' UNION ALL '))
  return Object.fromEntries(rows.map((table) => [table.name, table.rows]))
}

async function nextIds(db: Database): Promise<Record<string, number>> {
  const { rows: names } = await db.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' ORDER BY 1`,
  )
  const next: Record<string, number> = {}
  for (const { name } of names) {
    const { rows } = await db.pool.query<{ next: number }>('SELECT nextval($1::regclass) AS next', [name])
    next[name] = rows[0]?.next ?? 0
  }
  return next
}
