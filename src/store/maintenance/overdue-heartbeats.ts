import { effectiveDeadline, type PlannedDeadline, waitedSince } from '../../core/maintenance/deadline.ts'
import { MAX_BACK_MS, teamCover } from '../../core/maintenance/team-cover.ts'
import { type HeartbeatTerms, waitBefore } from '../../core/monitors/heartbeats/heartbeat-terms.ts'
import { type Reader, readTeamWindows } from './judged-windows.ts'

/** The bound of the monitors of teams with windows; more of them wait for nothing but the end of one. */
const MAX_PLANNED = 10_000

const OVERDUE = `monitor_state s JOIN monitors m ON m.id = s.monitor_id JOIN teams t ON t.id = m.team_id
  WHERE s.heartbeat_due_at < now() AND s.revision IS NOT NULL AND m.type = 'heartbeat'`

type Planned = PlannedDeadline & { teamId: number; now: Date }
type Overdue = Planned & HeartbeatTerms

/** The number of heartbeats that are late and whose silence is not recorded yet. */
export async function countOverdueHeartbeats(reader: Reader): Promise<number> {
  const [others, { rows }] = await Promise.all([
    reader.query<{ count: number }>({
      name: 'count-overdue-heartbeats',
      text: `SELECT count(*) FROM ${OVERDUE} AND t.maintenance_revision = 0`,
    }),
    reader.query<Overdue>({
      name: 'read-overdue-heartbeats',
      text: `SELECT m.id AS "monitorId", m.team_id AS "teamId", s.heartbeat_due_at AS "dueAt", now(),
                    CASE WHEN s.status = 'pending' THEN s.status_since ELSE s.last_checked_at END AS "heardAt",
                    coalesce(m.check_interval_seconds, m.check_interval_minutes * 60) AS "intervalSeconds", m.options
             FROM ${OVERDUE} AND t.maintenance_revision > 0 LIMIT ${MAX_PLANNED}`,
    }),
  ])
  const planned = rows.map((row) => ({ ...row, ...waitBefore(row, row.heardAt) }))
  const late = planned.length > 0 ? await stillLate(reader, planned) : 0
  return (others.rows[0]?.count ?? 0) + late
}

/** Time in windows does not count against them. */
async function stillLate(reader: Reader, planned: Planned[]): Promise<number> {
  const now = planned[0]?.now as Date
  const sinceMs = planned.map((one) => waitedSince(one).getTime())
  const from = new Date(Math.max(Math.min(...sinceMs), now.getTime() - MAX_BACK_MS))
  const windows = await readTeamWindows(reader, [...new Set(planned.map(({ teamId }) => teamId))], from)
  const covers = new Map([...windows].map(([teamId, team]) => [teamId, teamCover(team.windows).monitor]))
  return planned.filter((one) => effectiveDeadline(one, covers.get(one.teamId) ?? null, now) < now).length
}
