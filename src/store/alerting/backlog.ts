import type { Backlog } from '../../core/alerting/backlog.ts'
import { LiveStatus } from '../../core/monitors/status.ts'
import type { Database } from '../../postgres/database.ts'
import { countOverdueHeartbeats } from '../maintenance/overdue-heartbeats.ts'
import { LIVE_STATUS } from '../monitors/monitor-briefs.ts'
import { countServersByStatus } from '../servers/overview.ts'
import { countSitesByStatus } from '../sites/overview.ts'

type Counts = Omit<Backlog, 'monitors' | 'servers' | 'sites' | 'heartbeatsOverdue'>

export async function readBacklog({ pool }: Database): Promise<Backlog> {
  const [counts, heartbeatsOverdue, monitors, servers, sites] = await Promise.all([
    pool.query<Counts>({ name: 'read-backlog', text: COUNTS }),
    countOverdueHeartbeats(pool),
    pool.query<{ status: LiveStatus; count: number }>({ name: 'count-monitors', text: MONITORS }),
    countServersByStatus({ pool }, null),
    countSitesByStatus({ pool }, null),
  ])
  return {
    ...(counts.rows[0] as Counts),
    heartbeatsOverdue,
    monitors: byStatus(monitors.rows),
    servers: byStatus(servers),
    sites: byStatus(sites),
  }
}

function byStatus(rows: { status: LiveStatus; count: number }[]): Record<LiveStatus, number> {
  const counts = new Map(rows.map(({ status, count }) => [status, count]))
  const all = LiveStatus.options.map((status) => [status, counts.get(status) ?? 0])
  return Object.fromEntries(all) as Record<LiveStatus, number>
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
