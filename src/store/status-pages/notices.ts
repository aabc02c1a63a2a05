import { type RawBuilder, sql } from 'kysely'
import type { Connection, Query } from '../../postgres/database.ts'
import { agreed } from '../accounts/asked-addresses.ts'
import type { OwnRow } from '../sealing/secret-addresses.ts'

/** Messages to subscribers may be due. */
export const NOTICES_CHANNEL = 'upbeat_status_notices'

/** Asks a webhook to confirm. */
export async function queueConfirmation(query: Query, { teamId, id: subscriberId }: OwnRow): Promise<void> {
  await sql`WITH queued AS (
      INSERT INTO status_notices (update_id, subscriber_id, team_id)
      SELECT NULL, s.id, s.team_id FROM status_subscribers s
      WHERE s.team_id = ${teamId} AND s.id = ${subscriberId}::int AND NOT EXISTS (SELECT FROM status_notices
        WHERE subscriber_id = ${subscriberId} AND update_id IS NULL AND state = 'pending')
      RETURNING 1)
    SELECT pg_notify(${NOTICES_CHANNEL}, '') WHERE EXISTS (SELECT FROM queued)`.execute(query)
}

/**
 * Queues a message about an update to everyone who wants to hear of its post: whole pages, and any of `componentIds`.
 * In the transaction of the update, so that none is lost and none is sent of what was not written.
 */
export async function queueNotices(
  query: Query,
  { pageId, updateId, componentIds }: { pageId: number; updateId: number; componentIds: number[] },
): Promise<void> {
  await sql`WITH queued AS (
      INSERT INTO status_notices (update_id, subscriber_id, team_id)
      SELECT ${updateId}::int, s.id, s.team_id
      FROM status_subscribers s JOIN status_pages p ON p.id = s.page_id
      WHERE s.page_id = ${pageId} AND p.is_published AND p.allows_subscribers
        AND ${agreed('s.')}
        AND (s.component_ids IS NULL OR s.component_ids && ${componentIds}::int[])
      ON CONFLICT DO NOTHING
      RETURNING 1)
    SELECT pg_notify(${NOTICES_CHANNEL}, '') WHERE EXISTS (SELECT FROM queued)`.execute(query)
}

/** Behind `WITH gone AS (DELETE FROM status_notices …)`: keeps in mind how many of them each update was told by. */
export const KEEP_TOLD = `counted AS (
    SELECT update_id, count(*) FILTER (WHERE state = 'sent') AS sent, count(*) FILTER (WHERE state = 'failed') AS failed
    FROM gone WHERE update_id IS NOT NULL AND state <> 'pending' GROUP BY update_id),
  held_updates AS (
    SELECT id FROM status_updates WHERE id = ANY(ARRAY(SELECT update_id FROM counted)) ORDER BY id FOR NO KEY UPDATE),
  told AS (
    UPDATE status_updates u SET sent_before = u.sent_before + c.sent, failed_before = u.failed_before + c.failed
    FROM held_updates held JOIN counted c ON c.update_id = held.id WHERE u.id = held.id)`

/**
 * Deletes subscribers with their messages. `who`: a condition on the subscribers. They are locked before their messages, as
 * whoever learns that an address refuses does.
 */
export async function removeSubscribers(
  query: Query,
  who: RawBuilder<unknown>,
  returning: RawBuilder<unknown>,
): Promise<void> {
  await sql`WITH leaving AS (SELECT id FROM status_subscribers WHERE ${who} ORDER BY id FOR UPDATE),
    held AS (
      SELECT id FROM status_notices WHERE subscriber_id = ANY(ARRAY(SELECT id FROM leaving)) ORDER BY id FOR UPDATE),
    gone AS (DELETE FROM status_notices n USING held WHERE n.id = held.id RETURNING n.update_id, n.state),
    ${sql.raw(KEEP_TOLD)}
    DELETE FROM status_subscribers s USING leaving WHERE s.id = leaving.id RETURNING ${returning}`.execute(
    query,
  )
}

/** Locks a subscriber and the messages that wait for it until the transaction ends: in this order everywhere. */
export async function holdSubscriber(
  client: Pick<Connection, 'query'>,
  { teamId, id }: OwnRow,
): Promise<void> {
  await client.query('SELECT FROM status_subscribers WHERE team_id = $1 AND id = $2 FOR NO KEY UPDATE', [
    teamId,
    id,
  ])
  await client.query(
    `SELECT FROM status_notices WHERE subscriber_id = $1 AND state = 'pending' ORDER BY id FOR NO KEY UPDATE`,
    [id],
  )
}
