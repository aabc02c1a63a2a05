import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { MonitorSettings } from '../../core/monitors/monitor.ts'
import { isGroup } from '../../core/monitors/monitor-types.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'
import { resolveQuietly } from '../incidents/recording.ts'
import { changeNotification } from '../news.ts'
import { updateRecord } from '../records.ts'
import type { Vault } from '../sealing/vault.ts'
import { sealSettings } from './monitor-columns.ts'

/** A locked monitor, with the fields needed to pause or resume it. */
export type HeldMonitor = Pick<
  MonitorSettings,
  'type' | 'is_active' | 'check_interval_minutes' | 'check_interval_seconds' | 'options'
> & { id: number }

/**
 * Locks monitors until the transaction ends, in the order of their IDs, against changes by users and the recorder.
 * Skips deleted monitors and those of other teams.
 */
export async function lockMonitors(query: Query, teamId: number, ids: number[]): Promise<HeldMonitor[]> {
  const held = await query
    .selectFrom('monitors')
    .select(['id', 'type', 'is_active', 'check_interval_minutes', 'check_interval_seconds', 'options'])
    .where('team_id', '=', teamId)
    .where('id', '=', anyOf(ids))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    // Not FOR UPDATE: the recorder's new incidents refer to the monitor, and must not wait for us.
    .forNoKeyUpdate()
    .execute()
  // As the recorder does: the states of groups after those of their members.
  for (const part of [false, true]) {
    const ids = held.filter(({ type }) => isGroup(type) === part).map(({ id }) => id)
    if (ids.length > 0) await lockStatesOf(query, ids)
  }
  return held
}

async function lockStatesOf(query: Query, monitorIds: number[]): Promise<void> {
  await query
    .selectFrom('monitor_state')
    .select('monitor_id')
    .where('monitor_id', '=', anyOf(monitorIds))
    .orderBy('monitor_id')
    .forNoKeyUpdate()
    .execute()
}

/** Writes all settings of a locked monitor. */
export async function updateMonitor(
  query: Query,
  vault: Vault,
  teamId: number,
  monitorId: number,
  settings: MonitorSettings,
): Promise<void> {
  const columns = sealSettings(monitorId, settings, vault)
  await updateRecord(query, 'monitors', { teamId, id: monitorId }, columns)
}

export async function updateState(
  query: Query,
  monitorId: number,
  state: { heartbeatDueAt?: Date | null; sslExpiresAt?: null },
): Promise<void> {
  await query
    .updateTable('monitor_state')
    .set({
      monitor_id: monitorId, // an update of nothing is still an update
      heartbeat_due_at: state.heartbeatDueAt,
      ssl_expires_at: state.sslExpiresAt,
    })
    .where('monitor_id', '=', monitorId)
    .execute()
}

export async function setActive(
  query: Query,
  teamId: number,
  ids: number[],
  isActive: boolean,
): Promise<void> {
  await updateMonitors(query, teamId, ids, { is_active: isActive })
}

async function updateMonitors(
  query: Query,
  teamId: number,
  ids: number[],
  changes: { is_active: boolean } | { deleted_at: Date },
): Promise<void> {
  await query
    .updateTable('monitors')
    .set(changes)
    .where('team_id', '=', teamId)
    .where('id', '=', anyOf(ids))
    .returning(changeNotification(teamId, 'monitors').as('notified'))
    .execute()
}

/** Resets states to `pending`, as for new monitors. Heartbeats get their first deadlines. */
export async function resetStates(
  query: Query,
  states: { id: number; heartbeatDueAt: Date | null }[],
  now: Date,
): Promise<void> {
  const ids = states.map(({ id }) => id)
  const deadlines = states.map(({ heartbeatDueAt }) => heartbeatDueAt)
  await sql`
    UPDATE monitor_state s SET status = 'pending', status_since = ${now}, heartbeat_due_at = n.due_at
    FROM unnest(${ids}::int[], ${deadlines}::timestamptz[]) AS n (id, due_at)
    WHERE s.monitor_id = n.id`.execute(query)
}

/** Resolves open incidents without an alert, for a pause or a deletion. */
export async function resolveIncidentsQuietly(query: Query, ids: number[], now: Date): Promise<void> {
  await resolveQuietly(query, { kind: 'monitor', ids }, now)
  await query
    .updateTable('monitor_state')
    .set({ open_incident_id: null, held_since: null })
    .where('monitor_id', '=', anyOf(ids))
    .where('open_incident_id', 'is not', null)
    .execute()
}

/** Removes monitors from the team and keeps their history. */
export async function markDeleted(query: Query, teamId: number, ids: number[], now: Date): Promise<void> {
  await updateMonitors(query, teamId, ids, { deleted_at: now })
}

/** Locks a deleted monitor; undefined if there is none with this ID. */
export async function lockDeletedMonitor(query: Query, monitorId: number) {
  const held = await query
    .selectFrom('monitors')
    .select([
      'id',
      'team_id as teamId',
      'type',
      'check_interval_minutes',
      'check_interval_seconds',
      'options',
    ])
    .where('id', '=', monitorId)
    .where('deleted_at', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (held) await lockStatesOf(query, [held.id])
  return held
}

export async function unmarkDeleted(query: Query, teamId: number, monitorId: number): Promise<void> {
  await updateRecord(query, 'monitors', { teamId, id: monitorId }, { deleted_at: null })
}

export function hashHeartbeatToken(token: string): Buffer {
  return hash('sha256', token.toLowerCase(), 'buffer')
}

/** Makes the scheduler reload the monitors. Results of checks that are in progress are dropped. */
export async function renewRevisions(query: Query, ids: number[]): Promise<void> {
  await sql`
    WITH renewed AS (
      UPDATE monitors SET revision = nextval('monitor_revisions'), changed_at = now() WHERE id = ANY(${ids}::int[])
      RETURNING id, revision, is_active AND deleted_at IS NULL AS judged
    )
    UPDATE monitor_state s SET revision = CASE WHEN r.judged THEN r.revision END, failed_attempts = 0,
      unwell_attempts = 0, next_attempt_at = NULL
    FROM renewed r WHERE s.monitor_id = r.id`.execute(query)
}
