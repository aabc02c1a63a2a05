import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Alert, testAlert } from '../../../src/core/alerting/alert.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { readPhone } from '../../../src/store/accounts/phones.ts'
import { changePerson } from '../../../src/store/accounts/users.ts'
import { openAlert } from '../../../src/store/alerting/stored-alert.ts'
import { findMonitor, insertMonitor } from '../../../src/store/monitors/monitors.ts'
import { membersWithPhone } from '../../../src/store/on-call/phones.ts'
import { hideStored } from '../../../src/store/sealing/hide-stored.ts'
import { openHiding } from '../../../src/store/sealing/hiding.ts'
import { resealStale } from '../../../src/store/sealing/reseal.ts'
import { Vault } from '../../../src/store/sealing/vault.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { PLAIN_SETTINGS } from '../../support/monitor-settings.ts'
import { openTestDatabase, TEST_SECRET } from '../../support/postgres/database.ts'
import { openOlderDatabase } from '../../support/postgres/older-database.ts'
import { addDeliveries } from '../../support/records/alerting.ts'
import { addIncident } from '../../support/records/history.ts'
import { addProber } from '../../support/records/probing.ts'
import { addRow, changeRows, storedText } from '../../support/records/rows.ts'
import { addPerson, addTeam } from '../../support/records/teams.ts'

const URL = 'https://shop.example/search?k=kEy4711&q=tea'
const PLAIN = 'https://shop.example/search'
const PHONE = '+15558675310'
const SECRETS = /kEy4711|15558675310/
const UNANNOUNCED = { heartbeatDueMs: null, announces: false }
/** As in a process that may not hide anything yet. */
const BEFORE = new Vault(TEST_SECRET, [], { from: new Date(0), now: () => new Date(), hides: () => false })

/** A person with a number and a monitor with a query, as a vault stores them. */
async function store(db: Database, vault: Vault) {
  const teamId = await addTeam(db)
  const userId = await addPerson(db, {}, { teamId })
  await changePerson(db.query, vault, userId, { phone: PHONE })
  const settings = { ...PLAIN_SETTINGS, name: 'Shop', type: 'http' as const, url: URL, heartbeat_token: null }
  const { id } = await insertMonitor(db.query, vault, teamId, settings, UNANNOUNCED)
  return { teamId, userId, id }
}

async function read(db: Database, vault: Vault, { teamId, userId, id }: Awaited<ReturnType<typeof store>>) {
  return [
    (await findMonitor(db.query, vault, teamId, id))?.url,
    await readPhone(db.query, vault, userId),
    (await membersWithPhone(db.query, vault, teamId)).get(userId)?.phone,
  ]
}

async function open(t: TestContext) {
  const { db, vault, close } = await openTestDatabase()
  t.after(close)
  return { db, vault }
}

test('what an older release stored in the clear is sealed in place, and read as before', async (t) => {
  const { db, vault } = await open(t)
  const stored = await store(db, BEFORE)
  assert.match(await storedText(db, 'monitors'), SECRETS)
  assert.match(await storedText(db, 'users'), SECRETS)
  assert.deepEqual(await read(db, BEFORE, stored), [URL, PHONE, PHONE])
  assert.equal(await hideStored(db, BEFORE), 0, 'not before its time')
  assert.equal(await hideStored(db, vault), 2)
  assert.doesNotMatch(await storedText(db, 'monitors', 'users'), SECRETS)
  assert.deepEqual(await read(db, vault, stored), [URL, PHONE, PHONE])
  assert.equal(await hideStored(db, vault), 0, 'a second time there is nothing to do')
})

test('from then on nothing is written in the clear', async (t) => {
  const { db, vault } = await open(t)
  const stored = await store(db, vault)
  assert.doesNotMatch(await storedText(db, 'monitors', 'users'), SECRETS)
  assert.deepEqual(await read(db, vault, stored), [URL, PHONE, PHONE])
  await changePerson(db.query, vault, stored.userId, { phone: null })
  assert.equal(await readPhone(db.query, vault, stored.userId), null)
})

test('an address that a process of the release before wrote since is the one that counts', async (t) => {
  const { db, vault } = await open(t)
  const stored = await store(db, vault)
  for (const url of ['https://shop.example/other', `${PLAIN}?k=2`, 'https://else.example/search?q=1']) {
    await changeRows(db, 'monitors', { id: stored.id }, { url })
    assert.equal((await read(db, vault, stored))[0], url)
  }
  await changeRows(db, 'monitors', { id: stored.id }, { url: PLAIN })
  assert.equal((await read(db, vault, stored))[0], URL, 'one that it read and wrote back is none')
  await changeRows(db, 'users', { id: stored.userId }, { phone: '+441632960961' })
  assert.equal((await read(db, vault, stored))[1], '+441632960961')
})

test('alerts keep the target as it was, sealed, also over a rotation of the key', async (t) => {
  const { db, vault } = await open(t)
  const { teamId, id } = await store(db, BEFORE)
  const about: Alert = {
    ...testAlert({ id: teamId, name: 'Acme' }, '2026-11-28T12:00:00.000000Z'),
    ...{ event: 'monitor.down', type: 'monitor', id, target: URL },
  }
  const site: Alert = { ...about, event: 'site.down', type: 'site', target: 'https://shop.example/?page=1' }
  const columns = { team_id: teamId, event: 'monitor.down' as const, alert: JSON.stringify(about) }
  await addDeliveries(db, [columns, { ...columns, alert: JSON.stringify(site) }, { ...columns, alert: '{}' }])
  const team_incident_id = await addIncident(db, { team_id: teamId, monitor_id: id })
  await addRow(db, 'escalations', {
    ...{
      team_id: teamId,
      kind: 'monitor',
      team_incident_id,
      alert: JSON.stringify(about),
      runs_from: new Date(),
    },
    ...{ steps: '[]', repeats: 0, repeat_every_minutes: 60 },
  })
  await addRow(db, 'flaps', {
    ...{ kind: 'monitor', subject_id: id, about: '', team_id: teamId, team_incident_id, changes: 4 },
    ...{ alert: JSON.stringify(about), since: new Date(), look_at: new Date() },
  })
  await hideStored(db, vault)
  assert.doesNotMatch(await storedText(db, 'deliveries', 'escalations', 'flaps'), SECRETS)
  const rotating = new Vault('another key', [TEST_SECRET])
  await resealStale(db, rotating).catch((error) => assert.match(error.message, /none of the keys/))
  const { rows } = await db.pool.query(
    `(SELECT alert FROM deliveries WHERE alert <> '{}' ORDER BY id) UNION ALL SELECT alert FROM escalations
     UNION ALL SELECT alert FROM flaps`,
  )
  const [first, ofSite, escalated, waiting] = rows.map(({ alert }) =>
    openAlert(alert, new Vault('another key')),
  )
  assert.deepEqual([first, ofSite, escalated, waiting], [about, site, about, about])
  const lost = openAlert(rows[0].alert, new Vault('a lost key'))
  assert.equal(lost.target, PLAIN, 'an alert goes out without the query rather than not at all')
})

test('it begins a day after an upgrade, once no process that checks is of the release before', async (t) => {
  const { db, bringForward } = await openOlderDatabase(t, '054')
  await addRow(db, 'users', { email: 'ada@example.com', name: 'Ada' })
  await bringForward()
  const hiding = await openHiding(db)
  assert.equal(hiding.begun, false)
  await db.pool.query(`UPDATE sealing SET hides_from = hides_from - interval '1 day'`)
  const older = await addProber(db, { expires_at: new Date(Date.now() + HANG_GUARD_MS) })
  assert.equal(await hiding.look(), false)
  await changeRows(db, 'probers', { id: older }, { expires_at: new Date(0) })
  await addProber(db, { expires_at: new Date(Date.now() + HANG_GUARD_MS), opens_addresses: true })
  assert.equal(await hiding.look(), true)
  assert.equal(hiding.begun, true)
})

test('it begins at once in a database that was empty, and in one that was restored', async (t) => {
  const { db } = await open(t)
  assert.equal((await openHiding(db)).begun, true)
  await db.pool.query('DELETE FROM sealing')
  assert.equal((await openHiding(db)).begun, true)
  const older = await openOlderDatabase(t, '054')
  await addRow(older.db, 'users', { email: 'ada@example.com', name: 'Ada' })
  await older.db.pool.query('DELETE FROM sealing')
  await older.bringForward()
  assert.equal((await openHiding(older.db)).begun, false, 'an upgrade after a restore waits like any other')
})

test('it is looked for once, and not at each start after that', async (t) => {
  const { db } = await open(t)
  const hiding = await openHiding(db)
  assert.equal(hiding.completed, false)
  await hiding.complete()
  const later = await openHiding(db)
  assert.deepEqual([hiding.completed, later.completed, later.begun], [true, true, true])
})
