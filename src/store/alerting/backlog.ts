import type { Backlog } from '../../core/alerting/backlog.ts'
import { ofEachField, promisedOfEachKind, type SubjectKind } from '../../core/maintenance/subject-kind.ts'
import { LiveStatus } from '../../core/monitors/status.ts'
import type { Database } from '../../postgres/database.ts'
import { countOverdueHeartbeats } from '../maintenance/overdue-heartbeats.ts'
import { STORED_KINDS } from '../stored-kinds.ts'

type Counts = Omit<Backlog, `${SubjectKind}s` | 'heartbeatsOverdue'>

export async function readBacklog(db: Database): Promise<Backlog> {
  const [counts, heartbeatsOverdue, ofKinds] = await Promise.all([
    db.pool.query<Counts>({ name: 'read-backlog', text: COUNTS }),
    countOverdueHeartbeats(db.pool),
    promisedOfEachKind((kind) => STORED_KINDS[kind].countByStatus(db, null)),
  ])
  return {
    ...(counts.rows[0] as Counts),
    heartbeatsOverdue,
    ...ofEachField('s', (kind) => byStatus(ofKinds[kind])),
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
