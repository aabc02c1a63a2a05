import { sql } from 'kysely'
import type { ServerSettings } from '../../core/servers/server.ts'
import type { Query } from '../../postgres/database.ts'
import { insertContacts, replaceContacts } from '../alerting/attachments.ts'
import { resolveQuietly } from '../incidents/recording.ts'
import { insertRecord, updateRecord } from '../records.ts'
import { hashSecret, sealSecret } from '../sealing/secret-addresses.ts'
import type { Vault } from '../sealing/vault.ts'

/** The server waits for its first report. */
export async function insertServer(
  query: Query,
  vault: Vault,
  teamId: number,
  { name, is_active, thresholds, contact_ids }: ServerSettings,
  token: string,
): Promise<number> {
  const id = await insertRecord(query, 'servers', teamId, (own) => ({
    ...{ name, is_active, thresholds: JSON.stringify(thresholds) },
    token: sealSecret(vault, 'server', own, token),
    token_hash: hashSecret('server', token),
  }))
  await query.insertInto('server_state').values({ server_id: id }).execute()
  await insertContacts(query, { kind: 'server', id }, contact_ids)
  return id
}

/** Writes all settings of a locked server. */
export async function updateServer(
  query: Query,
  teamId: number,
  serverId: number,
  { name, is_active, thresholds, contact_ids }: ServerSettings,
): Promise<void> {
  const columns = { name, is_active, thresholds: JSON.stringify(thresholds) }
  await updateRecord(query, 'servers', { teamId, id: serverId }, columns)
  await replaceContacts(query, { kind: 'server', id: serverId }, contact_ids)
}

/** A server that never reported is not silent: it waits for its first report. Null: silence is not judged. */
export async function moveSilence(
  query: Query,
  serverId: number,
  silence: { since: 'last report' | Date; seconds: number } | null,
): Promise<void> {
  const since = silence?.since === 'last report' ? sql`last_report_at` : sql`${silence?.since}::timestamptz`
  await query
    .updateTable('server_state')
    .set({
      silent_at: silence
        ? sql<Date | null>`CASE WHEN last_report_at IS NOT NULL
            THEN ${since} + ${silence.seconds} * interval '1 second' END`
        : null,
    })
    .where('server_id', '=', serverId)
    .execute()
}

/**
 * Ends the judging of a locked server, without an alert: its incidents are resolved, and its time counts as unknown until
 * the next report. What was counted before says nothing of rates after.
 */
export async function stopJudging(query: Query, serverId: number, now: Date): Promise<void> {
  await resolveQuietly(query, { kind: 'server', ids: [serverId] }, now)
  await sql`
    WITH before AS (SELECT status FROM server_state WHERE server_id = ${serverId}), changed AS (
      UPDATE server_state SET status = 'pending', status_since = ${now}, silent_at = NULL, conditions = '[]',
        hosted_conditions = '[]', counters = NULL, trends = NULL
      WHERE server_id = ${serverId} RETURNING server_id)
    INSERT INTO subject_status_changes (kind, subject_id, at, status)
    SELECT 'server', server_id, ${now}::timestamptz, 'pending' FROM changed, before WHERE before.status <> 'pending'
    ON CONFLICT (kind, subject_id, at) DO UPDATE SET status = excluded.status`.execute(query)
}
