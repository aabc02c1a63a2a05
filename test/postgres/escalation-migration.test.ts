import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOlderDatabase } from '../support/postgres/older-database.ts'

test('alerts that were sent before are first alerts, which no second one may double', async (t) => {
  const { db, bringForward } = await openOlderDatabase(t, '044')
  await db.pool.query(`
    INSERT INTO teams (name, plan, signing_secret) VALUES ('Ops', 'business', '');
    INSERT INTO contacts (team_id, name, type, config, notify_on_down, notify_on_recovery)
      SELECT id, 'Ada', 'webhook', '', true, true FROM teams;
    INSERT INTO servers (team_id, name, is_active, thresholds, token, token_hash)
      SELECT id, 'db1', true, '{}', '', '\\x00' FROM teams;
    INSERT INTO server_incidents (team_id, server_id, condition, warns_only, started_at, cause)
      SELECT team_id, id, 'silent', false, now(), 'silent' FROM servers`)
  const deliver = (step: string) => `
    INSERT INTO deliveries (team_id, contact_id, contact_name, contact_type, server_id, server_incident_id, event, alert ${step && ', step'})
      SELECT c.team_id, c.id, c.name, c.type, i.server_id, i.id, 'server.down', '{}' ${step} FROM contacts c, server_incidents i`
  await db.pool.query(deliver(''))
  await bringForward()
  const { rows } = await db.pool.query('SELECT step, reminder_minutes FROM deliveries, teams')
  assert.deepEqual(rows, [{ step: 0, reminder_minutes: null }])
  const again = (step: number) =>
    db.pool.query(
      `INSERT INTO deliveries (team_id, contact_id, contact_name, contact_type, kind, subject_id, team_incident_id, event, alert, step)
       SELECT team_id, contact_id, contact_name, contact_type, kind, subject_id, team_incident_id, event, alert, $1
       FROM deliveries WHERE step = 0`,
      [step],
    )
  await assert.rejects(again(0), /deliveries_once/)
  await again(7)
  await assert.rejects(again(7), /deliveries_once/)
})
