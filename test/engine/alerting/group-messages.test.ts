import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sendGroup } from '../../../src/alerts/send-group.ts'
import { createDeliverer } from '../../../src/engine/alerting/deliver.ts'
import { insertContact } from '../../../src/store/alerting/contacts.ts'
import { groupHash } from '../../../src/store/alerting/groups.ts'
import { insertTeam } from '../../../src/store/teams/teams.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { type Answer, likeTelegram, replyJson, startReceiver } from '../../support/servers/receivers.ts'
import { DOWN, SITE_URL, sendingTo } from '../../support/servers/receivers-alert.ts'
import { apiUrlsAt, channelsFor } from '../../support/servers/receivers-channels.ts'
import { BOT_TOKEN, CHAT_ID } from '../../support/servers/strict-receivers.ts'
import { until } from '../../support/until.ts'

type Scope = { after: (close: () => Promise<void>) => void }

const NAMES = Array.from({ length: 150 }, (_, index) => `${'n'.repeat(49)}${String(index).padStart(4, '0')}`)
const take = likeTelegram(BOT_TOKEN, CHAT_ID)

/** A chat of Telegram that waits for a group of alerts, which needs three messages; `answers` are those to its requests. */
async function openGroup(scope: Scope, ...answers: Answer[]) {
  const { db, vault, close } = await openTestDatabase()
  const receiver = await startReceiver(scope, (response, received) =>
    (answers.shift() ?? take)(response, received),
  )
  const teamId = await insertTeam(db.query, vault, { name: 'Acme', plan: 'business', signingSecret: '' })
  const contactId = await insertContact(db.query, vault, teamId, {
    name: 'Ops',
    type: 'telegram',
    config: { bot_token: BOT_TOKEN, chat_id: CHAT_ID },
    notify_on_down: true,
    notify_on_recovery: true,
  })
  // The row by which processes wait for each other.
  await db.pool.query('INSERT INTO mailboxes (mailbox_hash, hour_began_at, sent) VALUES ($1, now(), 0)', [
    groupHash(contactId),
  ])
  await db.pool.query(
    `INSERT INTO deliveries (team_id, event, alert, contact_id, contact_name, contact_type, mailbox_hash)
     SELECT c.team_id, 'monitor.down', alert, c.id, c.name, c.type, $2
     FROM contacts c, unnest($3::jsonb[]) WITH ORDINALITY AS a (alert, nth) WHERE c.id = $1 ORDER BY nth`,
    [contactId, groupHash(contactId), NAMES.map((name) => JSON.stringify({ ...DOWN, name }))],
  )
  const channels = channelsFor({ apiUrls: apiUrlsAt(receiver.url) })
  const troubles: unknown[] = []
  const start = () =>
    createDeliverer({
      db,
      vault,
      send: () => Promise.reject(new Error('nothing is sent alone')),
      sendDigest: () => Promise.reject(new Error('no mail is sent here')),
      sendGroup: ({ messageId, leader, deliveries, told }, note, signal) =>
        sendGroup(
          channels,
          'telegram',
          sendingTo(leader.config as never, { messageId, groupId: messageId, signal }),
          {
            alerts: deliveries.map(({ alert }) => alert),
            told,
            siteUrl: SITE_URL,
            acknowledgeUrl: undefined,
            accepted: leader.partsSent,
            note,
          },
        ),
      wantsAgreement: false,
      holder: crypto.randomUUID(),
      now: () => new Date(),
      random: () => 0,
      onTrouble: (error) => troubles.push(error),
    })
  const loops: ReturnType<typeof start>[] = []
  scope.after(async () => {
    await Promise.all(loops.map((loop) => loop.close()))
    await close()
    assert.deepEqual(troubles, [])
  })
  return {
    start() {
      const loop = start()
      loops.push(loop)
      return loop
    },
    /** The names in each request, and the count of its title. */
    requests: () =>
      receiver.requests.map(({ body }) => {
        const { text } = JSON.parse(body)
        return {
          names: NAMES.filter((name) => text.split('\n').slice(1).join('\n').includes(name)),
          part: /\((\d\/\d)\)/.exec(text)?.[1],
        }
      }),
    async states() {
      const { rows } = await db.pool.query<{ state: string; name: string; details: string[] }>(
        `SELECT d.state, d.alert ->> 'name' AS name, array(SELECT a.detail FROM delivery_attempts a
           WHERE a.delivery_id = d.id ORDER BY a.attempt) AS details
         FROM deliveries d ORDER BY d.id`,
      )
      return rows
    },
    /** Makes what failed due, unless its time has come already. */
    untilRetried: (requests: number) =>
      until('it waits for another try', async () => {
        if (receiver.requests.length >= requests) return true
        const { rowCount } = await db.pool.query(
          `UPDATE deliveries SET next_attempt_at = now() WHERE state = 'pending' AND attempts > 0 AND claimed_by IS NULL`,
        )
        return (rowCount ?? 0) > 0
      }),
  }
}

const allSent = async ({ states }: Awaited<ReturnType<typeof openGroup>>) =>
  (await states()).every(({ state }) => state === 'sent')

describe('a group of several messages', { concurrency: true }, () => {
  it('goes on after a failure with what is left, and the log shows which message told what', async (t) => {
    const fails: Answer = (response) =>
      replyJson(response, 500, { ok: false, error_code: 500, description: 'no' })
    const seen = Promise.withResolvers<void>()
    t.after(() => seen.resolve())
    const waits: Answer = async (response, received) => {
      await seen.promise
      return take(response, received)
    }
    const group = await openGroup(t, take, fails, waits)
    const loop = group.start()
    await group.untilRetried(3)
    const told = (await group.states()).filter(({ state }) => state === 'sent').length
    assert.ok(told > 0 && told < NAMES.length)
    seen.resolve()
    loop.wake()
    await until('all are told', () => allSent(group))
    const [first, failed, again, last] = group.requests()
    assert.deepEqual(
      [first, failed, again, last].map((one) => one?.part),
      ['1/3', '2/3', '2/3', '3/3'],
    )
    assert.deepEqual(failed?.names, again?.names)
    assert.deepEqual(
      [first, again, last].flatMap((one) => one?.names ?? []),
      NAMES,
    )
    const states = await group.states()
    const detailsOf = (name: string | undefined) => states.find((one) => one.name === name)?.details ?? []
    assert.deepEqual(
      detailsOf(first?.names.at(-1)).map((detail) => /\(.*\)/.exec(detail)?.[0]),
      ['(message 1 of 3)'],
    )
    assert.deepEqual(
      detailsOf(again?.names[0]).map((detail) => /\(message.*\)/.exec(detail)?.[0]),
      ['(message 2 of 3)', '(message 2 of 3)'],
    )
  })

  it('repeats at most the message that was under way when its process ended', async (t) => {
    const asked = Promise.withResolvers<void>()
    const group = await openGroup(t, take, () => asked.resolve())
    const loop = group.start()
    await asked.promise
    await loop.close()
    group.start()
    await until('all are told', () => allSent(group))
    const [first, lost, again, last, ...more] = group.requests()
    assert.deepEqual(more, [])
    assert.deepEqual(lost, again)
    assert.deepEqual(
      [first, again, last].flatMap((one) => one?.names ?? []),
      NAMES,
    )
  })

  it('is told as far as its receiver took it', async (t) => {
    const refuses: Answer = (response) =>
      replyJson(response, 403, { ok: false, error_code: 403, description: 'no' })
    const group = await openGroup(t, take, refuses)
    group.start()
    await until('it ended', async () => (await group.states()).every(({ state }) => state !== 'pending'))
    const [first] = group.requests()
    const sent = (await group.states()).filter(({ state }) => state === 'sent')
    assert.deepEqual(
      sent.map(({ name }) => name),
      first?.names,
    )
    assert.equal(group.requests().length, 2)
  })
})
