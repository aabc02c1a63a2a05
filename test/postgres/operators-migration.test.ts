import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOlderDatabase } from '../support/postgres/older-database.ts'

test('the oldest account of an installation that is there is its operator, and lines of the log stay', async (t) => {
  const { db, bringForward } = await openOlderDatabase(t, '018')
  await db.pool.query(`
    INSERT INTO users (email, name, created_at)
      VALUES ('second@example.com', 'Second', '2026-11-02Z'), ('first@example.com', 'First', '2026-11-01Z'),
             ('third@example.com', 'Third', '2026-11-03Z');
    INSERT INTO teams (name, plan, signing_secret) VALUES ('Ops', 'business', '');
    INSERT INTO members (team_id, user_id, role) SELECT 1, id, 'owner' FROM users;
    INSERT INTO audit_entries (team_id, at, user_id, actor_name, door, action, fields)
      VALUES (1, now(), 3, 'Third', 'dashboard', 'createTeam', '{name}')`)
  await bringForward()
  const users = await db.pool.query('SELECT name, is_operator, disabled_at FROM users ORDER BY created_at')
  assert.deepEqual(users.rows, [
    { name: 'First', is_operator: true, disabled_at: null },
    { name: 'Second', is_operator: false, disabled_at: null },
    { name: 'Third', is_operator: false, disabled_at: null },
  ])
  await db.pool.query('DELETE FROM users WHERE id = 3')
  assert.deepEqual((await db.pool.query('SELECT user_id FROM audit_entries')).rows, [{ user_id: 3 }])
})
