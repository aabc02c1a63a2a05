import type { MonitorType } from '../../core/monitors/monitor.ts'
import type { Database } from '../../postgres/database.ts'
import { quarterOf } from '../history/quarters.ts'
import { IS_PROBED } from '../probing/schedule.ts'

/**
 * An active monitor whose last judged check failed under a window, or that is down: a window may begin and end before its
 * next check.
 */
export type FailingMonitor = {
  monitorId: number
  revision: number
  type: MonitorType
  isDown: boolean
  statusSince: Date
  lastCheckedAt: Date
  checkRequestedAt: Date | null
}

/** A heartbeat or group that is down is told down, and cannot be checked. */
export async function readFailing({ pool }: Database): Promise<FailingMonitor[]> {
  const { rows } = await pool.query<FailingMonitor>({
    name: 'read-failing-under-maintenance',
    text: `SELECT s.monitor_id AS "monitorId", m.revision, m.type, s.status_since AS "statusSince",
                  s.last_checked_at AS "lastCheckedAt", m.check_requested_at AS "checkRequestedAt",
                  s.status = 'down' AS "isDown"
           FROM monitor_state s JOIN monitors m ON m.id = s.monitor_id JOIN teams t ON t.id = m.team_id
           WHERE s.status IN ('maintenance', 'down') AND s.revision IS NOT NULL
             AND (s.status = 'maintenance' OR t.maintenance_revision > 0 AND ${IS_PROBED})
           ORDER BY s.monitor_id`,
  })
  return rows
}

/**
 * Changes when monitors begin or stop failing, and when windows change: a tenth of the price of reading them
 * all. Not of every exchange of one monitor for another. Null: none is failing.
 */
export async function readFailingMark({ pool }: Database): Promise<string | null> {
  const { rows } = await pool.query<{ mark: string | null }>({
    name: 'read-mark-of-failing',
    text: `SELECT CASE WHEN count(*) > 0 THEN concat_ws(' ', count(*), max(status_since),
                    (SELECT sum(maintenance_revision) FROM teams WHERE maintenance_revision > 0)) END AS mark
           FROM monitor_state WHERE status IN ('maintenance', 'down') AND revision IS NOT NULL`,
  })
  return rows[0]?.mark ?? null
}

/** The reasons of failures, by monitor; none for a check that is compacted already. */
export async function readReasons(
  { pool }: Database,
  failing: readonly Pick<FailingMonitor, 'monitorId' | 'lastCheckedAt'>[],
): Promise<Map<number, string>> {
  const { rows } = await pool.query<{ monitorId: number; reason: string }>({
    name: 'read-reasons-under-maintenance',
    text: `SELECT c.monitor_id AS "monitorId", c.error_message AS reason
           FROM unnest($1::int[], $2::timestamptz[]) AS f (monitor_id, checked_at)
           JOIN checks c ON c.monitor_id = f.monitor_id AND c.checked_at = f.checked_at
             AND ${quarterOf('c.checked_at')} = ${quarterOf('f.checked_at')}
           WHERE c.error_message IS NOT NULL`,
    values: [failing.map(({ monitorId }) => monitorId), failing.map(({ lastCheckedAt }) => lastCheckedAt)],
  })
  return new Map(rows.map(({ monitorId, reason }) => [monitorId, reason]))
}
