import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retainGrants } from '../../../src/engine/history/retain-grants.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'

const NOW = new Date('2026-11-21T12:00:00Z')

test('grants that programs no longer use go after their time, and nothing else', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  await db.pool.query(`
    INSERT INTO users (email, name) VALUES ('a@example.com', 'Ada');
    INSERT INTO teams (name, plan, signing_secret) VALUES ('T', 'pro', 's');
    INSERT INTO oauth_clients (id, name, redirect_uris, created_at, last_used_at) VALUES
      ('new', 'x', '{}', '2026-11-20', NULL), ('never used', 'x', '{}', '2026-11-13', NULL),
      ('used', 'x', '{}', '2025-01-01', '2026-09-01'), ('used long ago', 'x', '{}', '2025-01-01', '2026-08-01');
    INSERT INTO tokens (team_id, user_id, name, token_hash, ending, resource, client_id, expires_at, revoked_at)
      SELECT t.id, u.id, k.name, k.name::bytea, 'aaaa', resource, client, ends, revoked FROM teams t, users u,
        (VALUES ('made by hand', NULL, NULL, '2020-01-01'::timestamptz, NULL::timestamptz),
                ('good', 'mcp', 'used', '2026-12-01', NULL), ('of a program that is gone', 'mcp', 'used long ago', '2026-11-01', NULL),
                ('expired', 'mcp', 'used', '2026-10-21', NULL), ('revoked', 'api', 'used', '2026-12-01', '2026-10-01')
        ) AS k (name, resource, client, ends, revoked);
    INSERT INTO oauth_refresh_tokens SELECT r.name::bytea, k.id, ends, ends FROM tokens k,
        (VALUES ('last month', '2026-10-01'::timestamptz), ('this month', '2026-11-10')) AS r (name, ends)
        WHERE k.name = 'good';
    INSERT INTO oauth_codes SELECT c.name::bytea, 'used', u.id, t.id, 'x', 'x', 'mcp', 'read', c.ends FROM users u, teams t,
        (VALUES ('old', '2026-11-20T11:59Z'::timestamptz), ('fresh', '2026-11-21T11:59Z')) AS c (name, ends)`)

  for await (const _ of retainGrants({ db, now: () => NOW }));

  const left = async (text: string) =>
    (await db.pool.query<{ name: string }>(text)).rows.map(({ name }) => name)
  assert.deepEqual(await left('SELECT id AS name FROM oauth_clients ORDER BY 1'), ['new', 'used'])
  assert.deepEqual(await left('SELECT name FROM tokens ORDER BY id'), [
    'made by hand',
    'good',
    'of a program that is gone',
  ])
  assert.deepEqual(await left(`SELECT convert_from(token_hash, 'UTF8') AS name FROM oauth_refresh_tokens`), [
    'this month',
  ])
  assert.deepEqual(await left(`SELECT convert_from(code_hash, 'UTF8') AS name FROM oauth_codes`), ['fresh'])
})
