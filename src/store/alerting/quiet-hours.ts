import { sql } from 'kysely'
import type { QuietHours } from '../../core/alerting/quiet-hours.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { DELIVERIES_CHANNEL, DELIVERY_NOTIFICATION } from '../news.ts'
import { updateRecord } from '../records.ts'
import type { ClaimedDelivery } from './deliveries.ts'

export async function readQuietHours(
  query: Query,
  teamId: number,
  contactId: number,
): Promise<QuietHours | null> {
  const row = await query
    .selectFrom('contacts')
    .select('quiet_hours')
    .where('team_id', '=', teamId)
    .where('id', '=', contactId)
    .executeTakeFirst()
  return row?.quiet_hours ?? null
}

/** Makes held alerts of the contact due again: they go, or are judged by the new hours. False if there is no such contact. */
export async function updateQuietHours(
  db: Database,
  teamId: number,
  contactId: number,
  rule: QuietHours | null,
): Promise<boolean> {
  return db.query.transaction().execute(async (query) => {
    const quiet_hours = rule && JSON.stringify(rule)
    if (!(await updateRecord(query, 'contacts', { teamId, id: contactId }, { quiet_hours }))) return false
    await sql`
      WITH held AS (
        SELECT id FROM deliveries WHERE contact_id = ${contactId} AND state = 'pending' AND held_until > now()
        ORDER BY id FOR NO KEY UPDATE)
      UPDATE deliveries d SET held_until = now(), next_attempt_at = now() FROM held WHERE d.id = held.id
      RETURNING ${sql.raw(DELIVERY_NOTIFICATION)}, pg_notify(${DELIVERIES_CHANNEL}, '')`.execute(query)
    return true
  })
}

/**
 * Holds a claimed delivery until an instant, or drops it, as the quiet hours of its contact say. This does not count as
 * an attempt. False if the contact, or its hours, are no longer as they were claimed.
 */
export async function keepQuiet(
  { pool }: Database,
  holder: string,
  { id, teamId, contactId, quietHours }: Pick<ClaimedDelivery, 'id' | 'teamId' | 'contactId' | 'quietHours'>,
  until: Date,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'keep-quiet',
    text: `WITH rule AS (
             -- A change of the hours that is under way comes before or after this, never between.
             SELECT c.quiet_hours ->> 'action' AS action FROM contacts c
             WHERE c.team_id = $6 AND c.id = $3 AND c.quiet_hours = $4::jsonb FOR SHARE)
           UPDATE deliveries d
           SET state = CASE rule.action WHEN 'drop' THEN 'dropped' ELSE 'pending' END,
               finished_at = CASE rule.action WHEN 'drop' THEN now() END,
               held_until = $5, next_attempt_at = $5, claimed_by = NULL, claimed_until = NULL
           FROM rule WHERE d.id = $1 AND d.claimed_by = $2 AND d.state = 'pending'
           RETURNING ${DELIVERY_NOTIFICATION}`,
    values: [id, holder, contactId, JSON.stringify(quietHours), until, teamId],
  })
  return rowCount !== 0
}

/** Drops the claimed recovery from an outage that quiet hours kept from its contact. This does not count as an attempt. */
export async function dropUntold({ pool }: Database, holder: string, id: number): Promise<void> {
  await pool.query({
    name: 'drop-untold',
    text: `UPDATE deliveries d SET state = 'dropped', finished_at = now(), claimed_by = NULL, claimed_until = NULL
           WHERE d.id = $1 AND d.claimed_by = $2 AND d.state = 'pending' RETURNING ${DELIVERY_NOTIFICATION}`,
    values: [id, holder],
  })
}
