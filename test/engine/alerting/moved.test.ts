import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../../../src/alerts/channels.ts'
import type { Alert } from '../../../src/core/alerting/alert.ts'
import type { ContactConfigs } from '../../../src/core/alerting/contact-types.ts'
import { findContact } from '../../../src/store/alerting/contacts.ts'
import { addOnlyContact, deliverersOf } from '../../support/alerting/one-contact.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { type Answer, likeTelegram, replyJson, startReceiver } from '../../support/servers/receivers.ts'
import { DOWN, sendingTo, TEST } from '../../support/servers/receivers-alert.ts'
import { apiUrlsAt, channelsFor } from '../../support/servers/receivers-channels.ts'
import { likeMatrix } from '../../support/servers/receivers-chats.ts'
import { BOT_TOKEN } from '../../support/servers/strict-receivers.ts'
import { until } from '../../support/until.ts'

type Scope = { after: (close: () => Promise<void>) => void }
type Type = 'telegram' | 'matrix'

/** A contact whose alerts are really sent, to a receiver that answers so. */
async function openContact<T extends Type>(
  scope: Scope,
  type: T,
  configAt: (url: string) => ContactConfigs[T],
  answer: Answer,
) {
  const opened = await openTestDatabase()
  const { db, vault } = opened
  const receiver = await startReceiver(scope, answer)
  const { teamId, contactId } = await addOnlyContact(opened, type, configAt(receiver.url))
  const channels = channelsFor({ apiUrls: apiUrlsAt(receiver.url) })
  const loop = deliverersOf(scope, opened, {
    send: ({ messageId, alert, config }, signal) =>
      send(channels, type, sendingTo(config as never, { messageId, alert, signal })),
    sendGroup: () => Promise.reject(new Error('nothing is grouped')),
    now: () => new Date(),
  })()
  return {
    receiver,
    /** Sends an alert; returns how it ended, with the details of its attempts. */
    async alert(alert: Alert) {
      const { rows } = await db.pool.query(
        `INSERT INTO deliveries (team_id, event, alert, contact_id, contact_name, contact_type)
         SELECT c.team_id, $2, $3, c.id, c.name, c.type FROM contacts c WHERE c.id = $1 RETURNING id`,
        [contactId, alert.event, JSON.stringify(alert)],
      )
      loop.wake()
      const read = () =>
        db.pool.query<{ state: string; outcomes: string[]; details: string[] }>(
          `SELECT state, array(SELECT outcome FROM delivery_attempts WHERE delivery_id = d.id ORDER BY attempt) AS outcomes,
             array(SELECT detail FROM delivery_attempts WHERE delivery_id = d.id ORDER BY attempt) AS details
           FROM deliveries d WHERE id = $1`,
          [rows[0].id],
        )
      await until('the alert ended', async () => (await read()).rows[0]?.state !== 'pending')
      return (await read()).rows[0]
    },
    config: async () => (await findContact(db.query, vault, teamId, contactId))?.config,
    audit: async () =>
      (await db.pool.query('SELECT door, action, subject, fields FROM audit_entries ORDER BY id')).rows,
  }
}

const MOVED = [{ door: 'receiver', action: 'updateContact', subject: 'Ops', fields: ['config'] }]

describe('a receiver that tells its new address', { concurrency: true }, () => {
  const newChat = likeTelegram(BOT_TOKEN, '-1001557912345')
  const upgraded: Answer = (response, received) => {
    if (JSON.parse(received.body).chat_id !== '-77') return newChat(response, received)
    const parameters = { migrate_to_chat_id: -1001557912345 }
    const description = 'Bad Request: group chat was upgraded to a supergroup chat'
    return replyJson(response, 400, { ok: false, error_code: 400, description, parameters })
  }
  const inTelegram = (scope: Scope, answer: Answer) =>
    openContact(scope, 'telegram', () => ({ bot_token: BOT_TOKEN, chat_id: '-77' }), answer)

  for (const [what, alert] of [
    ['an alert', DOWN],
    ['a test', TEST],
  ] as const) {
    it(`of Telegram gets ${what} there at once, and is kept`, async (t) => {
      const contact = await inTelegram(t, upgraded)
      const told = await contact.alert(alert)
      assert.deepEqual([told?.state, told?.outcomes], ['sent', ['retry', 'sent']])
      assert.match(told?.details[0] ?? '', /the chat's id is now -1001557912345/)
      assert.deepEqual(await contact.config(), { bot_token: BOT_TOKEN, chat_id: '-1001557912345' })
      assert.deepEqual(await contact.audit(), MOVED)
      assert.deepEqual((await contact.alert(TEST))?.outcomes, ['sent'])
      assert.equal(contact.receiver.requests.length, 3)
    })
  }

  it('is not followed for ever, nor to what is no address', async (t) => {
    let next = -78
    const contact = await inTelegram(t, (response) => {
      const parameters = { migrate_to_chat_id: next-- }
      replyJson(response, 400, { ok: false, error_code: 400, description: 'moved', parameters })
    })
    assert.deepEqual((await contact.alert(DOWN))?.state, 'failed')
    assert.equal(contact.receiver.requests.length, 4)
    const odd = await inTelegram(t, (response) =>
      replyJson(response, 400, {
        ...{ ok: false, error_code: 400, description: 'moved' },
        parameters: { migrate_to_chat_id: '@evil' },
      }),
    )
    assert.deepEqual((await odd.alert(DOWN))?.outcomes, ['rejected'])
    assert.deepEqual(await odd.config(), { bot_token: BOT_TOKEN, chat_id: '-77' })
  })

  const OLD = '!old:example.org'
  const NEW = '!new:example.org'
  const inMatrix = (scope: Scope, mayJoin: boolean) => {
    const newRoom = likeMatrix('syt_x', NEW)
    return openContact(
      scope,
      'matrix',
      (url) => ({ homeserver_url: url, access_token: 'syt_x', room_id: OLD }),
      (response, received) => {
        const path = decodeURIComponent(received.path)
        if (path.includes(`rooms/${OLD}/send`)) {
          const error = 'You do not have permission to post that to the room'
          return replyJson(response, 403, { errcode: 'M_FORBIDDEN', error })
        }
        if (path.endsWith(`rooms/${OLD}/state/m.room.tombstone/`)) {
          return replyJson(response, 200, { body: 'upgraded', replacement_room: NEW })
        }
        if (path.endsWith(`join/${NEW}`)) {
          return mayJoin
            ? replyJson(response, 200, { room_id: NEW })
            : replyJson(response, 403, { errcode: 'M_FORBIDDEN', error: 'You are not invited to this room.' })
        }
        return newRoom(response, received)
      },
    )
  }

  it('of Matrix is joined where its room was upgraded', async (t) => {
    const contact = await inMatrix(t, true)
    const told = await contact.alert(DOWN)
    assert.deepEqual([told?.state, told?.outcomes], ['sent', ['retry', 'sent']])
    assert.match(told?.details[0] ?? '', /the room was upgraded to !new:example.org\)/)
    assert.equal(((await contact.config()) as ContactConfigs['matrix']).room_id, NEW)
    assert.deepEqual(await contact.audit(), MOVED)
  })

  it('of Matrix keeps its room where the account may not join the new one', async (t) => {
    const contact = await inMatrix(t, false)
    const told = await contact.alert(DOWN)
    assert.deepEqual([told?.state, told?.outcomes], ['failed', ['rejected']])
    assert.match(told?.details[0] ?? '', /upgraded to !new:example.org, which the account could not join/)
    assert.equal(((await contact.config()) as ContactConfigs['matrix']).room_id, OLD)
  })
})
