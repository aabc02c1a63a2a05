import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readWaiting } from '../../../src/store/probing/schedule.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'

it('what waits for a check is what has had none, or none since it was asked for', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  await db.pool.query(`
    INSERT INTO teams (name, plan, signing_secret) VALUES ('Acme', 'business', '');
    INSERT INTO probers (region, host, pid, expires_at) VALUES ('', 'here', 1, now() + interval '1 hour');
    INSERT INTO slots (region, slot, holder) SELECT '', slot, p.id FROM probers p, generate_series(0, 1) AS slot;
    INSERT INTO monitors (team_id, name, type, url, is_active, check_interval_minutes, http_method,
                          expected_status_codes, request_timeout_seconds, ssl_expiry_warning_days, slot)
      SELECT t.id, given, 'http', 'http://127.0.0.1/', given <> 'paused', 1, 'GET', '{200}', 30, 14, (given = 'elsewhere')::int
      FROM teams t, unnest('{checked,new,asked,answered,paused,elsewhere}'::text[]) AS given;
    INSERT INTO monitor_state (monitor_id, revision, last_checked_at)
      SELECT id, revision, CASE WHEN name IN ('checked', 'asked', 'answered') THEN now() END FROM monitors;
    UPDATE monitors SET check_requested_at = now() + interval '1 second' WHERE name = 'asked';
    UPDATE monitors SET check_requested_at = now() - interval '1 second' WHERE name = 'answered'`)
  const { rows } = await db.pool.query<{ id: number; name: string }>('SELECT id, name FROM monitors')
  const { rows: members } = await db.pool.query<{ id: number }>('SELECT id FROM probers')
  const waiting = await readWaiting(db, { holder: members[0]?.id as number, slots: [0] })
  const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
  assert.deepEqual(waiting.map(({ id }) => nameOf.get(id)).toSorted(), ['asked', 'new'])
})
