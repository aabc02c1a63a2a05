import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOlderDatabase } from '../support/postgres/older-database.ts'

test('monitors that are there already get a badge each, which no other monitor can have', async (t) => {
  const { db, bringForward } = await openOlderDatabase(t, '010')
  await db.pool.query(`
    INSERT INTO teams (name, plan, signing_secret) VALUES ('Ops', 'business', '');
    INSERT INTO monitors (team_id, name, type, is_active, check_interval_minutes, http_method, expected_status_codes,
                          request_timeout_seconds, ssl_expiry_warning_days, slot)
      SELECT t.id, n, 'http', true, 1, 'GET', '{200}', 30, 14, 0 FROM teams t, generate_series(1, 100) AS n`)
  await bringForward()
  const { rows } = await db.pool.query('SELECT count(DISTINCT badge_id) AS badges FROM monitors')
  assert.deepEqual(rows, [{ badges: 100 }])
  await assert.rejects(
    db.pool.query('UPDATE monitors SET badge_id = (SELECT badge_id FROM monitors LIMIT 1)'),
    /monitors_badge/,
  )
})
