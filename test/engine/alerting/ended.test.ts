import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { insertContact } from '../../../src/store/alerting/contacts.ts'
import { findEnded } from '../../../src/store/alerting/ended.ts'
import { insertTeam } from '../../../src/store/teams/teams.ts'
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { DOWN } from '../../support/servers/receivers-alert.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

type Told = 'alone' | 'in group' | 'in group, two hours ago'

/** Incidents that one contact was told so; the first of a group leads it. */
async function world(...told: Told[]) {
  const { db, vault } = database
  const teamId = await insertTeam(db.query, vault, { name: 'Acme', plan: 'business', signingSecret: '' })
  const contactId = await insertContact(db.query, vault, teamId, {
    name: 'Phone',
    type: 'pushover',
    config: { app_token: 'a'.repeat(30), user_key: 'u'.repeat(30) },
    notify_on_down: true,
    notify_on_recovery: true,
  })
  const group = crypto.randomUUID()
  const ids: number[] = []
  for (const how of told) {
    const monitor = await addMonitor(db, { team_id: teamId })
    const { rows } = await db.pool.query(
      `INSERT INTO team_incidents (kind, team_id, subject_id, started_at, cause)
       VALUES ('monitor', $1, $2, now(), 'HTTP 503') RETURNING id`,
      [teamId, monitor.id],
    )
    ids.push(rows[0].id)
    await db.pool.query(
      `INSERT INTO deliveries (team_id, event, alert, contact_id, contact_name, contact_type, kind, subject_id, team_incident_id,
         state, digest, finished_at)
       VALUES ($1, 'monitor.down', $2, $3, 'Phone', 'pushover', 'monitor', $4, $5, 'sent', $6, now() - $7 * interval '1 minute')`,
      [
        ...[teamId, JSON.stringify(DOWN), contactId, monitor.id, rows[0].id],
        ...[how === 'alone' ? null : group, how.endsWith('ago') ? 121 : 0],
      ],
    )
  }
  return {
    group,
    ids,
    ended: (...some: (number | undefined)[]) =>
      findEnded(
        db,
        contactId,
        some.map((id) => ({ type: 'monitor' as const, id: id ?? 0 })),
      ),
    resolve: (id: number | undefined) =>
      db.pool.query('UPDATE team_incidents SET resolved_at = now() WHERE id = $1', [id]),
    acknowledge: (id: number | undefined) =>
      db.pool.query(
        `INSERT INTO acknowledgements (team_id, kind, team_incident_id, via, contact_id, acknowledged_at)
         VALUES ($1, 'monitor', $2, 'link', $3, now())`,
        [teamId, id, contactId],
      ),
  }
}

describe('what a contact need not be called for any more', () => {
  it('is an incident that it was told alone', async () => {
    const { ids, ended } = await world('alone')
    const [only] = ids
    assert.deepEqual(await ended(only), { incidents: [{ type: 'monitor', id: only }], groups: [] })
  })

  it('is a group once each of its incidents ended or is somebody’s', async () => {
    const { ids, ended, group, resolve, acknowledge } = await world('in group', 'in group', 'in group')
    const [first, second, third] = ids
    await acknowledge(first)
    assert.deepEqual((await ended(first)).groups, [])
    await resolve(second)
    assert.deepEqual((await ended(second)).groups, [])
    await acknowledge(third)
    assert.deepEqual((await ended(third)).groups, [group])
    assert.deepEqual((await ended(first, second, third)).groups, [group])
  })

  it('is nothing that was told hours ago, when nothing repeats it any more', async () => {
    const { ids, ended, resolve } = await world('in group, two hours ago')
    await resolve(ids[0])
    assert.deepEqual(await ended(ids[0]), { incidents: [], groups: [] })
  })
})
