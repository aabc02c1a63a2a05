import type { Backlog } from '../../core/alerting/backlog.ts'
import { LiveStatus } from '../../core/monitors/status.ts'
import type { Database } from '../../postgres/database.ts'
import { countOverdueHeartbeats } from '../maintenance/overdue-heartbeats.ts'
import { LIVE_STATUS } from '../monitors/monitor-briefs.ts'

export async function readBacklog({ pool }: Database): Promise<Backlog> {
  const [counts, heartbeatsOverdue, monitors] = await Promise.all([
    pool.query<Omit<Backlog, 'monitors' | 'heartbeatsOverdue'>>({ name: 'read-backlog', text: COUNTS }),
    countOverdueHeartbeats(pool),
    pool.query<{ status: LiveStatus; count: number }>({ name: 'count-monitors', text: MONITORS }),
  ])
  const byStatus = new Map(monitors.rows.map(({ status, count }) => [status, count]))
  return {
    ...(counts.rows[0] as Omit<Backlog, 'monitors' | 'heartbeatsOverdue'>),
    heartbeatsOverdue,
    monitors: Object.fromEntries(
      LiveStatus.options.map((status) => [status, byStatus.get(status) ?? 0]),
    ) as Backlog['monitors'],
  }
}

const COUNTS = `
  SELECT d.*, (SELECT count(*) FROM letters) AS "lettersPending",
    (SELECT count(*) FROM status_notices WHERE state = 'pending') AS "noticesPending"
  FROM (SELECT count(*) AS "deliveriesPending", count(*) FILTER (WHERE next_attempt_at <= now()) AS "deliveriesDue",
               extract(epoch FROM now() - min(next_attempt_at) FILTER (WHERE next_attempt_at <= now()))::float8
                 AS "oldestDueSeconds"
        FROM deliveries WHERE state = 'pending') AS d`

const MONITORS = `
  SELECT ${LIVE_STATUS} AS status, count(*) AS count
  FROM monitors m JOIN monitor_state s ON s.monitor_id = m.id WHERE m.deleted_at IS NULL GROUP BY 1`
