import type { CheckStatus } from '../../core/monitors/check.ts'
import type { MonitorType } from '../../core/monitors/monitor.ts'
import type { Database } from '../../postgres/database.ts'
import { QUARTER_OF_AN_HOUR, quarterOf } from '../history/quarters.ts'

export type MeasuredMonitor = {
  id: number
  name: string
  type: MonitorType
  isActive: boolean
  status: CheckStatus
  lastCheckedAt: Date | null
  /** From the last check, if that was today or yesterday; null without a response. */
  responseTimeMs: number | null
  sslExpiresAt: Date | null
  incidentStartedAt: Date | null
  tags: string[]
}

/** A team's monitors ordered by id, at most `limit`, and their total number. */
export async function readMeasuredMonitors(
  { pool }: Database,
  teamId: number,
  limit: number,
): Promise<{ total: number; monitors: MeasuredMonitor[] }> {
  const [counted, { rows }] = await Promise.all([
    pool.query<{ total: number }>({
      name: 'count-measured-monitors',
      text: 'SELECT count(*) AS total FROM monitors WHERE team_id = $1 AND deleted_at IS NULL',
      values: [teamId],
    }),
    pool.query<MeasuredMonitor>({ name: 'read-measured-monitors', text: MEASURED, values: [teamId, limit] }),
  ])
  return { total: counted.rows[0]?.total ?? 0, monitors: rows }
}

const MEASURED = `
  SELECT m.id, m.name, m.type, m.is_active AS "isActive", s.status, s.last_checked_at AS "lastCheckedAt",
         s.ssl_expires_at AS "sslExpiresAt", i.started_at AS "incidentStartedAt", m.tags,
         (SELECT response_time_ms FROM checks
          WHERE monitor_id = m.id AND checked_at = s.last_checked_at
            AND ${QUARTER_OF_AN_HOUR} = ${quarterOf('s.last_checked_at')}
          LIMIT 1) AS "responseTimeMs"
  FROM monitors m JOIN monitor_state s ON s.monitor_id = m.id
  LEFT JOIN team_incidents i ON i.kind = 'monitor' AND i.id = s.open_incident_id
  WHERE m.team_id = $1 AND m.deleted_at IS NULL
  ORDER BY m.id LIMIT $2`
