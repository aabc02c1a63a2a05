// npm test leaves this out: it seals every secret column of a whole team anew (seconds of a core).
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { MaintenanceWindow } from '../../../src/core/maintenance/window.ts'
import type { MonitorSettings } from '../../../src/core/monitors/monitor.ts'
import { SECRET_SETTINGS, type SecretSetting } from '../../../src/core/monitors/secret-settings.ts'
import { ServerSettings } from '../../../src/core/servers/server.ts'
import { type Database, inTransaction } from '../../../src/postgres/database.ts'
import { insertLetter, openLetter, queuedLetters } from '../../../src/store/accounts/letters.ts'
import { claimMailTest, insertMailTest } from '../../../src/store/accounts/mail-tests.ts'
import { readPhone } from '../../../src/store/accounts/phones.ts'
import { readSavedSettings, saveSettings } from '../../../src/store/accounts/service-settings.ts'
import { changePerson, insertUser } from '../../../src/store/accounts/users.ts'
import { findContact, insertContact, updateContact } from '../../../src/store/alerting/contacts.ts'
import { readOrCreatePushKeys } from '../../../src/store/alerting/push-keys.ts'
import { insertWindow } from '../../../src/store/maintenance/windows.ts'
import { findMonitor, insertMonitor } from '../../../src/store/monitors/monitors.ts'
import { insertSchedule } from '../../../src/store/on-call/schedules.ts'
import { leaveProbers } from '../../../src/store/probing/memberships.ts'
import { createTrialClaims, insertTrial } from '../../../src/store/probing/trials.ts'
import {
  findRecipientByAddress,
  insertRecipient,
  listRecipients,
} from '../../../src/store/reports/recipients.ts'
import { insertReport } from '../../../src/store/reports/saved-reports.ts'
import { resealStale } from '../../../src/store/sealing/reseal.ts'
import { readSecret, replaceSecret, type SecretAddress } from '../../../src/store/sealing/secret-addresses.ts'
import { Vault } from '../../../src/store/sealing/vault.ts'
import { insertServer } from '../../../src/store/servers/server-changes.ts'
import { insertAuthenticator, lockAuthenticator } from '../../../src/store/sign-in/authenticators.ts'
import { openSubscriber } from '../../../src/store/status-pages/subscribers.ts'
import { insertTeam, readSigningSecret } from '../../../src/store/teams/teams.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { PLAIN_SETTINGS } from '../../support/monitor-settings.ts'
import { openTestDatabase, someoneWaits } from '../../support/postgres/database.ts'
import { encryptedColumns } from '../../support/postgres/encrypted-columns.ts'
import { addContacts } from '../../support/records/alerting.ts'
import { PASSPHRASE } from '../../support/records/invented-option.ts'
import { addProber } from '../../support/records/probing.ts'
import { changeRows } from '../../support/records/rows.ts'
import { addStatusPage, addSubscriber } from '../../support/records/status-pages.ts'
import { settingsFor } from '../../support/servers/targets-settings.ts'
import { until } from '../../support/until.ts'

const OLD = new Vault('the old secret')
const ROTATING = new Vault('the new secret', ['the old secret'])
const NEW = new Vault('the new secret')

const SECRETS = {
  signingSecret: 'whsec_c2VjcmV0',
  config: { webhook_url: 'https://hooks.example.com/T1/B2' },
  totpSecret: 'JBSWY3DPEHPK3PXP',
  letter: {
    to: 'ann@example.com',
    title: 'Hello',
    text: '',
    link: 'https://up.example.com/set-password/hunter2',
  },
  ...settingsWith('hunter2'),
  url: 'https://ops.example.com/nightly?key=hunter2',
  options: { [PASSPHRASE]: 'hunter2' } as MonitorSettings['options'],
  phone: '+15558675310',
  heartbeat_token: '0e0e8f9a-9d5c-4d0e-8f6e-6a3a3b1c2d3e',
  switchToken: '5d0c6c1e-2b7f-4a53-9a0e-6a2f2d0f7a11',
  calendarToken: 'b1f1f4f3-6f0b-4d11-8f57-2d5a3c9f1e22',
  scheduleToken: '2d9b7c41-8a5e-4c3f-b6d0-1e4f5a6b7c88',
  feedToken: '7c7a1f52-41d4-4a0e-9f0b-0b4f2f7a9d33',
  serverToken: '3f7d2a18-5c1e-4f6b-9d20-8a4b6c7d1e55',
  trial: settingsFor('http', { password: 'hunter2' }),
  smtpUrl: 'smtp://robot:hunter2@mail.example.com:587',
  mailTest: {
    smtpUrl: 'smtp://robot:hunter3@mail.example.com:587',
    ...{ from: 'upbeat@example.com', to: 'ann@example.com', language: 'en' as const },
  },
  subscriber: { address: 'ann@example.org', token: 'e0b6f4a9-0c5b-4b1c-8a43-5f1f2d3c4b5a' },
  recipient: { address: 'bob@example.org', token: '1b0c2f64-7d3e-4f5a-8b6c-9d0e1f2a3b4c' },
}
const SETTINGS = Object.keys(SECRET_SETTINGS) as SecretSetting[]
/**
 * Secrets of teams (two), switches, pages, subscribers (two), recipients of reports (two), schedules, contacts, push services,
 * phones, authenticators and letters, the settings, options, tokens of heartbeats and servers, addresses, a test of settings, the mail server and a test of it.
 */
const COUNT = 16 + SETTINGS.length + 5

/** Every secret setting of a monitor. */
function settingsWith(secret: string) {
  const settings = Object.entries(SECRET_SETTINGS)
  return Object.fromEntries(
    settings.map(([name, masked]) => [name, masked === 'whole' ? secret : { 'X-Key': secret }]),
  ) as unknown as Pick<MonitorSettings, SecretSetting>
}

const UNANNOUNCED = { heartbeatDueMs: null, announces: false }

test('after a rotation the new key alone opens every stored secret', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const ids = await storeSecrets(db, OLD)
  const withoutSecrets = { ...MONITOR, heartbeat_token: null }
  const { id: bare } = await insertMonitor(db.query, OLD, ids.team, withoutSecrets, UNANNOUNCED)
  const notes: string[] = []
  assert.equal(await resealStale(db, ROTATING, (progress) => notes.push(progress)), COUNT)
  assert.deepEqual(notes, [
    'teams.signing_secret: 1 sealed with the current key',
    'teams.calendar_token: 1 sealed with the current key',
    'maintenance_windows.token: 1 sealed with the current key',
    'status_pages.feed_token: 1 sealed with the current key',
    'status_subscribers.address: 1 sealed with the current key',
    'status_subscribers.token: 1 sealed with the current key',
    'report_recipients.address: 1 sealed with the current key',
    'report_recipients.token: 1 sealed with the current key',
    'schedules.token: 1 sealed with the current key',
    'contacts.config: 1 sealed with the current key',
    'push_keys.private_key: 1 sealed with the current key',
    'users.sealed_phone: 1 sealed with the current key',
    'authenticators.secret: 1 sealed with the current key',
    'letters.content: 1 sealed with the current key',
    'service_settings.smtp_url: 1 sealed with the current key',
    'mail_tests.settings: 1 sealed with the current key',
    ...SETTINGS.map((name) => `monitors.${name}: 1 sealed with the current key`),
    'monitors.heartbeat_token: 1 sealed with the current key',
    'monitors.sealed_url: 1 sealed with the current key',
    'monitors.sealed_options: 1 sealed with the current key',
    'servers.token: 1 sealed with the current key',
    'trial_checks.settings: 1 sealed with the current key',
  ])
  assert.deepEqual(await readSecrets(db, NEW, ids), SECRETS)
  assert.equal(
    (await findMonitor(db.query, NEW, ids.team, bare))?.password,
    null,
    'what is unset stays unset',
  )
  assert.equal(await resealStale(db, ROTATING), 0, 'a second time there is nothing to do')
})

test('a value sealed by an older release is bound to its row, and opens in no other any more', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const never = { from: new Date('2100-01-01'), now: () => new Date(), hides: () => true }
  const [before, after] = [new Vault('the old secret', [], never), OLD]
  const ids = await storeSecrets(db, before)
  assert.deepEqual(await readSecrets(db, after, ids), SECRETS, 'it opens as it is')
  assert.equal(await resealStale(db, before), 0, 'nothing is bound before the day')
  await changeRows(db, 'letters', {}, { claimed_by: null, claimed_until: null })
  assert.equal(await resealStale(db, after), COUNT)
  assert.deepEqual(await readSecrets(db, after, ids), SECRETS)
  assert.equal(await resealStale(db, after), 0)

  const others = await storeSecrets(db, after, randomUUID())
  const mine = (table: string, column: string, key: string, own: number, other: number) =>
    db.pool.query(
      `UPDATE ${table} SET ${column} = (SELECT ${column} FROM ${table} WHERE ${key} = $2) WHERE ${key} = $1`,
      [own, other],
    )
  const unreadable = /unable to authenticate data/
  const secretOf = (teamId: number, address: SecretAddress, id: number) =>
    readSecret(db.query, after, address, { teamId, id })
  await mine('contacts', 'config', 'id', others.contact, ids.contact)
  await assert.rejects(findContact(db.query, after, others.team, others.contact), unreadable)
  await mine('teams', 'signing_secret', 'id', others.team, ids.team)
  await assert.rejects(readSigningSecret(db.query, after, others.team), unreadable)
  await mine('teams', 'calendar_token', 'id', others.team, ids.team)
  await assert.rejects(secretOf(others.team, 'windowsCalendar', others.team), unreadable)
  await mine('maintenance_windows', 'token', 'id', others.window, ids.window)
  await assert.rejects(secretOf(others.team, 'switch', others.window), unreadable)
  await mine('schedules', 'token', 'id', others.schedule, ids.schedule)
  await assert.rejects(secretOf(others.team, 'scheduleCalendar', others.schedule), unreadable)
  await mine('status_pages', 'feed_token', 'id', others.page, ids.page)
  await assert.rejects(secretOf(others.team, 'pageFeed', others.page), unreadable)
  await mine('servers', 'token', 'id', others.server, ids.server)
  await assert.rejects(secretOf(others.team, 'server', others.server), unreadable)
  for (const column of ['address', 'token']) {
    const { subscriber, team } = await storeSecrets(db, after, randomUUID())
    await mine('status_subscribers', column, 'id', subscriber, ids.subscriber)
    await assert.rejects(openSubscriber(db.query, after, team, subscriber), unreadable, column)
  }
  for (const column of ['address', 'token']) {
    const { recipient, report } = await storeSecrets(db, after, randomUUID())
    await mine('report_recipients', column, 'id', recipient, ids.recipient)
    const reading = readRecipientSecrets(db, after, report)
    await assert.rejects(reading, unreadable, column)
  }
  await mine('authenticators', 'secret', 'user_id', others.user, ids.user)
  await assert.rejects(lockAuthenticator(db.query, after, others.user), unreadable)
  for (const column of [...SETTINGS, 'sealed_options', 'heartbeat_token']) {
    const { monitor, team } = await storeSecrets(db, after, randomUUID())
    await mine('monitors', column, 'id', monitor, ids.monitor)
    await assert.rejects(findMonitor(db.query, after, team, monitor), unreadable, column)
  }
  const { rows } = await db.pool.query('SELECT content, message_id AS "messageId" FROM letters ORDER BY id')
  assert.throws(() => openLetter(after, { ...rows[0], messageId: rows[1].messageId }), unreadable)
})

test('every column that the migrations call encrypted is resealed', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  await storeSecrets(db, OLD)
  const notes: string[] = []
  await resealStale(db, ROTATING, (progress) => notes.push(progress))
  const resealed = notes.map((note) => note.split(':')[0])
  assert.deepEqual(resealed.sort(), (await encryptedColumns()).sort())
  for (const setting of Object.keys(SECRET_SETTINGS))
    assert.ok(resealed.includes(`monitors.${setting}`), setting)
})

test('more rows than one batch holds are all done', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const { team } = await storeSecrets(db, ROTATING)
  const sealed = OLD.seal(JSON.stringify(SECRETS.config), 'contacts.config', null)
  const contact = { team_id: team, type: 'slack' as const, config: sealed }
  await addContacts(
    db,
    Array.from({ length: 1_201 }, () => contact),
  )
  assert.equal(await resealStale(db, ROTATING), 1_201)
  const { rows } = await db.pool.query('SELECT FROM contacts WHERE NOT starts_with(config, $1)', [
    NEW.currentPrefixes[0],
  ])
  assert.equal(rows.length, 0)
})

test('values that no key opens are counted in the error, and the others are done all the same', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const lost = new Vault('a lost secret')
  await insertTeam(db.query, lost, { name: 'Lost', plan: 'free', signingSecret: 'whsec_bG9zdA' })
  const ids = await storeSecrets(db, OLD)
  await insertContact(db.query, lost, ids.team, CONTACT)
  const swapped = OLD.seal('{}', 'monitors.password', null)
  await changeRows(db, 'monitors', {}, { request_headers: swapped })
  await assert.rejects(resealStale(db, ROTATING), {
    message:
      `3 stored secrets open with none of the keys (${COUNT - 1} others were sealed anew): add the key that sealed them to ` +
      'SECRET_KEY_PREVIOUS and start again, or enter these secrets anew',
  })
  const team = await readSigningSecret(db.query, NEW, ids.team)
  assert.equal(team, SECRETS.signingSecret)
  const { rows } = await db.pool.query('SELECT request_headers FROM monitors')
  assert.deepEqual(rows, [{ request_headers: swapped }])
})

test('a secret that is changed meanwhile keeps its new value', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const ids = await storeSecrets(db, OLD)
  const config = { webhook_url: 'https://hooks.example.com/changed' }
  const resealed = await inTransaction(db.pool, async (client) => {
    const sealed = OLD.seal(JSON.stringify(config), 'contacts.config', null)
    await client.query('UPDATE contacts SET config = $1', [sealed])
    const resealing = resealStale(db, ROTATING)
    await until('resealing waits for the change', () => someoneWaits(db))
    return { resealing }
  })
  assert.equal(await resealed.resealing, COUNT - 1)
  assert.deepEqual((await findContact(db.query, ROTATING, ids.team, ids.contact))?.config, config)
  await updateContact(db.query, ROTATING, ids.team, ids.contact, { name: 'Renamed' })
  assert.equal(await resealStale(db, ROTATING), 1, 'the next time it is done')
})

test('two processes that do it at the same time share the work', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const { team } = await storeSecrets(db, OLD)
  const sealed = OLD.seal(JSON.stringify(SECRETS.config), 'contacts.config', null)
  const contact = { team_id: team, type: 'slack' as const, config: sealed }
  await addContacts(
    db,
    Array.from({ length: 900 }, () => contact),
  )
  const counts = await Promise.all([resealStale(db, ROTATING), resealStale(db, ROTATING)])
  assert.equal(counts[0] + counts[1], 900 + COUNT)
})

const CONTACT = {
  name: 'Ops',
  type: 'slack' as const,
  config: SECRETS.config,
  notify_on_down: true,
  notify_on_recovery: true,
}

const SWITCH = MaintenanceWindow.parse({ kind: 'switch', name: 'Deploy', all_subjects: true })

const SERVER = ServerSettings.parse({ name: 'Web' })

type Ids = {
  team: number
  contact: number
  monitor: number
  window: number
  schedule: number
  user: number
  page: number
  subscriber: number
  report: number
  recipient: number
  server: number
}

const REPORT = {
  ...{ name: 'Month', time_zone: 'UTC', all_subjects: true },
  ...{ monitor_ids: [], server_ids: [], site_ids: [], tags: [] },
}
const SCHEDULE = { name: 'Night', time_zone: 'UTC', participants: [], layers: [] }
const MONITOR = { ...PLAIN_SETTINGS, name: 'Nightly', type: 'heartbeat' as const }

let people = 0

async function storeSecrets(
  db: Database,
  vault: Vault,
  heartbeat_token = SECRETS.heartbeat_token,
  switchToken = heartbeat_token === SECRETS.heartbeat_token ? SECRETS.switchToken : randomUUID(),
): Promise<Ids> {
  const { signingSecret, config, totpSecret, letter, switchToken: _, calendarToken, ...others } = SECRETS
  const {
    scheduleToken,
    feedToken,
    subscriber,
    recipient,
    serverToken,
    trial,
    phone,
    smtpUrl,
    mailTest,
    ...rest
  } = others
  const monitorSecrets = { ...rest, heartbeat_token }
  const user = { email: `ann${++people}@example.com`, name: 'Ann', passwordHash: null }
  const userId = (await insertUser(db.query, user)) as number
  await changePerson(db.query, vault, userId, { phone })
  await insertAuthenticator(db.query, vault, userId, totpSecret)
  await insertLetter(db.query, vault, letter, new Date('2100-01-01'))
  const team = await insertTeam(db.query, vault, { name: 'Ops', plan: 'free', signingSecret })
  const contact = await insertContact(db.query, vault, team, { ...CONTACT, config })
  await readOrCreatePushKeys(db.query, vault)
  const withSecrets = { ...MONITOR, ...monitorSecrets }
  const { id: monitor } = await insertMonitor(db.query, vault, team, withSecrets, UNANNOUNCED)
  const isFirst = switchToken === SECRETS.switchToken
  const since = new Date()
  const window = await insertWindow(db.query, vault, team, SWITCH, { since, token: switchToken })
  const give = (address: SecretAddress, id: number, token: string) =>
    replaceSecret(db.query, vault, address, { teamId: team, id }, isFirst ? token : randomUUID())
  await give('windowsCalendar', team, calendarToken)
  const schedule = await insertSchedule(db.query, team, SCHEDULE)
  await give('scheduleCalendar', schedule, scheduleToken)
  const page = await addStatusPage(db, team)
  await give('pageFeed', page, feedToken)
  const reader = { ...subscriber, token: isFirst ? subscriber.token : randomUUID() }
  const subscriberId = await addSubscriber(db, vault, { teamId: team, pageId: page, ...reader })
  const report = await insertReport(db.query, team, { ...REPORT, nextMailAt: since })
  const mailed = { ...recipient, token: isFirst ? recipient.token : randomUUID() }
  const added = { reportId: report, teamId: team, ...mailed, confirmedAt: null }
  const recipientId = await insertRecipient(db.query, vault, added)
  const server = await insertServer(db.query, vault, team, SERVER, isFirst ? serverToken : randomUUID())
  await insertTrial(db.query, vault, { teamId: team, userId, settings: trial, forMs: HANG_GUARD_MS })
  await saveSettings(db.query, vault, { smtpUrl })
  await insertMailTest(db.query, vault, { userId, settings: mailTest, forMs: HANG_GUARD_MS })
  return {
    team,
    contact,
    monitor,
    window,
    schedule,
    user: userId,
    page,
    subscriber: subscriberId,
    report,
    recipient: recipientId,
    server,
  }
}

async function readSecrets(db: Database, vault: Vault, ids: Ids) {
  const { team, contact, monitor, window, schedule, user, page, subscriber, report, server } = ids
  const secretOf = (address: SecretAddress, id: number) =>
    readSecret(db.query, vault, address, { teamId: team, id })
  const found = await findMonitor(db.query, vault, team, monitor)
  const [letter] = await queuedLetters.claim(db, { holder: randomUUID(), leaseSeconds: 1, limit: 1 })
  return {
    signingSecret: await readSigningSecret(db.query, vault, team),
    config: (await findContact(db.query, vault, team, contact))?.config,
    ...Object.fromEntries(SETTINGS.map((name) => [name, found?.[name]])),
    heartbeat_token: found?.heartbeat_token,
    url: found?.url,
    options: found?.options,
    phone: await readPhone(db.query, vault, user),
    switchToken: await secretOf('switch', window),
    calendarToken: await secretOf('windowsCalendar', team),
    scheduleToken: await secretOf('scheduleCalendar', schedule),
    feedToken: await secretOf('pageFeed', page),
    subscriber: await openSubscriber(db.query, vault, team, subscriber),
    recipient: await readRecipientSecrets(db, vault, report),
    serverToken: await secretOf('server', server),
    letter: letter && openLetter(vault, letter),
    trial: await readTrialSettings(db, vault),
    smtpUrl: (await readSavedSettings(db.query, vault)).smtpUrl,
    mailTest: await readMailTestSettings(db, vault),
    totpSecret: (await lockAuthenticator(db.query, vault, user))?.secret,
  }
}

/** As a prober that goes again at once. */
async function readTrialSettings(db: Database, vault: Vault) {
  const prober = await addProber(db, { expires_at: new Date(Date.now() + HANG_GUARD_MS) })
  const [claimed] = await createTrialClaims(db, vault).claim(prober, 1)
  await leaveProbers(db, prober)
  return claimed?.settings
}

/** As a process that ended before it sent the mail. */
async function readMailTestSettings(db: Database, vault: Vault) {
  const claimed = await claimMailTest(db, vault)
  await changeRows(db, 'mail_tests', {}, { is_claimed: false })
  return claimed?.settings
}

/** The secrets of the one recipient of a report. */
async function readRecipientSecrets(db: Database, vault: Vault, report: number) {
  const { rows } = await db.pool.query('SELECT team_id FROM reports WHERE id = $1', [report])
  const [found] = await listRecipients(db.query, vault, rows[0].team_id, report)
  const address = found?.address ?? ''
  return { address, token: (await findRecipientByAddress(db.query, vault, report, address))?.token }
}
