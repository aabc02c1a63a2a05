// npm test leaves this out: it makes a database of an older schema with 16,384 monitors (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOlderDatabase } from '../../../support/postgres/older-database.ts'

test('monitors of the many slots there were are in one of those there are, as evenly as before', async (t) => {
  const { db, bringForward } = await openOlderDatabase(t, '012')
  await db.pool.query(`
    INSERT INTO teams (name, plan, signing_secret) VALUES ('Ops', 'business', '');
    INSERT INTO monitors (team_id, name, type, is_active, check_interval_minutes, http_method, expected_status_codes,
                          request_timeout_seconds, ssl_expiry_warning_days, slot)
      SELECT t.id, n, 'http', true, 1, 'GET', '{200}', 30, 14, n FROM teams t, generate_series(0, 16383) AS n`)
  await bringForward()
  const { rows } = await db.pool.query(`
    SELECT count(*) AS slots, min(of_slot) AS fewest, max(of_slot) AS most
    FROM (SELECT count(*) AS of_slot FROM monitors GROUP BY slot) AS counted`)
  assert.deepEqual(rows, [{ slots: 2048, fewest: 8, most: 8 }])
  await assert.rejects(db.pool.query('UPDATE monitors SET slot = 2048'), /monitors_slot/)
})
