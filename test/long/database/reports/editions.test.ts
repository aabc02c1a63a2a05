// npm test leaves this out: it mails editions of several months by several processes (seconds of a core).
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { nextMailAt } from '../../../../src/core/reports/schedule.ts'
import { queueEditions } from '../../../../src/engine/reports/queue-editions.ts'
import { createReportMailLoop } from '../../../../src/engine/reports/send-report-mails.ts'
import type { Database } from '../../../../src/postgres/database.ts'
import { confirmAddress, removeSomeUnconfirmed } from '../../../../src/store/accounts/asked-addresses.ts'
import {
  openReportMail,
  queuedReportMails,
  settleReportMail,
} from '../../../../src/store/reports/mail-queue.ts'
import { insertRecipient, removeReportsTo } from '../../../../src/store/reports/recipients.ts'
import { removeSomeReportMails } from '../../../../src/store/reports/report-upkeep.ts'
import { insertReport } from '../../../../src/store/reports/saved-reports.ts'
import { Vault } from '../../../../src/store/sealing/vault.ts'
import { openTestDatabase } from '../../../support/postgres/database.ts'
import { addMonitor } from '../../../support/records/monitors.ts'
import { changeRows, countRows } from '../../../support/records/rows.ts'
import type { Scope } from '../../../support/scope.ts'
import { until } from '../../../support/until.ts'

const VAULT = new Vault('a secret')
const MADE = new Date('2026-10-15T12:00:00Z')
const FIRST = new Date('2026-11-01T05:00:00Z')
const ZONE = 'Europe/Berlin'

/** A report of October with recipients, of whom those of `confirmed` confirmed. */
async function openWithReport(scope: Scope, confirmed: string[], others: string[] = []) {
  const { db, close } = await openTestDatabase()
  scope.after(close)
  const { teamId } = await addMonitor(db, { created_at: MADE })
  const id = await insertReport(db.query, teamId, {
    ...{
      name: 'Month',
      time_zone: ZONE,
      all_subjects: true,
      monitor_ids: [],
      server_ids: [],
      site_ids: [],
      tags: [],
    },
    nextMailAt: nextMailAt(MADE, ZONE),
  })
  for (const address of [...confirmed, ...others]) {
    const confirmedAt = confirmed.includes(address) ? MADE : null
    await insertRecipient(db.query, VAULT, {
      reportId: id,
      teamId,
      address,
      token: randomUUID(),
      confirmedAt,
    })
  }
  return { db, id, teamId }
}

const round = (db: Database, now: Date) =>
  queueEditions(db, now, (error) => {
    throw error
  })

const monthsOf = async ({ pool }: Database): Promise<string[]> =>
  (await pool.query('SELECT month FROM report_editions ORDER BY month')).rows.map(({ month }) => month)

describe('the edition of a month', () => {
  it('is made once, with a mail for each who confirmed, by however many processes', async (t) => {
    const { db, id, teamId } = await openWithReport(t, ['a@example.com', 'b@example.com'], ['c@example.com'])
    await round(db, new Date(FIRST.getTime() - 1))
    assert.deepEqual(await monthsOf(db), [])
    await Promise.all(Array.from({ length: 5 }, () => round(db, FIRST)))
    await round(db, new Date(FIRST.getTime() + 60_000))
    assert.deepEqual(await monthsOf(db), ['2026-10'])
    assert.equal(await countRows(db, 'report_mails'), 2)
    const { rows } = await db.pool.query(
      'SELECT content, r.next_mail_at AS next FROM report_editions, reports r',
    )
    assert.equal(rows[0].content.from, '2026-10-01')
    assert.equal(rows[0].content.to, '2026-10-31')
    assert.equal(rows[0].content.is_running, false)
    assert.equal(rows[0].next.toISOString(), '2026-12-01T05:00:00.000Z')
    // An address that confirms later gets the next month.
    const { rows: late } = await db.pool.query('SELECT id FROM report_recipients WHERE confirmed_at IS NULL')
    await confirmAddress(db.query, 'report_recipients', { id: late[0].id, teamId }, FIRST)
    await round(db, new Date('2026-12-01T05:00:00Z'))
    assert.equal(await countRows(db, 'report_mails', { month: '2026-11' }), 3)
    assert.equal(await countRows(db, 'report_mails', { report_id: id }), 5)
  })

  it('is made up for when no process ran that morning, and of a longer absence the last month alone', async (t) => {
    const { db } = await openWithReport(t, ['a@example.com'])
    await round(db, new Date('2027-03-17T23:00:00Z'))
    await round(db, new Date('2027-03-18T00:00:00Z'))
    assert.deepEqual(await monthsOf(db), ['2027-02'])
    assert.equal(await countRows(db, 'report_mails'), 1)
  })

  it('is about what carries the tags of its report when it is made', async (t) => {
    const { db, id, teamId } = await openWithReport(t, ['a@example.com'])
    await changeRows(db, 'reports', { id }, { all_subjects: false, tags: ['env:prod'] })
    await addMonitor(db, { team_id: teamId, name: 'Shop', created_at: MADE, tags: ['env:prod'] })
    await round(db, FIRST)
    const { rows } = await db.pool.query('SELECT content FROM report_editions')
    assert.deepEqual(
      rows[0].content.lines.map(({ name }: { name: string }) => name),
      ['Shop'],
    )
  })

  it('is not mailed a second time because its report gets another zone', async (t) => {
    const { db, id } = await openWithReport(t, ['a@example.com'])
    await round(db, FIRST)
    const west = 'America/Los_Angeles'
    await changeRows(db, 'reports', { id }, { time_zone: west, next_mail_at: nextMailAt(FIRST, west) })
    await round(db, new Date('2026-11-01T20:00:00Z'))
    assert.equal(await countRows(db, 'report_mails'), 1)
    await round(db, new Date('2026-12-02T00:00:00Z'))
    assert.deepEqual(await monthsOf(db), ['2026-10', '2026-11'])
  })

  it('is not made for nobody, and the report moves on', async (t) => {
    const { db } = await openWithReport(t, [], ['c@example.com'])
    await round(db, FIRST)
    assert.deepEqual(await monthsOf(db), [])
    const { rows } = await db.pool.query('SELECT next_mail_at AS next FROM reports')
    assert.equal(rows[0].next.toISOString(), '2026-12-01T05:00:00.000Z')
  })
})

describe('the mails of a month', () => {
  const claim = (db: Database, holder: string) =>
    queuedReportMails.claim(db, { holder, leaseSeconds: 60, limit: 10 })
  const sent = { state: 'sent', nextDelaySeconds: null, detail: '250', refusesReceiver: false } as const

  it('are claimed by one process at a time, and tried again with the same id when it dies', async (t) => {
    const { db } = await openWithReport(t, ['a@example.com'])
    await round(db, FIRST)
    const [first] = await claim(db, 'one')
    assert.ok(first)
    assert.equal(openReportMail(first, VAULT).address, 'a@example.com')
    assert.equal(openReportMail(first, VAULT).report.from, '2026-10-01')
    assert.deepEqual(await claim(db, 'other'), [])
    await db.pool.query("UPDATE report_mails SET claimed_until = now() - interval '1 second'")
    const [again] = await claim(db, 'other')
    assert.equal(again?.messageId, first.messageId)
    // The first one comes to and wants to write: the row is not its any more.
    await settleReportMail(db, 'one', first, { ...sent, state: 'failed', refusesReceiver: true })
    assert.equal(await countRows(db, 'report_mails', { state: 'pending' }), 1)
    await settleReportMail(db, 'other', first, sent)
    assert.equal(await countRows(db, 'report_mails', { state: 'sent' }), 1)
    assert.deepEqual(await claim(db, 'other'), [])
  })

  it('reach each address once, with several processes, though some attempts fail', async (t) => {
    const addresses = Array.from({ length: 8 }, (_, index) => `reader${index}@example.com`)
    const { db } = await openWithReport(t, addresses)
    const mailed: string[] = []
    const failedOnce = new Set<string>()
    const loops = ['one', 'two', 'three'].map((holder) =>
      createReportMailLoop({
        ...{ db, vault: VAULT, holder, now: () => new Date(), random: () => 0 },
        note: () => {},
        onTrouble: (error) => {
          throw error
        },
        async send({ address }) {
          if (address.startsWith('reader0') && !failedOnce.has(address)) {
            failedOnce.add(address)
            return { kind: 'retry', statusCode: 451, detail: '451', retryAfterSeconds: null }
          }
          mailed.push(address)
          return { kind: 'sent', statusCode: 250, detail: '250' }
        },
      }),
    )
    await round(db, FIRST)
    try {
      await until('all are sent, one at its second attempt', async () => {
        await db.pool.query(
          "UPDATE report_mails SET next_attempt_at = now() WHERE state = 'pending' AND attempts > 0",
        )
        for (const loop of loops) loop.wake()
        return (await countRows(db, 'report_mails', { state: 'sent' })) === 8
      })
    } finally {
      await Promise.all(loops.map((loop) => loop.close()))
    }
    assert.equal(failedOnce.size, 1)
    assert.deepEqual(mailed.sort(), addresses)
  })

  it('end with an address that refuses for good, until it confirms again', async (t) => {
    const { db, teamId } = await openWithReport(t, ['a@example.com'])
    await round(db, FIRST)
    const [mail] = await claim(db, 'one')
    assert.ok(mail)
    await settleReportMail(db, 'one', mail, { ...sent, state: 'failed', refusesReceiver: true })
    await round(db, new Date('2026-12-02T00:00:00Z'))
    assert.equal(await countRows(db, 'report_mails'), 1)
    await confirmAddress(db.query, 'report_recipients', { id: mail.recipientId, teamId }, FIRST)
    await round(db, new Date('2027-01-02T00:00:00Z'))
    assert.equal(await countRows(db, 'report_mails'), 2)
  })

  it('go with the account of their address, and so does the address', async (t) => {
    const { db } = await openWithReport(t, ['a@example.com', 'b@example.com'])
    await round(db, FIRST)
    await removeReportsTo(db.query, 'A@example.com')
    assert.equal(await countRows(db, 'report_recipients'), 1)
    assert.equal(await countRows(db, 'report_mails'), 1)
  })

  it('and those who never confirmed are removed in time', async (t) => {
    const { db } = await openWithReport(t, ['a@example.com'], ['c@example.com'])
    await round(db, FIRST)
    const [mail] = await claim(db, 'one')
    if (mail) await settleReportMail(db, 'one', mail, sent)
    await removeSomeUnconfirmed(db, 'report_recipients', new Date(Date.now() - 60_000))
    assert.equal(await countRows(db, 'report_recipients'), 2)
    await removeSomeUnconfirmed(db, 'report_recipients', new Date(Date.now() + 60_000))
    assert.equal(await countRows(db, 'report_recipients'), 1)
    await removeSomeReportMails(db, new Date(Date.now() - 60_000))
    assert.equal(await countRows(db, 'report_mails'), 1)
    await removeSomeReportMails(db, new Date(Date.now() + 60_000))
    assert.equal(await countRows(db, 'report_mails'), 0)
    assert.deepEqual(await monthsOf(db), [])
  })
})
