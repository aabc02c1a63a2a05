import { sql } from 'kysely'
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
