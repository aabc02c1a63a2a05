import type { KeptOccurrence } from '../../core/maintenance/window-record.ts'
import type { Database } from '../../postgres/database.ts'

/**
 * Running turns of switches that end when all passes, of which every active monitor and server has been passing since
 * `since` at the latest, and has been checked or has reported within the turn. A job need not have reported within it; a
 * server that never reported is not waited for.
 */
export async function readPassingTurns(
  { pool }: Database,
  now: Date,
  since: Date,
  limit: number,
): Promise<(KeptOccurrence & { teamId: number })[]> {
  const { rows } = await pool.query<KeptOccurrence & { teamId: number }>({
    name: 'read-passing-turns',
    text: `SELECT o.team_id AS "teamId", o.window_id AS "windowId", o.starts_at AS "startsAt", o.ends_at AS "endsAt",
                  o.ended_by AS "endedBy", o.all_subjects, o.monitor_ids,
                  o.server_ids
           FROM maintenance_windows w
           JOIN maintenance_occurrences o ON o.window_id = w.id AND o.starts_at >= w.since
           JOIN LATERAL (
             SELECT bool_and(passes) AS all_pass FROM (
               SELECT s.status IN ('up', 'degraded') AND s.status_since <= $2
                 AND (m.type = 'heartbeat' OR s.last_checked_at >= o.starts_at) AS passes
               FROM monitors m JOIN monitor_state s ON s.monitor_id = m.id
               WHERE m.team_id = o.team_id AND (o.all_subjects OR m.id = ANY(o.monitor_ids))
                 AND m.is_active AND m.deleted_at IS NULL
               UNION ALL
               SELECT t.status IN ('up', 'degraded') AND t.status_since <= $2 AND t.last_report_at >= o.starts_at
               FROM servers v JOIN server_state t ON t.server_id = v.id
               WHERE v.team_id = o.team_id AND (o.all_subjects OR v.id = ANY(o.server_ids))
                 AND v.is_active AND v.deleted_at IS NULL AND t.last_report_at IS NOT NULL) AS subject
             ) AS subjects ON all_pass
           WHERE w.kind = 'switch' AND w.ends_when_passing AND w.deleted_at IS NULL
             AND o.starts_at <= $2 AND o.ends_at > $1
           ORDER BY o.window_id LIMIT $3`,
    values: [now, since, limit],
  })
  return rows
}
