import { createHash } from 'node:crypto'
import {
  FIRST_GROUP,
  GROUP_WINDOW_SECONDS,
  type GroupKind,
  NEXT_GROUP,
  STORM_ENDS_AFTER_SECONDS,
} from '../../core/alerting/grouping.ts'
import { type Database, inTransaction } from '../../postgres/database.ts'
import { DELIVERY_NOTIFICATION } from '../news.ts'

/** Alerts of one contact that wait to be sent together. They wait as those do that go into the digest of a mailbox. */

/** The key by which the deliveries of a contact wait for each other. */
export function groupHash(contactId: number): Buffer {
  return createHash('sha256').update(`group of contact ${contactId}`).digest()
}

function windowHash(contactId: number, kind: GroupKind): Buffer {
  return createHash('sha256').update(`${kind} window of contact ${contactId}`).digest()
}

/**
 * Whether an alert goes to the contact on its own: the last message of trouble is a while ago (of a recovery, the last one
 * that went alone), and none waits, which it would overtake.
 */
export async function reserveAlone({ pool }: Database, contactId: number, kind: GroupKind): Promise<boolean> {
  const { rows } = await pool.query<{ free: boolean }>({
    name: 'reserve-alone',
    text: `INSERT INTO mailboxes AS m (mailbox_hash, hour_began_at, sent) VALUES ($1, now(), 1)
           ON CONFLICT (mailbox_hash) DO UPDATE SET
             hour_began_at = CASE WHEN m.hour_began_at <= now() - $3 * interval '1 second' THEN now() ELSE m.hour_began_at END,
             sent = CASE WHEN m.hour_began_at <= now() - $3 * interval '1 second' THEN 1 ELSE 2 END
           RETURNING m.sent = 1 AND NOT EXISTS (
             SELECT FROM deliveries d WHERE d.mailbox_hash = $2 AND d.state = 'pending')
             AND NOT ($4 AND EXISTS (SELECT FROM mailboxes g WHERE g.mailbox_hash = $2
               AND g.digest_at > now() - $3 * interval '1 second')) AS free`,
    values: [windowHash(contactId, kind), groupHash(contactId), GROUP_WINDOW_SECONDS, kind === 'trouble'],
  })
  return rows[0]?.free ?? false
}

/**
 * Leaves a claimed delivery to the next group of its contact, which waits for more while more come. Its row holds when
 * its first alert came, the place of the group in a storm, and when it goes. This does not count as an attempt.
 */
export async function deferToGroup(
  { pool }: Database,
  holder: string,
  { id, contactId }: { id: number; contactId: number },
): Promise<void> {
  const group = groupHash(contactId)
  await inTransaction(pool, async (client) => {
    // Waits for a group that goes at this moment: what comes then is the first of the next one.
    await client.query({
      name: 'hold-group',
      text: `INSERT INTO mailboxes AS m (mailbox_hash, hour_began_at, sent) VALUES ($1, now(), 0)
             ON CONFLICT (mailbox_hash) DO UPDATE SET sent = m.sent`,
      values: [group],
    })
    await client.query({
      name: 'defer-to-group',
      text: `WITH collecting AS (
               SELECT EXISTS (SELECT FROM deliveries w
                              WHERE w.mailbox_hash = $3 AND w.state = 'pending' AND w.digest IS NULL) AS so),
             place AS (
               SELECT so, m.mailbox_hash, CASE WHEN so THEN m.hour_began_at ELSE now() END AS began_at,
                 CASE WHEN so THEN m.sent WHEN m.digest_at > now() - $8 * interval '1 second' THEN 1 ELSE 0 END AS nth
               FROM mailboxes m, collecting WHERE m.mailbox_hash = $3),
             began AS (
               UPDATE mailboxes m SET hour_began_at = began_at, sent = nth,
                 digest_at = CASE WHEN so AND m.digest_at <= now() THEN m.digest_at
                   WHEN nth = 0 THEN least(began_at + $5 * interval '1 second', now() + $4 * interval '1 second')
                   ELSE least(began_at + $7 * interval '1 second', now() + $6 * interval '1 second') END
               FROM place WHERE m.mailbox_hash = place.mailbox_hash RETURNING m.digest_at)
             UPDATE deliveries d
             SET mailbox_hash = $3, next_attempt_at = began.digest_at, claimed_by = NULL, claimed_until = NULL
             FROM began WHERE d.id = $2 AND d.claimed_by = $1 AND d.state = 'pending'
             RETURNING ${DELIVERY_NOTIFICATION}`,
      values: [
        holder,
        id,
        group,
        FIRST_GROUP.quietSeconds,
        FIRST_GROUP.atMostSeconds,
        NEXT_GROUP.quietSeconds,
        NEXT_GROUP.atMostSeconds,
        STORM_ENDS_AFTER_SECONDS,
      ],
    })
  })
}

/** Puts a claimed delivery off while its group waits for more; false if the group goes now, or went and is tried again. */
export async function putOffWithGroup(
  { pool }: Database,
  holder: string,
  { id, contactId }: { id: number; contactId: number },
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'put-off-with-group',
    text: `UPDATE deliveries d SET next_attempt_at = m.digest_at, claimed_by = NULL, claimed_until = NULL
           FROM mailboxes m
           WHERE m.mailbox_hash = $3 AND m.digest_at > now()
             AND d.id = $1 AND d.claimed_by = $2 AND d.state = 'pending' AND d.digest IS NULL`,
    values: [id, holder, groupHash(contactId)],
  })
  return rowCount !== 0
}
