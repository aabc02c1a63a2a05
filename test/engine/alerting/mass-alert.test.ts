import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DeliveryOutcome } from '../../../src/core/alerting/delivery.ts'
import { ALERTS_PER_HOUR } from '../../../src/core/alerting/mailbox.ts'
import { createDeliverer } from '../../../src/engine/alerting/deliver.ts'
import { insertContact } from '../../../src/store/alerting/contacts.ts'
import { groupHash } from '../../../src/store/alerting/groups.ts'
import { mailboxHash } from '../../../src/store/alerting/mailboxes.ts'
import { insertTeam } from '../../../src/store/teams/teams.ts'
import { countDeadlocks, openEagerDatabase } from '../../support/postgres/deadlocks.ts'
import { DOWN } from '../../support/servers/receivers-alert.ts'
import { until } from '../../support/until.ts'

const SENT: DeliveryOutcome = { kind: 'sent', statusCode: 250, detail: 'ok' }
const ALERTS = 400
const PROCESSES = 3

/** Alerts of one outage that have waited for the group of their contact, which goes now; processes that send them. */
async function sendGroupOf(type: 'email' | 'slack', mailsOfHour: number) {
  const { db, vault, close } = await openEagerDatabase()
  const teamId = await insertTeam(db.query, vault, { name: 'Acme', plan: 'business', signingSecret: '' })
  const address = 'ops@example.com'
  const contactId = await insertContact(db.query, vault, teamId, {
    name: 'Ops',
    type,
    config: type === 'email' ? { email: address } : { webhook_url: 'https://hooks.example/x' },
    notify_on_down: true,
    notify_on_recovery: true,
  })
  await db.pool.query(
    `INSERT INTO mailboxes (mailbox_hash, hour_began_at, sent, digest_at)
     VALUES ($1, now(), 1, now() - interval '1 second'), ($2, now(), $3, now() - interval '1 hour')`,
    [groupHash(contactId), mailboxHash(address), mailsOfHour],
  )
  await db.pool.query(
    `INSERT INTO deliveries (team_id, event, alert, contact_id, contact_name, contact_type, mailbox_hash)
     SELECT $1, 'monitor.down', $2::jsonb || jsonb_build_object('name', n::text), $3, 'Ops', $4, $5
     FROM generate_series(1, $6) n`,
    [teamId, JSON.stringify(DOWN), contactId, type, groupHash(contactId), ALERTS],
  )
  const sent: string[] = []
  let messages = 0
  const troubles: unknown[] = []
  const sendAll = async ({ deliveries }: { deliveries: { alert: { name: string } }[] }) => {
    messages++
    sent.push(...deliveries.map(({ alert }) => alert.name))
    return SENT
  }
  const loops = Array.from({ length: PROCESSES }, () =>
    createDeliverer({
      db,
      vault,
      send: ({ alert }) => sendAll({ deliveries: [{ alert }] }),
      sendGroup: sendAll,
      sendDigest: sendAll,
      wantsAgreement: false,
      holder: crypto.randomUUID(),
      now: () => new Date(),
      random: () => 0,
      onTrouble: (error) => troubles.push(error),
    }),
  )
  return { db, sent, troubles, loops, mailbox: mailboxHash(address), messages: () => messages, close }
}

describe('a mass alert', () => {
  it('moves to the digest of a mailbox that has had its mails, without a deadlock', async () => {
    const alert = await sendGroupOf('email', ALERTS_PER_HOUR)
    await until('all wait for the digest', async () => {
      if (alert.messages() > 0) return true
      const { rows } = await alert.db.pool.query(
        `SELECT FROM deliveries WHERE state = 'pending' AND mailbox_hash = $1 AND claimed_by IS NULL AND next_attempt_at > now()`,
        [alert.mailbox],
      )
      return rows.length === ALERTS
    })
    await Promise.all(alert.loops.map((loop) => loop.close()))
    const deadlocks = await countDeadlocks(alert.db)
    await alert.close()
    assert.deepEqual(alert.troubles, [])
    assert.deepEqual([deadlocks, alert.messages()], [0, 0])
  })

  for (const type of ['email', 'slack'] as const) {
    it(`goes to a contact of type ${type} as one message, once, without a deadlock`, async () => {
      const alert = await sendGroupOf(type, 0)
      await until('all are sent', async () => {
        const { rows } = await alert.db.pool.query(`SELECT FROM deliveries WHERE state = 'pending'`)
        return rows.length === 0
      })
      await Promise.all(alert.loops.map((loop) => loop.close()))
      const { rows } = await alert.db.pool.query('SELECT sent FROM mailboxes WHERE mailbox_hash = $1', [
        alert.mailbox,
      ])
      const deadlocks = await countDeadlocks(alert.db)
      await alert.close()
      assert.deepEqual(alert.troubles, [])
      assert.equal(deadlocks, 0)
      assert.equal(alert.sent.length, ALERTS)
      assert.equal(new Set(alert.sent).size, ALERTS)
      assert.equal(alert.messages(), 1)
      assert.equal(rows[0].sent, type === 'email' ? 1 : 0)
    })
  }
})
