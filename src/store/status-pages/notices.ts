import { type RawBuilder, sql } from 'kysely'
import type { Query } from '../../postgres/database.ts'

/** Messages to subscribers may be due. */
export const NOTICES_CHANNEL = 'upbeat_status_notices'

/** Asks a webhook to confirm. */
export async function queueConfirmation(query: Query, subscriberId: number): Promise<void> {
  await sql`WITH queued AS (
      INSERT INTO status_notices (update_id, subscriber_id)
      SELECT NULL, ${subscriberId}::int
      WHERE NOT EXISTS (SELECT FROM status_notices
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
      INSERT INTO status_notices (update_id, subscriber_id)
      SELECT ${updateId}::int, s.id
      FROM status_subscribers s JOIN status_pages p ON p.id = s.page_id
      WHERE s.page_id = ${pageId} AND p.is_published AND p.allows_subscribers
        AND s.confirmed_at IS NOT NULL AND s.refused_at IS NULL
        AND (s.component_ids IS NULL OR s.component_ids && ${componentIds}::int[])
      ON CONFLICT DO NOTHING
      RETURNING 1)
    SELECT pg_notify(${NOTICES_CHANNEL}, '') WHERE EXISTS (SELECT FROM queued)`.execute(query)
}

/** Behind `WITH gone AS (DELETE FROM status_notices …)`: keeps in mind how many of them each update was told by. */
export const KEEP_TOLD = `counted AS (
    SELECT update_id, count(*) FILTER (WHERE state = 'sent') AS sent, count(*) FILTER (WHERE state = 'failed') AS failed
    FROM gone WHERE update_id IS NOT NULL AND state <> 'pending' GROUP BY update_id),
  told AS (
    UPDATE status_updates u SET sent_before = u.sent_before + c.sent, failed_before = u.failed_before + c.failed
    FROM counted c WHERE u.id = c.update_id)
  SELECT FROM gone`

/** Deletes the messages of subscribers who go. `who`: a condition on the messages. */
export async function forgetNotices(query: Query, who: RawBuilder<unknown>): Promise<void> {
  await sql`WITH gone AS (DELETE FROM status_notices WHERE ${who} RETURNING update_id, state), ${sql.raw(KEEP_TOLD)}`.execute(
    query,
  )
}
