import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOlderDatabase } from '../support/postgres/older-database.ts'

test('monitors that are there already get what is known of their status and pauses', async (t) => {
  const { db, bringForward } = await openOlderDatabase(t, '006')
  await db.pool.query(`
    INSERT INTO teams (name, plan, signing_secret) VALUES ('Ops', 'business', '');
    INSERT INTO monitors (team_id, name, type, is_active, check_interval_minutes, http_method, expected_status_codes,
                          request_timeout_seconds, ssl_expiry_warning_days, slot, created_at, changed_at)
      SELECT t.id, n, 'http', n <> 'paused', 1, 'GET', '{200}', 30, 14, 0, '2027-01-01Z', '2027-01-05Z'
      FROM teams t, unnest('{down,recovered,new,paused}'::text[]) AS n;
    INSERT INTO incidents (team_id, monitor_id, started_at, resolved_at)
      SELECT team_id, id, '2027-01-02Z', '2027-01-03Z' FROM monitors WHERE name IN ('down', 'recovered');
    INSERT INTO incidents (team_id, monitor_id, started_at)
      SELECT team_id, id, '2027-01-04Z' FROM monitors WHERE name = 'down';
    INSERT INTO monitor_state (monitor_id, open_incident_id)
      SELECT m.id, i.id FROM monitors m LEFT JOIN incidents i ON i.monitor_id = m.id AND i.resolved_at IS NULL`)
  await bringForward()
  const { rows } = await db.pool.query(
    `SELECT m.name, s.status_since AS since, p.paused_at, p.resumed_at FROM monitors m
     JOIN monitor_state s ON s.monitor_id = m.id LEFT JOIN monitor_pauses p ON p.monitor_id = m.id ORDER BY m.id`,
  )
  const row = (name: string, since: string, pausedAt: string | null = null) => ({
    name,
    since: new Date(since),
    paused_at: pausedAt && new Date(pausedAt),
    resumed_at: null,
  })
  assert.deepEqual(rows, [
    row('down', '2027-01-04Z'),
    row('recovered', '2027-01-03Z'),
    row('new', '2027-01-01Z'),
    row('paused', '2027-01-01Z', '2027-01-05Z'),
  ])
})
