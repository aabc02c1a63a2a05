import { createHash } from 'node:crypto'
import type { Alert } from '../../core/alerting/alert.ts'
import { DIGEST_AFTER_SECONDS, DIGEST_EVERY_SECONDS, mailboxName } from '../../core/alerting/mailbox.ts'
import { type Connection, type Database, inTransaction } from '../../postgres/database.ts'
import { removeSome } from '../../postgres/remove-some.ts'
import { DELIVERIES_CHANNEL, DELIVERY_NOTIFICATION } from '../news.ts'
import type { Vault } from '../sealing/vault.ts'
import {
  CLAIMED_COLUMNS,
  type ClaimedDelivery,
  type ClaimedRow,
  insertAttempts,
  openDelivery,
  type SettledAttempt,
  stateAfter,
} from './deliveries.ts'
import { openAlert } from './stored-alert.ts'

export function mailboxHash(address: string): Buffer {
  return createHash('sha256').update(mailboxName(address)).digest()
}

/** The hash for letters. They are counted separately, so that alerts never delay a password link. */
export function letterboxHash(address: string): Buffer {
  return createHash('sha256')
    .update(`letters ${mailboxName(address)}`)
    .digest()
}

/**
 * Reserves one separate mail to a mailbox; false if this hour's limit is reached, or if deliveries already
 * wait for a digest, which this one must not overtake.
 */
export async function reserveMail({ pool }: Database, mailbox: Buffer, perHour: number): Promise<boolean> {
  const { rows } = await pool.query<{ free: boolean }>({
    name: 'reserve-mail',
    text: `INSERT INTO mailboxes AS m (mailbox_hash, hour_began_at, sent) VALUES ($1, now(), 1)
           ON CONFLICT (mailbox_hash) DO UPDATE SET
             hour_began_at = CASE WHEN m.hour_began_at <= now() - interval '1 hour' THEN now() ELSE m.hour_began_at END,
             sent = CASE WHEN m.hour_began_at <= now() - interval '1 hour' THEN 1 ELSE least(m.sent, $2::int) + 1 END
           RETURNING m.sent <= $2::int AS free`,
    values: [mailbox, perHour],
  })
  return (rows[0]?.free ?? false) && !(await isAwaited({ pool }, mailbox))
}

/** Whether deliveries wait for a mailbox: to be asked once its row was held, so that it sees those that came before. */
async function isAwaited({ pool }: Pick<Database, 'pool'>, mailbox: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'is-mailbox-awaited',
    text: `SELECT FROM deliveries WHERE mailbox_hash = $1 AND state = 'pending' LIMIT 1`,
    values: [mailbox],
  })
  return rowCount !== 0
}

/** Leaves a claimed delivery to the next digest of its mailbox. This does not count as an attempt. */
export async function deferToDigest(
  { pool }: Database,
  holder: string,
  deliveryId: number,
  mailbox: Buffer,
): Promise<void> {
  await pool.query({
    name: 'defer-to-digest',
    text: `WITH box AS (${PLAN_DIGEST})
           UPDATE deliveries d
           SET mailbox_hash = $1, next_attempt_at = box.digest_at, claimed_by = NULL, claimed_until = NULL
           FROM box WHERE d.id = $3 AND d.claimed_by = $2 AND d.state = 'pending'
           RETURNING ${DELIVERY_NOTIFICATION}`,
    values: [mailbox, holder, deliveryId],
  })
}

/** The time of the next digest of a mailbox `$1`, and its row held. */
const PLAN_DIGEST = `UPDATE mailboxes SET digest_at = CASE WHEN digest_at > now() THEN digest_at
    ELSE greatest(now() + ${DIGEST_AFTER_SECONDS} * interval '1 second', digest_at + ${DIGEST_EVERY_SECONDS} * interval '1 second') END
  WHERE mailbox_hash = $1 RETURNING digest_at`

/**
 * Leaves a group that was opened to the next digest of the mailbox of its contact, which has had its mails of the hour. This
 * does not count as an attempt. Nothing is moved that another process has claimed the group of.
 */
export async function moveToMailbox(
  { pool }: Database,
  holder: string,
  group: Pick<Digest, 'messageId'>,
  mailbox: Buffer,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    // The mailbox first, as for every digest.
    await client.query(PLAN_DIGEST, [mailbox])
    if (!(await lockDigest(client, holder, group))) return
    await client.query(
      `UPDATE deliveries d SET mailbox_hash = $2, digest = NULL, claimed_by = NULL, claimed_until = NULL,
         next_attempt_at = (SELECT digest_at FROM mailboxes WHERE mailbox_hash = $2)
       WHERE digest = $1 AND state = 'pending'
       RETURNING ${DELIVERY_NOTIFICATION}`,
      [group.messageId, mailbox],
    )
  })
}

/** Locks what a digest holds in the order of its IDs; false if it is not this process's any more. */
async function lockDigest(
  client: Connection,
  holder: string,
  { messageId }: Pick<Digest, 'messageId'>,
): Promise<boolean> {
  const { rows } = await client.query<{ isOurs: boolean | null }>(
    `SELECT message_id = $1 AND claimed_by = $2 AS "isOurs" FROM deliveries
     WHERE digest = $1 AND state = 'pending' ORDER BY id FOR NO KEY UPDATE`,
    [messageId, holder],
  )
  return rows.some(({ isOurs }) => isOurs)
}

export type Digest = {
  /** Stays the same across attempts, like the contents. */
  messageId: string
  /** The one that leads it. */
  leader: ClaimedDelivery
  /** At least one, which is to be told. */
  deliveries: ClaimedDelivery[]
  /** The alerts that messages of this group have told already, oldest first. */
  told: Alert[]
}

/**
 * Opens the digest that a claimed delivery leads, or creates one from all deliveries waiting for its mailbox, or with
 * its group; `isFor`: whether a delivery still belongs there. Null if another delivery leads the digest. The contents are fixed until the digest is sent or given up. A
 * process that holds a claim on another delivery in it must release that.
 */
export async function openDigest(
  db: Database,
  vault: Vault,
  holder: string,
  leader: Pick<ClaimedDelivery, 'id' | 'messageId'>,
  mailbox: Buffer,
  isFor: (delivery: ClaimedDelivery) => boolean,
): Promise<Digest | null> {
  return inTransaction(db.pool, async (client) => {
    // Serializes the digests of a mailbox: from here on none is made or dissolved.
    await client.query('SELECT FROM mailboxes WHERE mailbox_hash = $1 FOR UPDATE', [mailbox])
    const { rows: own } = await client.query<{ digest: string | null; isLed: boolean }>(
      `SELECT d.digest, ${IS_LED} AS "isLed" FROM deliveries d
       WHERE d.id = $1 AND d.claimed_by = $2 AND d.state = 'pending'`,
      [leader.id, holder],
    )
    // Most of those that are claimed together end here, before they lock what waits.
    if (!own[0] || (own[0].digest !== leader.messageId && own[0].isLed)) return null
    if (!(await lockAwaiting(client, holder, leader, mailbox))) return null
    if (own[0].digest !== leader.messageId) await makeDigest(client, leader.messageId, mailbox)
    const deliveries = await readDigest(client, vault, leader.messageId)
    const isTold = ({ part }: ClaimedDelivery) => part !== null
    const members = deliveries.filter(isFor)
    const untold = members.filter((delivery) => !isTold(delivery))
    await sendSeparately(
      client,
      deliveries.filter((delivery) => !members.includes(delivery) && !isTold(delivery)),
    )
    const leads = members.find(({ id }) => id === leader.id)
    if (leads && untold.length > 0) {
      const told = leads.partsSent > 0 ? await readTold(client, vault, leader.messageId) : []
      return { messageId: leader.messageId, leader: leads, deliveries: untold, told }
    }
    await endTold(client, leader.messageId)
    // A digest without its leader is dissolved; the other deliveries form a new one.
    await client.query(`UPDATE deliveries SET digest = NULL WHERE digest = $1 AND state = 'pending'`, [
      leader.messageId,
    ])
    return null
  })
}

/** Locks all that waits for a mailbox in the order of their IDs; false if the leader is not this process's any more. */
async function lockAwaiting(
  client: Connection,
  holder: string,
  leader: Pick<ClaimedDelivery, 'id'>,
  mailbox: Buffer,
): Promise<boolean> {
  const { rows } = await client.query<{ id: number; isOurs: boolean | null }>(
    `SELECT id, claimed_by = $2 AS "isOurs" FROM deliveries WHERE mailbox_hash = $1 AND state = 'pending'
     ORDER BY id FOR NO KEY UPDATE`,
    [mailbox, holder],
  )
  return rows.some(({ id, isOurs }) => id === leader.id && isOurs)
}

/** Whether the leader of the digest that contains `d` is still waiting to be sent. */
const IS_LED = `EXISTS (SELECT FROM deliveries l WHERE l.message_id = d.digest AND l.state = 'pending')`

async function makeDigest(client: Connection, digest: string, mailbox: Buffer): Promise<void> {
  await client.query('UPDATE mailboxes SET digest_at = now() WHERE mailbox_hash = $1', [mailbox])
  await client.query(
    `UPDATE deliveries d SET digest = $1
     WHERE d.mailbox_hash = $2 AND d.state = 'pending' AND NOT ${IS_LED}`,
    [digest, mailbox],
  )
}

async function readDigest(client: Connection, vault: Vault, digest: string): Promise<ClaimedDelivery[]> {
  const { rows } = await client.query<ClaimedRow>(
    `SELECT ${CLAIMED_COLUMNS} FROM deliveries d JOIN teams t ON t.id = d.team_id
     WHERE d.digest = $1 AND d.state = 'pending' ORDER BY d.id`,
    [digest],
  )
  return rows.map((row) => openDelivery(row, vault))
}

async function readTold(client: Connection, vault: Vault, digest: string): Promise<Alert[]> {
  const { rows } = await client.query<{ alert: unknown }>(
    'SELECT alert FROM deliveries WHERE digest = $1 AND part IS NOT NULL ORDER BY id',
    [digest],
  )
  return rows.map(({ alert }) => openAlert(alert, vault))
}

/** Whether the contact still has this mailbox: it may have been changed or deleted. */
export function isForMailbox({ config }: ClaimedDelivery, mailbox: Buffer): boolean {
  return config !== null && 'email' in config && mailboxHash(config.email).equals(mailbox)
}

/** Sends these deliveries separately, at once. */
async function sendSeparately(client: Connection, deliveries: ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  await client.query(
    `UPDATE deliveries SET mailbox_hash = NULL, digest = NULL, next_attempt_at = now() WHERE id = ANY($1)`,
    [deliveries.map(({ id }) => id)],
  )
  await client.query(`NOTIFY ${DELIVERIES_CHANNEL}`)
}

/** Ends what a message of the group has told, where nothing is left that it would have to lead. */
async function endTold(client: Connection, digest: string): Promise<void> {
  await client.query(
    `UPDATE deliveries d SET state = 'sent', finished_at = now(), claimed_by = NULL, claimed_until = NULL
     WHERE d.digest = $1 AND d.state = 'pending' AND d.part IS NOT NULL RETURNING ${DELIVERY_NOTIFICATION}`,
    [digest],
  )
}

/**
 * Notes that the receiver of a group has taken one message of it, before the next one goes: those that it told are sent.
 * The one that leads stays until all are. False if another process has claimed the group.
 */
export async function settlePart(
  db: Database,
  holder: string,
  digest: Pick<Digest, 'messageId'>,
  part: { number: number; ids: number[] },
  attempt: SettledAttempt,
): Promise<boolean> {
  const { messageId } = digest
  const receipt = (attempt.outcome.kind === 'sent' && attempt.outcome.receipt) || null
  return inTransaction(db.pool, async (client) => {
    if (!(await lockDigest(client, holder, digest))) return false
    await client.query('UPDATE deliveries SET parts_sent = $2 WHERE message_id = $1', [
      messageId,
      part.number,
    ])
    const { rows } = await client.query<{ id: number; attempts: number }>(
      `UPDATE deliveries d
       SET part = $2, attempts = attempts + 1, receipt = $4,
           state = CASE WHEN d.message_id = $1 THEN d.state ELSE 'sent' END,
           finished_at = CASE WHEN d.message_id = $1 THEN NULL ELSE now() END,
           claimed_by = CASE WHEN d.message_id = $1 THEN d.claimed_by END,
           claimed_until = CASE WHEN d.message_id = $1 THEN d.claimed_until END
       WHERE d.id = ANY($3) AND d.digest = $1 AND d.state = 'pending'
       RETURNING d.id, d.attempts, ${DELIVERY_NOTIFICATION}`,
      [messageId, part.number, part.ids, receipt],
    )
    await insertAttempts(client, rows, attempt)
    return true
  })
}

/** Logs one attempt for every delivery in a digest, unless another process has claimed it. */
export async function settleDigest(
  db: Database,
  holder: string,
  digest: Pick<Digest, 'messageId'>,
  attempt: SettledAttempt,
): Promise<void> {
  const receipt = (attempt.outcome.kind === 'sent' && attempt.outcome.receipt) || null
  await inTransaction(db.pool, async (client) => {
    if (!(await lockDigest(client, holder, digest))) return
    const { rows } = await client.query<{ id: number; attempts: number }>(
      `UPDATE deliveries d
       SET state = CASE WHEN $2 = 'failed' AND part IS NOT NULL THEN 'sent' ELSE $2 END,
           attempts = attempts + 1, claimed_by = NULL, claimed_until = NULL,
           next_attempt_at = now() + coalesce($3::float8, 0) * interval '1 second',
           finished_at = CASE WHEN $2 = 'pending' THEN NULL ELSE now() END,
           receipt = CASE WHEN part IS NULL THEN $4 ELSE receipt END
       WHERE d.digest = $1 AND d.state = 'pending'
       RETURNING d.id, d.attempts, ${DELIVERY_NOTIFICATION}`,
      [digest.messageId, stateAfter(attempt), attempt.nextDelaySeconds, receipt],
    )
    await insertAttempts(client, rows, attempt)
  })
}

/** Deletes some mailboxes that got no mail since `cutoff`; true if there may be more. */
export async function removeSomeMailboxes(db: Database, cutoff: Date): Promise<boolean> {
  return removeSome(db, {
    ...{ table: 'mailboxes', key: ['mailbox_hash'] },
    where: `hour_began_at < $1 AND NOT EXISTS (
      SELECT FROM deliveries d WHERE d.mailbox_hash = kept.mailbox_hash AND d.state = 'pending')`,
    values: [cutoff],
  })
}
