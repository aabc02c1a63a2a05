import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { CheckStatus } from '../core/check.ts'
import type { Query } from './database.ts'
import { sealHeartbeatToken, sealSecrets } from './monitor-secrets.ts'
import type { MonitorSettings } from './monitors.ts'
import { NEWS_CHANNEL, tellingOf } from './news.ts'
import type { Vault } from './vault.ts'

/** Work is shared in this many parts; a fixed number, so that a monitor never changes its slot. */
export const SLOTS = 1_024

/** Holds a monitor until the transaction ends: changes of people and of the recorder take turns. */
export async function lockMonitor(query: Query, teamId: number, monitorId: number): Promise<boolean> {
  const row = await query
    .selectFrom('monitors as m')
    .innerJoin('monitor_state as s', 's.monitor_id', 'm.id')
    .select('m.id')
    .where('m.team_id', '=', teamId)
    .where('m.id', '=', monitorId)
    .where('m.deleted_at', 'is', null)
    // Not FOR UPDATE: the recorder's new incidents refer to the monitor, and must not wait for us.
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function insertMonitor(
  query: Query,
  vault: Vault,
  teamId: number,
  settings: MonitorSettings,
  heartbeatDueAt: Date | null,
): Promise<number> {
  const { id, revision } = await query
    .insertInto('monitors')
    .values({
      ...toColumns(settings, vault),
      team_id: teamId,
      heartbeat_token: settings.heartbeatToken && sealHeartbeatToken(settings.heartbeatToken, vault),
      heartbeat_token_hash: settings.heartbeatToken ? hashHeartbeatToken(settings.heartbeatToken) : null,
      slot: Math.floor(Math.random() * SLOTS),
    })
    .returning(['id', 'revision', tellingOf(teamId, 'monitors').as('told')])
    .executeTakeFirstOrThrow()
  await query
    .insertInto('monitor_state')
    .values({
      monitor_id: id,
      revision: settings.isActive ? revision : null,
      heartbeat_due_at: heartbeatDueAt,
    })
    .execute()
  return id
}

/** Writes all settings of a locked monitor. */
export async function updateMonitor(
  query: Query,
  vault: Vault,
  teamId: number,
  monitorId: number,
  settings: MonitorSettings,
): Promise<void> {
  await query
    .updateTable('monitors')
    .set(toColumns(settings, vault))
    .where('team_id', '=', teamId)
    .where('id', '=', monitorId)
    .returning(tellingOf(teamId, 'monitors').as('told'))
    .execute()
}

export async function updateState(
  query: Query,
  monitorId: number,
  state: {
    status?: CheckStatus
    heartbeatDueAt?: Date | null
    sslExpiresAt?: null
  },
): Promise<void> {
  await query
    .updateTable('monitor_state')
    .set({
      monitor_id: monitorId, // an update of nothing is still an update
      status: state.status,
      heartbeat_due_at: state.heartbeatDueAt,
      ssl_expires_at: state.sslExpiresAt,
    })
    .where('monitor_id', '=', monitorId)
    .execute()
}

/** Resolves the open incident without an alert, as a pause and a deletion do. */
export async function resolveIncidentQuietly(query: Query, monitorId: number, now: Date): Promise<void> {
  await query
    .updateTable('incidents')
    .set({ resolved_at: sql<Date>`greatest(started_at, ${now}::timestamptz)` })
    .where('monitor_id', '=', monitorId)
    .where('resolved_at', 'is', null)
    .returning(
      sql`pg_notify(${NEWS_CHANNEL}, json_build_object('team_id', team_id, 'event', 'incident', 'data',
            json_build_object('id', id, 'monitor_id', monitor_id, 'state', 'resolved'))::text)`.as('told'),
    )
    .execute()
  await query
    .updateTable('monitor_state')
    .set({ open_incident_id: null })
    .where('monitor_id', '=', monitorId)
    .execute()
}

/** Takes a monitor out of the team; its history stays. */
export async function markDeleted(query: Query, teamId: number, monitorId: number, now: Date): Promise<void> {
  await query
    .updateTable('monitors')
    .set({ deleted_at: now })
    .where('team_id', '=', teamId)
    .where('id', '=', monitorId)
    .returning(tellingOf(teamId, 'monitors').as('told'))
    .execute()
  await renewRevision(query, monitorId)
}

/** The team of a deleted monitor, locked; null when there is no such deleted monitor. */
export async function lockDeletedMonitor(query: Query, monitorId: number) {
  return query
    .selectFrom('monitors')
    .select(['team_id', 'name', 'type', 'check_interval_minutes', 'check_interval_seconds'])
    .where('id', '=', monitorId)
    .where('deleted_at', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function unmarkDeleted(query: Query, teamId: number, monitorId: number): Promise<void> {
  await query
    .updateTable('monitors')
    .set({ deleted_at: null })
    .where('team_id', '=', teamId)
    .where('id', '=', monitorId)
    .returning(tellingOf(teamId, 'monitors').as('told'))
    .execute()
  await renewRevision(query, monitorId)
}

export function hashHeartbeatToken(token: string): Buffer {
  return createHash('sha256').update(token.toLowerCase()).digest()
}

/** Makes the scheduler read the monitor anew; a check that is under way is not judged. */
export async function renewRevision(query: Query, monitorId: number): Promise<void> {
  const { revision, judged } = await query
    .updateTable('monitors')
    .set({ revision: sql<number>`nextval('monitor_revisions')`, changed_at: sql<Date>`now()` })
    .where('id', '=', monitorId)
    .returning(['revision', sql<boolean>`is_active AND deleted_at IS NULL`.as('judged')])
    .executeTakeFirstOrThrow()
  await query
    .updateTable('monitor_state')
    .set({ revision: judged ? revision : null })
    .where('monitor_id', '=', monitorId)
    .execute()
}

function toColumns(settings: MonitorSettings, vault: Vault) {
  return {
    name: settings.name,
    type: settings.type,
    url: settings.url,
    is_active: settings.isActive,
    check_interval_minutes: settings.checkIntervalMinutes,
    check_interval_seconds: settings.checkIntervalSeconds,
    http_method: settings.httpMethod,
    expected_status_codes: settings.expectedStatusCodes,
    expected_keyword: settings.expectedKeyword,
    port: settings.port,
    request_timeout_seconds: settings.requestTimeoutSeconds,
    ...sealSecrets(settings, vault),
    username: settings.username,
    ssl_expiry_warning_days: settings.sslExpiryWarningDays,
  }
}
