import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createNoticeSender } from '../../../src/alerts/mail/notice.ts'
import { createNoticeLoop } from '../../../src/engine/status-pages/send-notices.ts'
import { createNetwork } from '../../../src/net/network.ts'
import { queueConfirmation } from '../../../src/store/status-pages/notices.ts'
import { publishPage } from '../../../src/store/status-pages/pages.ts'
import { atPublicAddress, reachPublicHere } from '../../support/net/public-here.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addStatusPage, addSubscriber } from '../../support/records/status-pages.ts'
import { addTeam } from '../../support/records/teams.ts'
import { replyWith, startReceiver } from '../../support/servers/receivers.ts'
import { CALM_LOOP } from '../../support/servers/targets-settings.ts'

reachPublicHere()

/** Asks a webhook that answers 500, each time at once; whether another try was planned after each. */
async function askInVain(t: TestContext, ageMs: number) {
  const { db, vault, close } = await openTestDatabase()
  const receiver = await startReceiver(t, replyWith(500))
  const teamId = await addTeam(db)
  const pageId = await addStatusPage(db, teamId)
  await publishPage(db.query, teamId, pageId, true)
  const address = atPublicAddress(`${receiver.url}/hook`)
  const id = await addSubscriber(db, vault, { type: 'webhook', address, pageId, teamId, confirmedAt: null })
  await queueConfirmation(db.query, { teamId, id })
  const { rows } = await db.pool.query<{ created_at: Date }>('SELECT created_at FROM status_notices')
  const createdMs = rows[0]?.created_at.getTime() as number
  const planned: boolean[] = []
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const send = createNoticeSender({
    network: { ...createNetwork({ privateTargets: 'allow' }), loop: CALM_LOOP },
    mail: null,
    siteUrl: 'https://up.example.com',
    renderBody: (text) => text,
    now: () => new Date(),
  })
  const loop = createNoticeLoop({
    db,
    vault,
    siteUrl: () => 'https://up.example.com',
    send: (notice, _teamId, messageId, signal) => send(notice, messageId, signal),
    holder: 'test',
    now: () => new Date(createdMs + ageMs),
    random: () => 0,
    note: (_notice, _outcome, willRetry) => {
      planned.push(willRetry)
      if (!willRetry) return end()
      void db.pool
        .query(`UPDATE status_notices SET next_attempt_at = now() WHERE state = 'pending'`)
        .then(() => loop.wake())
    },
    onTrouble: (error) => assert.fail(String(error)),
  })
  t.after(async () => {
    await loop.close()
    await close()
  })
  await ended
  const { rows: left } = await db.pool.query('SELECT state, attempts FROM status_notices')
  return { planned, left, asked: receiver.requests.length }
}

test('a webhook that does not answer is asked to confirm three times', async (t) => {
  const { planned, left, asked } = await askInVain(t, 0)
  assert.deepEqual(planned, [true, true, false])
  assert.deepEqual(left, [{ state: 'failed', attempts: 3 }])
  assert.equal(asked, 3)
})

test('it is asked for ten minutes at most', async (t) => {
  const { left } = await askInVain(t, 9 * 60_000 + 31_000)
  assert.deepEqual(left, [{ state: 'failed', attempts: 1 }])
})
