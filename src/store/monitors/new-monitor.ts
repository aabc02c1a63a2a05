import { CompiledQuery } from 'kysely'
import type { MonitorSettings } from '../../core/monitors/monitor.ts'
import { SLOTS } from '../../core/probing/slot.ts'
import { plainPartOf } from '../../core/teams/plain-address.ts'
import type { Query } from '../../postgres/database.ts'
import { nextId } from '../../postgres/next-id.ts'
import { NEWS_CHANNEL } from '../news.ts'
import { MONITORS_CHANNEL } from '../probing/schedule.ts'
import type { Vault } from '../sealing/vault.ts'
import { hashHeartbeatToken } from './monitor-changes.ts'
import { SETTING_COLUMNS, sealHeartbeatToken, sealSettings } from './monitor-columns.ts'
import { type MonitorRecord, NEW_COLUMNS, openMonitor, type SealedMonitor } from './monitors.ts'

export type NewMonitor = MonitorSettings & { heartbeat_token: string | null }

/**
 * Writes a monitor with its state, and a pause where it is not active, in one statement, which announces it: to those who
 * watch the team, and to schedulers if `announces` says so and there is something to check. `heartbeatDueMs`: how long
 * after its creation, by the database's clock, a heartbeat is due first. Returns it as it is stored.
 */
export async function insertMonitor(
  query: Query,
  vault: Vault,
  teamId: number,
  monitor: NewMonitor,
  { heartbeatDueMs, announces }: { heartbeatDueMs: number | null; announces: boolean },
): Promise<MonitorRecord> {
  const { heartbeat_token: token, ...settings } = monitor
  // Only secrets are bound to the id; without them the statement takes one itself.
  const hasSecrets =
    token !== null ||
    settings.request_headers !== null ||
    settings.password !== null ||
    (settings.url !== null && plainPartOf(settings.url) !== settings.url)
  const id = hasSecrets ? await nextId(query, 'monitors') : null
  const sealed = sealSettings(id ?? 0, settings, vault)
  const { rows } = await query.executeQuery<SealedMonitor>(
    CompiledQuery.raw(INSERT, [
      id,
      teamId,
      Math.floor(Math.random() * SLOTS),
      token && sealHeartbeatToken(token, id ?? 0, vault),
      token && hashHeartbeatToken(token),
      heartbeatDueMs,
      announces,
      sealed.sealed_url,
      ...SETTING_COLUMNS.map((column) => sealed[column]),
    ]),
  )
  return openMonitor(rows[0] as SealedMonitor, vault)
}

const FIRST_SETTING = 9

/** The state takes the revision from the monitor; the last part sees what the others return, and nothing they wrote. */
const INSERT = `
  WITH made AS (
    INSERT INTO monitors (id, team_id, slot, heartbeat_token, heartbeat_token_hash, sealed_url,
      ${SETTING_COLUMNS.join(', ')})
    VALUES (coalesce($1::int, nextval(pg_get_serial_sequence('monitors', 'id'))::int), $2, $3, $4, $5, $8,
      ${SETTING_COLUMNS.map((_, index) => `$${FIRST_SETTING + index}`).join(', ')})
    RETURNING *
  ), state AS (
    INSERT INTO monitor_state (monitor_id, revision, heartbeat_due_at)
    SELECT id, CASE WHEN is_active THEN revision END, created_at + $6::float8 * interval '1 ms' FROM made
    RETURNING *
  ), paused AS (
    INSERT INTO monitor_pauses (monitor_id, paused_at) SELECT id, created_at FROM made WHERE NOT is_active
  )
  SELECT ${NEW_COLUMNS},
    pg_notify('${NEWS_CHANNEL}', json_build_object('team_id', m.team_id, 'event', 'monitors', 'data', '{}'::json)::text),
    CASE WHEN $7 AND m.is_active THEN pg_notify('${MONITORS_CHANNEL}', m.id::text) END
  FROM made m CROSS JOIN state s`
