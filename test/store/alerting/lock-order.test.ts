import { it } from 'node:test'
import type { QuietHours } from '../../../src/core/alerting/quiet-hours.ts'
import { WEEKDAYS } from '../../../src/core/maintenance/recurrence.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { insertContact } from '../../../src/store/alerting/contacts.ts'
import { claimDeliveries, queuedDeliveries } from '../../../src/store/alerting/deliveries.ts'
import { deferToGroup, groupHash } from '../../../src/store/alerting/groups.ts'
import {
  mailboxHash,
  moveToMailbox,
  openDigest,
  settleDigest,
} from '../../../src/store/alerting/mailboxes.ts'
import { updateQuietHours } from '../../../src/store/alerting/quiet-hours.ts'
import type { Vault } from '../../../src/store/sealing/vault.ts'
import { insertTeam } from '../../../src/store/teams/teams.ts'
import { openEagerDatabase, workAtOnce } from '../../support/postgres/deadlocks.ts'
import { DOWN } from '../../support/servers/receivers-alert.ts'

const DELIVERIES = 60
const ADDRESS = 'ops@example.com'

const HOURS: QuietHours = {
  time_zone: 'UTC',
  hours: { days: [...WEEKDAYS], from: '00:00', until: '23:59' },
  action: 'hold',
  except_down: false,
}

const RETRIED = {
  outcome: { kind: 'retry' as const, statusCode: 503, detail: 'later', retryAfterSeconds: null },
  attemptedAt: new Date(),
  durationMs: 1,
  nextDelaySeconds: 0,
}

async function addWaiting({ pool }: Database, teamId: number, contactId: number) {
  await pool.query(
    'INSERT INTO mailboxes (mailbox_hash, hour_began_at, sent) VALUES ($1, now(), 1), ($2, now(), 1)',
    [groupHash(contactId), mailboxHash(ADDRESS)],
  )
  await pool.query(
    `INSERT INTO deliveries (team_id, event, alert, contact_id, contact_name, contact_type, mailbox_hash)
     SELECT $1, 'monitor.down', $2, $3, 'Ops', 'email', $4 FROM generate_series(1, $5)`,
    [teamId, JSON.stringify(DOWN), contactId, groupHash(contactId), DELIVERIES],
  )
}

/** Everything that several processes do at once to deliveries that wait together. */
function workOf(db: Database, vault: Vault, teamId: number, contactId: number): (() => Promise<unknown>)[] {
  const holder = crypto.randomUUID()
  const claim = (limit: number) => claimDeliveries(db, vault, { holder, leaseSeconds: 60, limit })
  const open = async (hash: Buffer) => {
    for (const leader of await claim(3)) {
      const digest = await openDigest(db, vault, holder, leader, hash, () => true)
      if (digest) return digest
    }
    return null
  }
  return [
    async () => {
      const ids = (await claim(DELIVERIES)).map(({ id }) => id)
      await queuedDeliveries.renew(db, holder, ids.toReversed(), 60)
      await queuedDeliveries.release(db, holder, ids.toReversed())
    },
    async () => {
      const digest = await open(groupHash(contactId))
      if (digest) await settleDigest(db, holder, digest, RETRIED)
    },
    async () => {
      const digest = await open(groupHash(contactId))
      if (digest) await moveToMailbox(db, holder, digest, mailboxHash(ADDRESS))
    },
    async () => {
      const digest = await open(mailboxHash(ADDRESS))
      if (digest) await settleDigest(db, holder, digest, RETRIED)
    },
    async () => {
      for (const { id } of await claim(5)) await deferToGroup(db, holder, { id, contactId })
    },
    () => updateQuietHours(db, teamId, contactId, HOURS),
    async () => {
      await db.pool.query(`UPDATE deliveries SET held_until = now() + interval '1 hour'
        WHERE id IN (SELECT id FROM deliveries ORDER BY random() LIMIT 20 FOR UPDATE SKIP LOCKED)`)
    },
    () => queuedDeliveries.release(db, holder),
  ]
}

it('deliveries are locked in one order, whatever several processes do to them at once', async () => {
  const database = await openEagerDatabase()
  const { db, vault } = database
  const teamId = await insertTeam(db.query, vault, { name: 'Acme', plan: 'business', signingSecret: '' })
  const contactId = await insertContact(db.query, vault, teamId, {
    ...{ name: 'Ops', type: 'email', config: { email: ADDRESS } },
    ...{ notify_on_down: true, notify_on_recovery: true },
  })
  await addWaiting(db, teamId, contactId)
  await workAtOnce(
    database,
    [1, 2, 3].flatMap(() => workOf(db, vault, teamId, contactId)),
  )
})
