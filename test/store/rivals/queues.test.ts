import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { queuedLetters } from '../../../src/store/accounts/letters.ts'
import { releaseContacts } from '../../../src/store/alerting/agreements.ts'
import { deleteContact } from '../../../src/store/alerting/contacts.ts'
import { claimDeliveries, queuedDeliveries } from '../../../src/store/alerting/deliveries.ts'
import { groupHash } from '../../../src/store/alerting/groups.ts'
import {
  mailboxHash,
  moveToMailbox,
  openDigest,
  settleDigest,
} from '../../../src/store/alerting/mailboxes.ts'
import { updateQuietHours } from '../../../src/store/alerting/quiet-hours.ts'
import { queuedReportMails } from '../../../src/store/reports/mail-queue.ts'
import { queuedNotices, settleNotice } from '../../../src/store/status-pages/notice-queue.ts'
import { deleteSubscriber } from '../../../src/store/status-pages/subscriber-list.ts'
import type { TestDatabase } from '../../support/postgres/database.ts'
import {
  besideRival,
  holdUp,
  mayStandStill,
  openPlannedDatabase,
  PLANS,
  type Plan,
} from '../../support/postgres/rival.ts'
import { addContacts, addDeliveries } from '../../support/records/alerting.ts'
import { addRow, addRows } from '../../support/records/rows.ts'
import { addStatusPage, addSubscriber } from '../../support/records/status-pages.ts'
import { addTeam } from '../../support/records/teams.ts'
import { DOWN } from '../../support/servers/receivers-alert.ts'

const COUNT = 6
const MAILBOX = mailboxHash('ops@example.com')
const SETTLED = {
  outcome: { kind: 'sent' as const, statusCode: 250, detail: 'ok' },
  attemptedAt: new Date(),
  durationMs: 1,
  nextDelaySeconds: null,
}

for (const plan of Object.keys(PLANS) as Plan[]) {
  describe(`queues, with a rival that changes their rows, planned ${plan}`, () => {
    let database: TestDatabase
    let teamId: number
    before(async () => {
      database = await openPlannedDatabase(plan)
      await mayStandStill(database)
      teamId = await addTeam(database.db, { signing_secret: '' })
    })
    after(() => database?.close())

    const query = async (text: string, values: unknown[] = []) =>
      (await database.db.pool.query(text, values)).rows
    const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)
    const beside = async <T>(rival: string, values: unknown[], ours: () => Promise<T>): Promise<T> => {
      const { result, waited } = await besideRival(database.db, (client) => client.query(rival, values), ours)
      assert.ok(waited, 'ours is to wait for the rival')
      return result
    }
    /** The rival changes and commits after our statement has taken its picture, and before it locks. */
    const meanwhile = async <T>(rival: string, values: unknown[], ours: () => Promise<T>): Promise<T> => {
      const { result, waited } = await besideRival(
        database.db,
        async (client) => {
          await holdUp(client)
          await client.query(rival, values)
        },
        ours,
      )
      assert.ok(waited, 'ours is to stand still meanwhile')
      return result
    }
    const addWaiting = async (columns: Parameters<typeof addDeliveries>[1][number] | object = {}) => {
      const [contactId = 0] = await addContacts(database.db, [{ team_id: teamId }])
      const alert = JSON.stringify(DOWN)
      const ids = await addDeliveries(
        database.db,
        Array.from({ length: COUNT }, () => ({ team_id: teamId, contact_id: contactId, alert, ...columns })),
      )
      return { contactId, ids }
    }
    const deliveriesOf = (contactId: number) =>
      query('SELECT * FROM deliveries WHERE contact_id = $1 ORDER BY id', [contactId])

    it('a claim takes what nobody has taken since it looked', async () => {
      const { ids } = await addWaiting()
      const rival = `UPDATE deliveries SET claimed_by = gen_random_uuid(), claimed_until = now() + interval '1 minute',
        next_attempt_at = next_attempt_at - interval '1 second' WHERE id = ANY($1)`
      const claim = { holder: crypto.randomUUID(), leaseSeconds: 60, limit: 100 }
      const vault = { open: () => '{"url":""}' } as never
      const claimed = await meanwhile(rival, [ids.slice(0, 2)], () =>
        claimDeliveries(database.db, vault, claim),
      )
      assert.deepEqual(
        idsOf(claimed).sort((a, b) => a - b),
        ids.slice(2),
      )
      await query("UPDATE deliveries SET state = 'failed'")
    })

    it('a claim takes nothing that was put into the digest of another since it looked', async () => {
      const { ids } = await addWaiting()
      const rival = `UPDATE deliveries SET digest = (SELECT message_id FROM deliveries WHERE id = $2), mailbox_hash = $3
        WHERE id = ANY($1)`
      const claim = { holder: crypto.randomUUID(), leaseSeconds: 60, limit: 100 }
      const vault = { open: () => '{"url":""}' } as never
      const claimed = await meanwhile(rival, [ids, ids[1], MAILBOX], () =>
        claimDeliveries(database.db, vault, claim),
      )
      assert.deepEqual(idsOf(claimed), [ids[1]])
      await query("UPDATE deliveries SET state = 'failed'")
    })

    const holder = crypto.randomUUID()
    const claimed = { claimed_by: holder, claimed_until: new Date(Date.now() + 60_000) }

    it('claims are given up, but for what is settled by then', async () => {
      const { ids, contactId } = await addWaiting(claimed)
      await beside(
        "UPDATE deliveries SET attempts = 1, state = CASE WHEN id = $2 THEN 'sent' ELSE state END WHERE id = ANY($1)",
        [ids, ids[1]],
        () => queuedDeliveries.release(database.db, holder),
      )
      assert.deepEqual(
        (await deliveriesOf(contactId)).map((row) => [row.attempts, row.claimed_by === null]),
        ids.map((_, index) => [1, index !== 1]),
      )
    })

    it('claims of letters, messages to subscribers and mails of reports are given up', async () => {
      const letters = Array.from({ length: COUNT }, () => ({
        content: '',
        expires_at: new Date(),
        ...claimed,
      }))
      const letterIds = idsOf(await addRows(database.db, 'letters', letters))
      await beside('UPDATE letters SET attempts = 1 WHERE id = ANY($1)', [letterIds], () =>
        queuedLetters.release(database.db, holder),
      )
      assert.equal(
        (await query('SELECT FROM letters WHERE claimed_by IS NULL AND attempts = 1')).length,
        COUNT,
      )
      const subscribers = await addSubscribers()
      const notices = subscribers.ids.map((subscriber_id) => ({ subscriber_id, update_id: null, ...claimed }))
      const noticeIds = idsOf(await addRows(database.db, 'status_notices', notices))
      await beside('UPDATE status_notices SET attempts = 1 WHERE id = ANY($1)', [noticeIds], () =>
        queuedNotices.release(database.db, holder, noticeIds),
      )
      const free = await query(
        'SELECT FROM status_notices WHERE claimed_by IS NULL AND attempts = 1 AND id = ANY($1)',
        [noticeIds],
      )
      assert.equal(free.length, COUNT)
      await queuedReportMails.release(database.db, holder)
    })

    async function addSubscribers(count = COUNT) {
      const pageId = await addStatusPage(database.db, teamId)
      const ids: number[] = []
      while (ids.length < count)
        ids.push(await addSubscriber(database.db, database.vault, { teamId, pageId }))
      return { pageId, ids }
    }

    it('a digest is opened, tried and settled whole', async () => {
      const { ids, contactId } = await addWaiting({ mailbox_hash: MAILBOX, ...claimed })
      await query('INSERT INTO mailboxes (mailbox_hash, hour_began_at, sent) VALUES ($1, now(), 1)', [
        MAILBOX,
      ])
      const [first] = await deliveriesOf(contactId)
      const leader = { id: first.id, messageId: first.message_id }
      const vault = { open: () => '{"url":""}' } as never
      const touch = 'UPDATE deliveries SET attempts = attempts + 1 WHERE id = ANY($1)'
      const open = () => openDigest(database.db, vault, holder, leader, MAILBOX, () => true)
      const digest = await beside(touch, [ids], open)
      assert.deepEqual(idsOf(digest?.deliveries ?? []), ids)
      assert.deepEqual(
        digest?.deliveries.map(({ attempts }) => attempts),
        ids.map(() => 1),
      )
      await beside(touch, [ids], () => settleDigest(database.db, holder, leader, SETTLED))
      assert.deepEqual(
        (await deliveriesOf(contactId)).map(({ state, attempts }) => [state, attempts]),
        ids.map(() => ['sent', 3]),
      )
    })

    it('a group moves to a mailbox whole, unless another process has it by then', async () => {
      const { ids, contactId } = await addWaiting(claimed)
      const group = groupHash(contactId)
      const [first] = await deliveriesOf(contactId)
      const box = mailboxHash(`${plan}@example.com`)
      await query(
        'INSERT INTO mailboxes (mailbox_hash, hour_began_at, sent) VALUES ($1, now(), 1), ($2, now(), 1)',
        [group, box],
      )
      await query('UPDATE deliveries SET mailbox_hash = $2, digest = $3 WHERE id = ANY($1)', [
        ids,
        group,
        first.message_id,
      ])
      const move = () => moveToMailbox(database.db, holder, { messageId: first.message_id }, box)
      const other = crypto.randomUUID()
      await beside('UPDATE deliveries SET claimed_by = $2 WHERE id = ANY($1)', [ids, other], move)
      const moved = async () =>
        (
          await query(
            'SELECT FROM deliveries WHERE mailbox_hash = $1 AND next_attempt_at > now() AND digest IS NULL',
            [box],
          )
        ).length
      assert.equal(await moved(), 0)
      await beside('UPDATE deliveries SET claimed_by = $2 WHERE id = ANY($1)', [ids, holder], move)
      assert.equal(await moved(), COUNT)
    })

    it('alerts that quiet hours held are judged anew, and those of a contact that goes stay', async () => {
      const { ids, contactId } = await addWaiting({ held_until: new Date(Date.now() + 3_600_000) })
      const touch = 'UPDATE deliveries SET attempts = attempts + 1 WHERE id = ANY($1)'
      await beside(touch, [ids], () => updateQuietHours(database.db, teamId, contactId, null))
      assert.ok((await deliveriesOf(contactId)).every(({ held_until }) => held_until <= new Date()))
      await beside(touch, [ids], () =>
        database.db.transaction((query) => deleteContact(query, teamId, contactId)),
      )
      const left = await query('SELECT contact_id, attempts FROM deliveries WHERE id = ANY($1)', [ids])
      assert.deepEqual(
        left,
        ids.map(() => ({ contact_id: null, attempts: 2 })),
      )
    })

    it('contacts whose address agreed are released, each', async () => {
      const unagreed_hash = Buffer.from(plan)
      const contacts = Array.from({ length: COUNT }, () => ({ team_id: teamId, unagreed_hash }))
      const ids = await addContacts(database.db, contacts)
      await beside("UPDATE contacts SET name = 'Other' WHERE id = ANY($1)", [ids], () =>
        releaseContacts(database.db.query, teamId, unagreed_hash),
      )
      const free = await query(
        "SELECT FROM contacts WHERE unagreed_hash IS NULL AND name = 'Other' AND id = ANY($1)",
        [ids],
      )
      assert.equal(free.length, COUNT)
    })

    it('a subscriber that refuses gets nothing more, and one that goes leaves what it was told in mind', async () => {
      const { pageId, ids } = await addSubscribers(1)
      const [subscriberId = 0] = ids
      const updateIds: number[] = []
      for (let index = 0; index < 3; index++) {
        const post = {
          page_id: pageId,
          team_id: teamId,
          kind: 'incident' as const,
          title: 'x',
          phase: 'resolved' as const,
          started_at: new Date(),
        }
        const { id: post_id } = await addRow(database.db, 'status_posts', post as never)
        const update = { post_id, phase: 'resolved', body: 'x', impacts: '[]', at: new Date() }
        updateIds.push((await addRow(database.db, 'status_updates', update as never)).id)
      }
      const rows = updateIds.map((update_id) => ({ update_id, subscriber_id: subscriberId, ...claimed }))
      const noticeIds = idsOf(await addRows(database.db, 'status_notices', rows))
      const settled = {
        state: 'failed' as const,
        nextDelaySeconds: null,
        detail: 'gone',
        refusesReceiver: true,
      }
      await beside('UPDATE status_notices SET attempts = 1 WHERE id = ANY($1)', [noticeIds], () =>
        settleNotice(database.db, holder, { id: noticeIds[1] ?? 0, teamId, subscriberId }, settled),
      )
      const states = await query('SELECT DISTINCT state FROM status_notices WHERE id = ANY($1)', [noticeIds])
      assert.deepEqual(states, [{ state: 'failed' }])
      await beside("UPDATE status_notices SET state = 'sent' WHERE id = ANY($1)", [noticeIds], () =>
        deleteSubscriber(database.db.query, teamId, subscriberId),
      )
      const told = await query(
        'SELECT sent_before::int AS sent, failed_before::int AS failed FROM status_updates WHERE id = ANY($1)',
        [updateIds],
      )
      assert.deepEqual(
        told,
        updateIds.map(() => ({ sent: 1, failed: 0 })),
      )
      assert.deepEqual(await query('SELECT FROM status_notices WHERE id = ANY($1)', [noticeIds]), [])
    })
  })
}
